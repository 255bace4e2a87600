"""What must hold for every rendering that leaves nodes out, as checks that name the broken rule.

Used by the property tests on fixtures and generated programs, and by `make corpus-check` on real files.
"""

import ast
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

from ctxsieve._kernels import PARSE_LIMIT, SyntaxNodes, grammar_kinds, syntax_nodes
from ctxsieve.compress import (
    CompressionOptions,
    Removal,
    Rendering,
    SourceFile,
    read_source,
    render_aggressive,
    render_entropy,
    render_task,
)
from ctxsieve.languages import LANGUAGES, Language, LanguageKind, language_of, parse

FIXTURES = Path(__file__).parent / "fixtures"
CODE = sorted(name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE)
# Fixtures are short: without limits everything that may go does.
EVERYTHING = CompressionOptions(aggressive_share=0.0, aggressive_surprise=1.0, lost_identifiers=1.0, gap_tokens=0)
_EXTRA = 8
# Text behind the end of a program: a marker there is such text too.
_BEHIND_THE_PROGRAM = "data_section"


def fixture_sources(name: str) -> list[bytes]:
    """Return the fixtures of a language."""
    paths = [*(FIXTURES / "definitions").glob(f"{name}.*"), *(FIXTURES / "projects" / name).rglob("*")]
    found = ((path, language_of(path.name)) for path in sorted(paths) if path.is_file())
    return [path.read_bytes() for path, language in found if language is not None and language.name == name]


def source_of(name: str, data: bytes) -> SourceFile:
    """Return a file of a language."""
    return read_source(f"sample.{name}", data, LANGUAGES[name])


def renderings(source: SourceFile) -> list[tuple[str, Removal]]:
    """Return the file in each mode that leaves nodes out, with usual and with no limits."""
    some = [float(number % 3 == 0) for number in range(len(source.lines))]
    return [
        ("aggressive", render_aggressive(source)),
        ("aggressive without limits", render_aggressive(source, EVERYTHING)),
        ("entropy", render_entropy(source)),
        ("entropy of a tenth", render_entropy(source, 0.1, EVERYTHING)),
        ("task", render_task(source, some, has_error_lines_first=True, options=EVERYTHING)),
        (
            "task about nothing",
            render_task(source, [0.0] * len(source.lines), has_error_lines_first=False, options=EVERYTHING),
        ),
    ]


def broken_rules(source: SourceFile) -> list[str]:
    """Return what is wrong with the renderings of a file of code; nothing for most."""
    language = source.language
    assert language is not None, source.path
    broken = []
    aligned = replace(source, is_aligned=True)
    for spelled in (source, aligned) if aligned.spelling is not None else (source,):
        for mode, removal in renderings(spelled):
            label = f"{mode}, aligned" if spelled.is_aligned else mode
            if removal.rendering is None:
                if not removal.reason:
                    broken.append(f"{label}: nothing is shown and no reason given")
                continue
            problem = problem_of(spelled, removal.rendering)
            if problem:
                broken.append(f"{label}: {problem}")
    return broken


def problem_of(source: SourceFile, rendering: Rendering) -> str:
    """Return what is wrong with one rendering; nothing for most."""
    language = source.language
    assert language is not None, source.path
    errors_before = parse(source.data, language).error_nodes
    data = rendering.content.encode("utf-8", "surrogatepass")
    errors = parse(data, language).error_nodes
    if errors > errors_before:
        return f"{errors} error nodes, the source has {errors_before}"
    problem = _line_problem(source, rendering)
    if problem:
        return problem
    if errors_before == 0 and not is_same_syntax(source, language, rendering, data):
        return "what is shown is parsed as something else"
    if language.name == "python" and _compiles(source.text) and not _compiles(rendering.content):
        return "Python refuses it"
    return ""


def _line_problem(source: SourceFile, rendering: Rendering) -> str:
    """Check that shown lines are in order and as the source is spelled, and that each gap has its marker."""
    shown = [line for span in rendering.shown for line in range(span.first, span.last + 1)]
    hidden = [line for span in rendering.omitted for line in range(span.first, span.last + 1)]
    if sorted(shown + hidden) != list(range(1, len(source.lines) + 1)):
        return "shown and omitted lines are not all lines, each once"
    lines = rendering.content.split("\n")
    if rendering.content.endswith("\n"):
        lines.pop()
    expected: list[tuple[int, str]] = [(line, source.spelled_lines[line - 1]) for line in shown]
    expected += [
        (span.first, f"... {span.first}" if span.first == span.last else f"... {span.first}-{span.last}")
        for span in rendering.omitted
    ]
    omitted = {span.first for span in rendering.omitted}
    if len(lines) != len(expected):
        return f"{len(lines)} lines, {len(expected)} were expected"
    for text, (line, wanted) in zip(lines, sorted(expected), strict=True):
        if (wanted not in text) if line in omitted else (text != wanted):
            return f"line {line} is {text!r}"
    return ""


def is_same_syntax(source: SourceFile, language: Language, rendering: Rendering, data: bytes) -> bool:
    """Say whether the leaves of the shown lines are of the same kinds, under parents of the same kinds, as before."""
    assert language.grammar is not None, source.path
    before = syntax_nodes([source.data], language.grammar, parse_limit=PARSE_LIMIT, threads=1)
    after = syntax_nodes([data], language.grammar, parse_limit=PARSE_LIMIT, threads=1)
    is_shown = np.zeros(len(source.lines) + 2, dtype=bool)
    is_marker = np.zeros(len(source.lines) + 2, dtype=bool)
    row = 0
    for span in sorted((*rendering.shown, *rendering.omitted)):
        if span in rendering.omitted:
            is_marker[row] = True
            row += 1
        else:
            is_shown[span.first - 1 : span.last] = True
            row += span.last - span.first + 1
    kinds = grammar_kinds(language.grammar)
    behind = kinds.index(_BEHIND_THE_PROGRAM) if _BEHIND_THE_PROGRAM in kinds else -1
    found = (_leaves(before, source.data, is_shown), _leaves(after, data, ~is_marker))
    one, other = ([leaf for leaf in leaves if leaf[0] != behind] for leaves in found)
    return one == other


def _leaves(
    tree: SyntaxNodes, data: bytes, is_wanted: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
) -> list[tuple[int, int]]:
    """Return (kind, kind of the parent) of each leaf on a wanted line; comments and white space apart."""
    is_parent = np.zeros(len(tree.kind), dtype=bool)
    parents = tree.parent.astype(np.int64)
    is_parent[parents[1:]] = True
    rows = np.minimum(tree.start_row, len(is_wanted) - 1)
    is_leaf = ~is_parent & (tree.end_byte > tree.start_byte) & ((tree.flags & _EXTRA) == 0) & is_wanted[rows]
    is_leaf[0] = False
    spans = zip(tree.start_byte[is_leaf].tolist(), tree.end_byte[is_leaf].tolist(), strict=True)
    kinds = zip(tree.kind[is_leaf].tolist(), tree.kind[parents[is_leaf]].tolist(), spans, strict=True)
    return [(kind, parent) for kind, parent, (start, end) in kinds if data[start:end].strip()]


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
