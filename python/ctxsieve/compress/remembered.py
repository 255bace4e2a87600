"""What is found out about files, remembered on disk by content hash.

That is what parsing tells, definitions and nodes that may go as a whole, and what the lines tell by themselves.

One small file per path and kind holds what is known of the content it had last, so that the memory is bounded by the
tree. It is a cache: what is missing, damaged or of another version is parsed again; what cannot be written is not
remembered.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from ctxsieve.align import align_lines
from ctxsieve.compress.line_facts import LineFacts
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import Definition, DefinitionKind, LineRange, ParsedFile
from ctxsieve.languages import Language

__all__ = ["parse_sources", "recall_line_facts", "recall_whole_nodes"]

# Raised whenever the same text gets other facts with the same queries: other definitions, layouts, nodes or words,
# another spelling or other counts.
_VERSION = 7


def parse_sources(
    sources: Sequence[SourceFile], *, memory: Path, threads: int, is_aligned: bool = False
) -> list[SourceFile]:
    """Return the sources with their definitions at hand: remembered, or parsed together on `threads` threads.

    Args:
        sources: the files.
        memory: the directory of remembered definitions; it is made when there is something to remember.
        threads: at most so many parse at the same time.
        is_aligned: whether their lines are spelled in fewest tokens (SPEC 8).
    """
    known = [_recall(source, memory) for source in sources]
    unknown = [i for i, parsed in enumerate(known) if parsed is None]
    for i, parsed in zip(unknown, _parse([sources[i] for i in unknown], threads), strict=True):
        known[i] = parsed
        _remember(sources[i], parsed, memory)
    return [replace(source, known=parsed, is_aligned=is_aligned) for source, parsed in zip(sources, known, strict=True)]


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
    entry = _read_entry(source, source.language, "compress", memory)
    with contextlib.suppress(KeyError, TypeError, ValueError):
        if entry is not None:
            return [LineRange(int(first), int(last)) for first, last in entry["nodes"]]
    from ctxsieve.compress.nodes import find_whole_nodes

    nodes = find_whole_nodes(source)
    _write_entry(source, source.language, "compress", memory, {"nodes": [(span.first, span.last) for span in nodes]})
    return nodes


def recall_line_facts(source: SourceFile, *, memory: Path) -> SourceFile:
    """Return a parsed source with the facts about its lines at hand, remembered or found out now."""
    if source.language is None:
        return source
    kind = "aligned_lines" if source.is_aligned else "lines"
    entry = _read_entry(source, source.language, kind, memory)
    facts = None if entry is None else _line_facts(entry, len(source.lines))
    if facts is None:
        facts = source.line_facts
        remembered = {
            "spelling": None if facts.spelling is None else "\n".join(facts.spelling),
            "tokens": facts.tokens,
            "line_tokens": list(facts.line_tokens),
            "error_lines": list(facts.error_lines),
            "words": dict(facts.words),
        }
        _write_entry(source, source.language, kind, memory, remembered)
    return replace(source, known_lines=facts)


def _line_facts(entry: dict[str, Any], count: int) -> LineFacts | None:
    try:
        text = entry["spelling"]
        spelling = None if text is None else tuple(text.split("\n"))
        facts = LineFacts(
            spelling, int(entry["tokens"]), entry["line_tokens"], entry["error_lines"], dict(entry["words"])
        )
        is_whole = len(facts.line_tokens) == count and (spelling is None or len(spelling) == count)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return facts if is_whole else None


def _recall(source: SourceFile, memory: Path) -> ParsedFile | None:
    if source.language is None or source.language.grammar is None:
        return ParsedFile((), 0)
    entry = _read_entry(source, source.language, "definitions", memory)
    if entry is None:
        return None
    try:
        definitions = tuple(Definition(DefinitionKind(row[0]), *row[1:]) for row in entry["definitions"])
        return ParsedFile(
            definitions,
            error_nodes=int(entry["error_nodes"]),
            complete=bool(entry["complete"]),
            layout=bytes.fromhex(entry["layout"]),
        )
    except (ValueError, KeyError, TypeError, IndexError):
        return None


def _remember(source: SourceFile, parsed: ParsedFile, memory: Path) -> None:
    if source.language is None:
        return
    entry = {
        "error_nodes": parsed.error_nodes,
        "complete": parsed.complete,
        "layout": parsed.layout.hex(),
        "definitions": [astuple(definition) for definition in parsed.definitions],
    }
    _write_entry(source, source.language, "definitions", memory, entry)


def _read_entry(source: SourceFile, language: Language, query: str, memory: Path) -> dict[str, Any] | None:
    """Return what is remembered of this very content, None where nothing is."""
    try:
        head, _, text = _place(source, query, memory).read_bytes().partition(b"\n")
        if head != _head(source, language, query, text):
            return None
        entry = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _write_entry(source: SourceFile, language: Language, query: str, memory: Path, entry: dict[str, Any]) -> None:
    place = _place(source, query, memory)
    temporary = place.with_name(f"{place.name}.{os.urandom(8).hex()}.tmp")
    try:
        memory.mkdir(parents=True, exist_ok=True)
        text = json.dumps(entry, separators=(",", ":")).encode()
        temporary.write_bytes(_head(source, language, query, text) + b"\n" + text)
        os.replace(temporary, place)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _place(source: SourceFile, query: str, memory: Path) -> Path:
    name = hashlib.sha256(source.path.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return memory / f"{name}.{query}"


def _head(source: SourceFile, language: Language, query: str, entry: bytes) -> bytes:
    """Return the first line of an entry: what its facts depend on, and a checksum.

    They depend on the content, the language, its queries and the version.
    """
    queries = "\n".join(language.query(name) for name in dict.fromkeys(("definitions", query)))
    digest = hashlib.sha256(f"{_VERSION}\n{language.name}\n{query}\n{queries}\n".encode())
    digest.update(source.data)
    return f"{digest.hexdigest()} {hashlib.sha256(entry).hexdigest()}".encode()
