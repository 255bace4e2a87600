"""Figures of files, remembered by content so that a second look parses only what changed.

One file per project; it is a cache: what is damaged or of another version is measured again, what cannot be written is
not remembered. Entries of files that are gone are dropped when it is written.
"""

import contextlib
import hashlib
import json
import os
import secrets
import zlib
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

import numpy as np

from ctxsieve.languages import LANGUAGES
from ctxsieve.smells.complexity import FileFigures, FunctionFigures

__all__ = ["figures_key", "read_figures", "write_figures"]

_MAGIC = b"CTXSMEL1"
# Raised whenever figures are counted otherwise or kept otherwise.
_VERSION = 2


def figures_key(sha256: bytes, language: str) -> str:
    """Return what the figures of a file depend on: its content and its language."""
    return f"{sha256.hex()}:{language}"


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{_VERSION}\n".encode())
    for name, language in sorted(LANGUAGES.items()):
        words = sorted(language.complexity_words.items())
        query = language.query("complexity") or language.query("compress")
        digest.update(f"{name} {words} {query}\n".encode())
    return digest.hexdigest()


def read_figures(path: Path) -> dict[str, FileFigures]:
    """Return the remembered figures by key; nothing where they are missing, damaged or of another version."""
    try:
        content = path.read_bytes()
        if content[:8] != _MAGIC or int.from_bytes(content[8:16], "little") != zlib.crc32(memoryview(content)[16:]):
            return {}
        size = int.from_bytes(content[16:24], "little")
        header = json.loads(content[24 : 24 + size])
        if header["fingerprint"] != _fingerprint():
            return {}
        total = sum(entry[1] for entry in header["files"].values())
        arrays = memoryview(content)[24 + size :].tobytes()
        digests = np.frombuffer(arrays, np.uint64, total)
        numbers = np.frombuffer(arrays, np.uint32, total, 8 * total)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return {}
    found: dict[str, FileFigures] = {}
    start = 0
    for key, (functions, count, is_complete) in header["files"].items():
        part = slice(start, start + count)
        figures = tuple(FunctionFigures(*row) for row in functions)
        found[key] = FileFigures(count, figures, numbers[part], digests[part], is_complete)
        start += count
    return found


def write_figures(path: Path, figures: Mapping[str, FileFigures]) -> None:
    """Replace the remembered figures."""
    header = {
        "fingerprint": _fingerprint(),
        "files": {
            key: [[astuple(function) for function in one.functions], one.code_lines, one.is_complete]
            for key, one in figures.items()
        },
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    body = len(text).to_bytes(8, "little") + text
    body += b"".join(np.ascontiguousarray(one.line_digests, np.uint64).tobytes() for one in figures.values())
    body += b"".join(np.ascontiguousarray(one.line_numbers, np.uint32).tobytes() for one in figures.values())
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(_MAGIC + zlib.crc32(body).to_bytes(8, "little") + body)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
