"""Looks for smells in a project: measures what changed, then judges functions, files, cycles, copies and exports."""

import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from ctxsieve.compress import read_source
from ctxsieve.errors import InputError, PathError
from ctxsieve.graph import ProgressCallback, ProjectGraph
from ctxsieve.jail import read_inside
from ctxsieve.languages import LANGUAGES, LanguageKind
from ctxsieve.smells.complexity import FileFigures, FunctionFigures, measure_files
from ctxsieve.smells.cycles import find_cycle_smells
from ctxsieve.smells.duplicates import find_copies
from ctxsieve.smells.findings import Place, Smell, SmellKind, Weights
from ctxsieve.smells.memory import figures_key, read_figures, write_figures
from ctxsieve.smells.options import SmellOptions
from ctxsieve.smells.unused import find_unused_exports
from ctxsieve.values import dataclass

__all__ = ["SmellReport", "find_smells"]

# Sources that are parsed in one crossing.
_BATCH_BYTES = 8 << 20
# Declarations repeat by design what stands elsewhere.
_DECLARATIONS = (".d.ts", ".d.cts", ".d.mts", ".pyi")
_ORDER = {kind: position for position, kind in enumerate(SmellKind)}


@dataclass(frozen=True, slots=True)
class SmellReport:
    """The findings of a project, the most severe first, ties by place and kind.

    Attributes:
        smells: all of them.
        files: number of files that were looked at.
        functions: number of functions in them.
        code_lines: lines with code in them.
        held_back: number of files by role that were not looked at.
        unmeasured: files that could not be read or parsed within the limit.
        measured: how many files had to be parsed; the others were remembered.
    """

    smells: tuple[Smell, ...]
    files: int
    functions: int
    code_lines: int
    held_back: Mapping[str, int]
    unmeasured: tuple[str, ...]
    measured: int


def find_smells(
    graph: ProjectGraph,
    *,
    options: SmellOptions,
    memory: Path,
    threads: int,
    paths: Sequence[str] = (),
    on_progress: ProgressCallback | None = None,
) -> SmellReport:
    """Return the smells of a project.

    Args:
        graph: its graph.
        options: thresholds and roles.
        memory: the file that remembers figures between runs.
        threads: at most so many parse at the same time.
        paths: files, folders or globs; findings elsewhere are left out. What is measured stays the whole project.
        on_progress: called with "measure", how many files are done and how many there are.

    Raises:
        InputError: one of the paths fits no file.
    """
    _check_paths(graph, paths)
    code = [
        document
        for document, language in enumerate(graph.index.languages)
        if language is not None and LANGUAGES[language].kind is LanguageKind.CODE
    ]
    roles = graph.index.roles
    documents = [document for document in code if roles[document] in options.roles]
    figures, measured = _measure(graph, documents, memory, threads, on_progress or (lambda *_: None))
    weights = Weights.of(graph, options)
    found = [
        *_function_smells(graph, figures, weights, options),
        *_file_smells(graph, figures, weights, options),
        *find_cycle_smells(graph, set(documents), weights, options),
        *_duplicate_smells(graph, figures, weights, options),
        *_unused_smells(graph, documents, weights, options, threads),
    ]
    kept = [smell for smell in found if not paths or any(_fits(smell.place.path, path) for path in paths)]
    held_back = Counter(roles[document] for document in code if roles[document] not in options.roles)
    kept.sort(key=lambda smell: (-smell.severity, smell.place, _ORDER[smell.kind], smell.symbol))
    return SmellReport(
        tuple(kept),
        files=len(figures),
        functions=sum(len(one.functions) for one in figures.values()),
        code_lines=sum(one.code_lines for one in figures.values()),
        held_back=dict(sorted(held_back.items())),
        unmeasured=tuple(
            graph.index.paths[document]
            for document in documents
            if document not in figures or not figures[document].is_complete
        ),
        measured=measured,
    )


def _check_paths(graph: ProjectGraph, paths: Sequence[str]) -> None:
    for path in paths:
        if not any(_fits(known, path) for known in graph.index.paths):
            raise InputError(f"path is {path!r}: no file of the project fits it")


def _fits(path: str, pattern: str) -> bool:
    plain = pattern.removeprefix("./").rstrip("/")
    return plain in ("", ".", path) or path.startswith(f"{plain}/") or fnmatchcase(path, plain)


def _measure(
    graph: ProjectGraph, documents: Sequence[int], memory: Path, threads: int, on_progress: ProgressCallback
) -> tuple[dict[int, FileFigures], int]:
    """Return the figures by document, and how many files had to be measured."""
    index = graph.index
    known = read_figures(memory)
    figures: dict[int, FileFigures] = {}
    keys = {document: figures_key(index.sha256(document), index.languages[document] or "") for document in documents}
    missing = [document for document in documents if keys[document] not in known]
    done = 0
    for language, batch in _batches(graph, missing):
        sources = [(document, data) for document in batch if (data := _read(graph, document)) is not None]
        measured = measure_files([data for _, data in sources], LANGUAGES[language], threads=threads)
        known.update((keys[document], one) for (document, _), one in zip(sources, measured, strict=True))
        done += len(batch)
        on_progress("measure", done, len(missing))
    for document in documents:
        if keys[document] in known:
            figures[document] = known[keys[document]]
    if missing or len(known) > 2 * len(figures) + 64:
        write_figures(memory, {keys[document]: one for document, one in figures.items()})
    return figures, len(missing)


def _batches(graph: ProjectGraph, documents: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
    by_language: dict[str, list[int]] = {}
    for document in documents:
        by_language.setdefault(graph.index.languages[document] or "", []).append(document)
    sizes = graph.index.size_bytes
    for language, members in sorted(by_language.items()):
        batch: list[int] = []
        total = 0
        for document in members:
            batch.append(document)
            total += int(sizes[document])
            if total >= _BATCH_BYTES:
                yield language, batch
                batch, total = [], 0
        if batch:
            yield language, batch


def _read(graph: ProjectGraph, document: int) -> bytes | None:
    path = graph.index.paths[document]
    try:
        return read_source(path, read_inside(graph.index.root, path), None).data
    except PathError:
        return None


def _function_smells(
    graph: ProjectGraph, figures: Mapping[int, FileFigures], weights: Weights, options: SmellOptions
) -> Iterator[Smell]:
    for document, one in figures.items():
        for function in one.functions:
            if "test" not in options.roles and _is_inline_test(function.name, document, graph):
                continue
            place = Place(graph.index.paths[document], function.first_line, function.last_line)
            for kind, value, threshold, message in _exceeded(function, options):
                yield weights.smell(
                    kind, document, place, value=value, threshold=threshold, message=message, symbol=function.name
                )


def _is_inline_test(name: str, document: int, graph: ProjectGraph) -> bool:
    """Say whether a function stands in the test module inside a Rust file."""
    return graph.index.languages[document] == "rust" and name.startswith(("tests.", "test."))


def _exceeded(function: FunctionFigures, options: SmellOptions) -> Iterator[tuple[SmellKind, int, int, str]]:
    figures = (
        (SmellKind.COGNITIVE, function.cognitive, options.cognitive, "cognitive complexity {}"),
        (SmellKind.CYCLOMATIC, function.cyclomatic, options.cyclomatic, "cyclomatic complexity {}"),
        (SmellKind.LONG_FUNCTION, function.code_lines, options.function_lines, "{} code lines"),
        (SmellKind.NESTING, function.nesting, options.nesting, "nested {} deep"),
        (SmellKind.PARAMETERS, function.parameters, options.parameters, "{} parameters"),
    )
    for kind, value, threshold, words in figures:
        if threshold and value > threshold:
            yield kind, value, threshold, f"{words.format(value)} (at most {threshold})"


def _file_smells(
    graph: ProjectGraph, figures: Mapping[int, FileFigures], weights: Weights, options: SmellOptions
) -> Iterator[Smell]:
    dependencies = np.bincount(graph.edges.pairs[:, 0], minlength=len(graph.index))
    for document, one in figures.items():
        values = (
            (one.code_lines, options.file_lines, "code lines"),
            (len(one.functions), options.file_functions, "functions"),
            (int(dependencies[document]), options.file_dependencies, "dependencies"),
        )
        exceeded = [(value, most, name) for value, most, name in values if most and value > most]
        # A long file or one that knows many others may be what it has to be; both together do too much.
        if len(exceeded) < 2:
            continue
        value, threshold, _ = max(exceeded, key=lambda item: item[0] / item[1])
        lines = int(graph.index.line_counts[document])
        yield weights.smell(
            SmellKind.GOD_FILE,
            document,
            Place(graph.index.paths[document], 1, max(1, lines)),
            value=value,
            threshold=threshold,
            message=", ".join(f"{value} {name} (at most {most})" for value, most, name in exceeded),
        )


def _duplicate_smells(
    graph: ProjectGraph, figures: Mapping[int, FileFigures], weights: Weights, options: SmellOptions
) -> Iterator[Smell]:
    if not options.duplicate_lines:
        return
    documents = [document for document in figures if not graph.index.paths[document].endswith(_DECLARATIONS)]
    offsets = [0]
    for document in documents:
        offsets.append(offsets[-1] + len(figures[document].line_digests))

    def place_of(start: int, length: int) -> tuple[int, Place]:
        number = bisect.bisect_right(offsets, start) - 1
        document = documents[number]
        numbers = figures[document].line_numbers
        first = start - offsets[number]
        lines = int(numbers[first]), int(numbers[first + length - 1])
        return document, Place(graph.index.paths[document], *lines)

    def heaviest(item: tuple[int, Place]) -> tuple[float, int, int]:
        return float(weights.importance[item[0]]), -item[0], -item[1].first_line

    for copies in find_copies([figures[document].line_digests for document in documents], options.duplicate_lines):
        places = [place_of(start, copies.length) for start in copies.starts]
        document, place = max(places, key=heaviest)
        related = tuple(other for _, other in places if other != place)
        yield weights.smell(
            SmellKind.DUPLICATE,
            document,
            place,
            value=copies.length * (len(places) - 1),
            threshold=options.duplicate_lines,
            message=f"{copies.length} code lines stand in {len(places)} places",
            related=related,
        )


def _unused_smells(
    graph: ProjectGraph, documents: Sequence[int], weights: Weights, options: SmellOptions, threads: int
) -> Iterator[Smell]:
    if not options.unused_exports:
        return
    for export in find_unused_exports(graph, documents, least=options.unused_confidence, threads=threads):
        yield weights.smell(
            SmellKind.UNUSED,
            export.document,
            Place(graph.index.paths[export.document], export.first_line, export.last_line),
            value=1,
            threshold=1,
            message=f"nothing in the project mentions it ({export.confidence} confidence)",
            symbol=export.name,
            confidence=export.confidence,
        )
