"""The scan tables of the shipped languages, and which of them a file gets."""

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import LANGUAGE_BY_INTERPRETER, compile_scan_table, sha256
from ctxsieve.graph.manifest import replace_file
from ctxsieve.languages import LANGUAGES, Claims, LanguageKind, language_of
from ctxsieve.values import dataclass

__all__ = ["ScanTables", "languages_of", "load_scan_tables", "recall_scan_tables", "tables_fingerprint"]

# Raised whenever the meaning of a fact changes without a change of a table.
_FACTS_VERSION = 1
# Raised whenever the same tables are compiled to something else.
_COMPILED_VERSION = 1
_COMPILED_NAME = "tables.json"
_KINDS = {LanguageKind.CODE: "code", LanguageKind.PROSE: "text", LanguageKind.DATA: "data"}
# C and C++ share `.h`; only the content tells.
_HEADER_SUFFIX = b".h"
_HEADER_BYTES = 4096


@dataclass(frozen=True, slots=True)
class ScanTables:
    """Compiled scan tables and the names of their languages, in the same order."""

    names: tuple[str, ...]
    compiled: tuple[bytes, ...]


def tables_fingerprint(max_file_bytes: int) -> str:
    """Return a text that differs when any file could get other facts from a scan."""
    parts = [f"{_FACTS_VERSION} {max_file_bytes}".encode()]
    for name in LANGUAGES:
        with open(os.path.join(LANGUAGES.directory, name, "language.toml"), "rb", buffering=0) as file:
            content = file.read()
        parts += [f"{name} {len(content)}\n".encode(), content]
    return sha256(b"".join(parts)).hex()


@cache
def load_scan_tables() -> ScanTables:
    """Return the scan tables of all shipped languages."""
    names = tuple(sorted(LANGUAGES))
    compiled = tuple(
        compile_scan_table(
            {"kind": _KINDS[LANGUAGES[name].kind], **LANGUAGES[name].scan}, interpreters=LANGUAGES[name].interpreters
        )
        for name in names
    )
    return ScanTables(names, compiled)


def recall_scan_tables(directory: Path, fingerprint: str) -> ScanTables:
    """Return the scan tables of all shipped languages, compiled once for a cache folder and `tables_fingerprint`.

    An update scans few files, and would spend most of its time on reading tables of languages that none of them has.
    """
    path = directory / _COMPILED_NAME
    try:
        head, _, text = path.read_bytes().partition(b"\n")
        if head == _head(fingerprint, text):
            record = json.loads(text)
            LANGUAGES.remember_claims(Claims(*record["claims"]))
            return ScanTables(tuple(record["names"]), tuple(table.encode() for table in record["compiled"]))
    except (OSError, ValueError, KeyError, TypeError):
        # It is a cache: what is missing, damaged or of another version is made again.
        pass
    tables = load_scan_tables()
    compiled = [table.decode() for table in tables.compiled]
    text = json.dumps({"names": tables.names, "compiled": compiled, "claims": LANGUAGES.claims}).encode()
    with contextlib.suppress(OSError):
        replace_file(path, _head(fingerprint, text) + b"\n" + text)
    return tables


def _head(fingerprint: str, text: bytes) -> bytes:
    return f"{_COMPILED_VERSION} {fingerprint} {sha256(text).hex()}".encode()


def languages_of(root: bytes, paths: Sequence[bytes], tables: ScanTables) -> npt.NDArray[np.int16]:
    """Return the language of each path as a position in `tables`; where the path does not tell, the scan decides."""
    numbers = {name: number for number, name in enumerate(tables.names)}
    return np.fromiter(_numbers_of(root, paths, numbers), dtype=np.int16, count=len(paths))


def _numbers_of(root: bytes, paths: Sequence[bytes], numbers: dict[str, int]) -> Iterable[int]:
    for path in paths:
        first_bytes = _read_head(os.path.join(root, path)) if path.endswith(_HEADER_SUFFIX) else None
        language = language_of(path.decode("utf-8", "surrogateescape"), first_bytes)
        yield LANGUAGE_BY_INTERPRETER if language is None else numbers[language.name]


def _read_head(path: bytes) -> bytes | None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    try:
        return os.read(descriptor, _HEADER_BYTES)
    except OSError:
        return None
    finally:
        os.close(descriptor)
