"""What is found out about files, remembered on disk by content hash.

That is what parsing tells, definitions and nodes that may go as a whole, and what the lines tell by themselves.

One small file per path and kind holds what is known of the content it had last, so that the memory is bounded by the
tree; see `fact_files`.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ctxsieve.align import align_lines
from ctxsieve.compress.fact_files import read_facts, write_facts
from ctxsieve.compress.line_facts import LineFacts
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import DefinitionKind, DefinitionTable, LineRange, ParsedFile
from ctxsieve.languages import WordPlaces

__all__ = ["parse_sources", "recall_line_facts", "recall_whole_nodes", "with_remembered_lines"]

# Remembered by their numbers: another order makes another version.
_KINDS = tuple(DefinitionKind)


def parse_sources(
    sources: Sequence[SourceFile], *, memory: Path, threads: int, is_aligned: bool = False
) -> list[SourceFile]:
    """Return the sources with their definitions at hand: remembered, or parsed together on `threads` threads.

    Args:
        sources: the files.
        memory: the directory of remembered definitions; it is made when there is something to remember.
        threads: at most so many parse at the same time.
        is_aligned: whether their lines are spelled in fewest tokens (docs/alignment.md).
    """
    known = [_recall(source, memory, is_aligned=is_aligned) for source in sources]
    unknown = [i for i, source in enumerate(known) if source is None]
    for i, parsed in zip(unknown, _parse([sources[i] for i in unknown], threads), strict=True):
        source = replace(sources[i], known=parsed, is_aligned=is_aligned)
        _remember(source, parsed, memory)
        known[i] = source
    return [source for source in known if source is not None]


def _parse(sources: Sequence[SourceFile], threads: int) -> list[ParsedFile]:
    if not sources:
        return []
    # The parser is loaded only where something is not remembered.
    from ctxsieve.languages import parse_many

    files = [(source.data, source.language) for source in sources if source.language is not None]
    parsed = parse_many(files, threads=threads, with_layouts=True)
    return [_with_safe_layout(source, found) for source, found in zip(sources, parsed, strict=True)]


def _with_safe_layout(source: SourceFile, parsed: ParsedFile) -> ParsedFile:
    """Return what is remembered: a layout only where the lines may be spelled by it."""
    spelling = align_lines(source.lines, parsed.layout, ends_with_newline=source.text.endswith("\n"))
    if spelling is None:
        return replace(parsed, layout=b"")
    if parsed.error_nodes == 0:
        return parsed
    from ctxsieve.compress.nodes import keeps_tree

    return parsed if keeps_tree(source, spelling) else replace(parsed, layout=b"")


def recall_whole_nodes(source: SourceFile, *, memory: Path) -> list[LineRange]:
    """Return `find_whole_nodes` of a source, remembered or found now."""
    if source.language is None or source.language.grammar is None:
        return []
    entry = read_facts(source, source.language, "compress", memory)
    with contextlib.suppress(KeyError, TypeError, ValueError):
        if entry is not None:
            nodes = entry["nodes"].reshape(-1, 2)
            return list(map(LineRange, nodes[:, 0].tolist(), nodes[:, 1].tolist()))
    from ctxsieve.compress.nodes import find_whole_nodes

    nodes = find_whole_nodes(source)
    numbers = np.array([(span.first, span.last) for span in nodes], dtype=np.int32).ravel()
    write_facts(source, source.language, "compress", memory, {"nodes": numbers})
    return nodes


def with_remembered_lines(source: SourceFile, *, memory: Path, is_aligned: bool) -> SourceFile:
    """Return a source with the facts about its lines at hand where they are remembered; it need not be parsed.

    Args:
        source: the file.
        memory: the directory of remembered facts.
        is_aligned: whether its lines will be spelled in fewest tokens (docs/alignment.md).
    """
    if source.language is None:
        return source
    entry = read_facts(source, source.language, _kind(is_aligned=is_aligned), memory)
    facts = None if entry is None else _line_facts(entry, len(source.lines))
    if facts is None:
        return source
    source.findings.tokens = facts.plain_tokens
    return replace(source, known_lines=facts)


def recall_line_facts(source: SourceFile, *, memory: Path) -> SourceFile:
    """Return a parsed source with the facts about its lines at hand, remembered or found out now."""
    if source.language is None or source.known_lines is not None:
        return source
    known = with_remembered_lines(source, memory=memory, is_aligned=source.is_aligned)
    if known.known_lines is not None:
        return known
    facts = source.line_facts
    remembered = {
        "spelling": facts.spelled,
        "tokens": facts.tokens,
        "plain_tokens": facts.plain_tokens,
        "line_tokens": np.asarray(facts.line_tokens),
        "error_lines": np.asarray(facts.error_lines),
        "words": facts.words.text,
        "word_ends": facts.words.ends,
        "places": facts.words.places,
    }
    write_facts(source, source.language, _kind(is_aligned=source.is_aligned), memory, remembered)
    return replace(source, known_lines=facts)


def _kind(*, is_aligned: bool) -> str:
    return "aligned_lines" if is_aligned else "lines"


def _line_facts(entry: dict[str, Any], count: int) -> LineFacts | None:
    try:
        spelled = entry["spelling"]
        facts = LineFacts(
            spelled,
            int(entry["tokens"]),
            int(entry["plain_tokens"]),
            entry["line_tokens"].tolist(),
            entry["error_lines"].tolist(),
            WordPlaces(entry["words"], entry["word_ends"], entry["places"]),
        )
        is_whole = len(facts.line_tokens) == count and (spelled is None or spelled.count("\n") + 1 == max(1, count))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return facts if is_whole else None


def _recall(source: SourceFile, memory: Path, *, is_aligned: bool) -> SourceFile | None:
    if source.language is None or source.language.grammar is None:
        return replace(source, known=ParsedFile((), 0), is_aligned=is_aligned)
    entry = read_facts(source, source.language, "definitions", memory)
    if entry is None:
        return None
    try:
        names: list[str] = entry["names"]
        kinds, heads, ends, *columns = entry["numbers"].reshape(3 + len(DefinitionTable.COLUMNS), -1).tolist()
        parsed = ParsedFile(
            DefinitionTable([_KINDS[kind] for kind in kinds], names, entry["qualified_names"], columns),
            error_nodes=int(entry["error_nodes"]),
            complete=bool(entry["complete"]),
            layout=entry["layout"],
        )
    except (AttributeError, ValueError, KeyError, TypeError, IndexError):
        return None
    return replace(source, known=parsed, known_signature_lines=(heads, ends), is_aligned=is_aligned)


def _remember(source: SourceFile, parsed: ParsedFile, memory: Path) -> None:
    if source.language is None:
        return
    table = DefinitionTable.of(parsed.definitions)
    numbers = [[_KINDS.index(kind) for kind in table.kinds], *source.signature_lines, *table.numbers]
    entry = {
        "error_nodes": parsed.error_nodes,
        "complete": parsed.complete,
        "layout": parsed.layout,
        "names": list(table.names),
        "qualified_names": list(table.qualified_names),
        "numbers": np.array(numbers, dtype=np.int32).ravel(),
    }
    write_facts(source, source.language, "definitions", memory, entry)
