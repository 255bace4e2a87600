"""Definitions of files, parsed in one batch and remembered on disk by content hash.

One small file per path holds the definitions of the content it had last, so that the memory is bounded by the tree. It
is a cache: what is missing, damaged or of another version is parsed again; what cannot be written is not remembered.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path

from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import Definition, DefinitionKind, ParsedFile
from ctxsieve.languages import Language

__all__ = ["parse_sources"]

# Raised whenever `languages.parse` gives other definitions for the same queries.
_VERSION = 1


def parse_sources(sources: Sequence[SourceFile], *, memory: Path, threads: int) -> list[SourceFile]:
    """Return the sources with their definitions at hand: remembered, or parsed together on `threads` threads.

    Args:
        sources: the files.
        memory: the directory of remembered definitions; it is made when there is something to remember.
        threads: at most so many parse at the same time.
    """
    known = [_recall(source, memory) for source in sources]
    unknown = [i for i, parsed in enumerate(known) if parsed is None]
    files = [(sources[i].data, language) for i in unknown if (language := sources[i].language) is not None]
    for i, parsed in zip(unknown, _parse(files, threads), strict=True):
        known[i] = parsed
        _remember(sources[i], parsed, memory)
    return [replace(source, known=parsed) for source, parsed in zip(sources, known, strict=True)]


def _parse(files: Sequence[tuple[bytes, Language]], threads: int) -> list[ParsedFile]:
    if not files:
        return []
    # The parser is loaded only where something is not remembered.
    from ctxsieve.languages import parse_many

    return parse_many(files, threads=threads)


def _recall(source: SourceFile, memory: Path) -> ParsedFile | None:
    if source.language is None or source.language.grammar is None:
        return ParsedFile((), 0)
    try:
        entry = json.loads(_place(source, memory).read_bytes())
        if entry["key"] != _key(source, source.language):
            return None
        definitions = tuple(Definition(DefinitionKind(row[0]), *row[1:]) for row in entry["definitions"])
        return ParsedFile(definitions, error_nodes=int(entry["error_nodes"]), complete=bool(entry["complete"]))
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def _remember(source: SourceFile, parsed: ParsedFile, memory: Path) -> None:
    if source.language is None:
        return
    entry = {
        "key": _key(source, source.language),
        "error_nodes": parsed.error_nodes,
        "complete": parsed.complete,
        "definitions": [astuple(definition) for definition in parsed.definitions],
    }
    place = _place(source, memory)
    temporary = place.with_name(f"{place.name}.{os.urandom(8).hex()}.tmp")
    try:
        memory.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(entry), "utf-8")
        os.replace(temporary, place)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _place(source: SourceFile, memory: Path) -> Path:
    return memory / f"{hashlib.sha256(source.path.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.json"


def _key(source: SourceFile, language: Language) -> str:
    """Return what the definitions depend on: the content, the language, its queries and the parser's version."""
    digest = hashlib.sha256(f"{_VERSION}\n{language.name}\n{language.query('definitions')}\n".encode())
    digest.update(source.data)
    return digest.hexdigest()
