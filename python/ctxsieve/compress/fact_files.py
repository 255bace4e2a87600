"""Small files of facts about one content: flat numbers and texts that are at hand as soon as they are read.

An entry is a line that says what its facts depend on, with a checksum, a line of JSON with what is small, and the flat
parts one behind the other. It is a cache: what is missing, damaged or of another version is not there, and what cannot
be written is not remembered.
"""

import contextlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ctxsieve._kernels import sha256
from ctxsieve.compress.source import SourceFile
from ctxsieve.languages import Language

__all__ = ["read_facts", "write_facts"]

# Raised whenever the same text gets other facts with the same queries: other definitions, layouts, nodes or words,
# another spelling or other counts.
_VERSION = 11
_NUMBERS = np.dtype("<i4")


def read_facts(source: SourceFile, language: Language, kind: str, memory: Path) -> dict[str, Any] | None:
    """Return what is remembered of this very content, None where nothing is: as it was written, numbers as int32."""
    try:
        with open(_place(source, kind, memory), "rb") as file:
            head, _, body = file.read().partition(b"\n")
        return _unpack(body) if head == _head(source, language, kind, body) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def write_facts(source: SourceFile, language: Language, kind: str, memory: Path, facts: Mapping[str, Any]) -> None:
    """Remember facts about a content in place of those of the content that the path had before.

    Args:
        source: the content.
        language: its language; its queries are what facts depend on, too.
        kind: the kind of facts, also the name of a query where they depend on it.
        memory: the directory of all entries; it is made where it is missing.
        facts: by name a text, bytes, an array of whole numbers below 2 ** 31, or anything small that JSON can say.
    """
    place = _place(source, kind, memory)
    temporary = f"{place}.{os.urandom(8).hex()}.tmp"
    try:
        memory.mkdir(parents=True, exist_ok=True)
        body = _pack(facts)
        with open(temporary, "wb") as file:
            file.write(_head(source, language, kind, body) + b"\n" + body)
        os.replace(temporary, place)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _pack(facts: Mapping[str, Any]) -> bytes:
    small: dict[str, Any] = {}
    parts: list[tuple[str, str, int]] = []
    flat: list[bytes] = []
    for name, value in facts.items():
        if isinstance(value, np.ndarray):
            part = ("numbers", value.astype(_NUMBERS).tobytes())
        elif isinstance(value, bytes):
            part = ("bytes", value)
        elif isinstance(value, str):
            part = ("text", value.encode("utf-8", "surrogatepass"))
        else:
            small[name] = value
            continue
        parts.append((name, part[0], len(part[1])))
        flat.append(part[1])
    header = json.dumps({"small": small, "parts": parts}, separators=(",", ":"))
    return b"\n".join([header.encode(), b"".join(flat)])


def _unpack(body: bytes) -> dict[str, Any]:
    start = body.index(b"\n") + 1
    header = json.loads(body[: start - 1])
    facts: dict[str, Any] = dict(header["small"])
    for name, form, size in header["parts"]:
        part = body[start : start + size]
        start += size
        if form == "numbers":
            facts[name] = np.frombuffer(part, dtype=_NUMBERS)
        else:
            facts[name] = part if form == "bytes" else part.decode("utf-8", "surrogatepass")
    return facts


def _place(source: SourceFile, kind: str, memory: Path) -> str:
    name = sha256(source.path.encode("utf-8", "surrogatepass")).hex()[:32]
    return os.path.join(memory, f"{name}.{kind}")


def _head(source: SourceFile, language: Language, kind: str, body: bytes) -> bytes:
    """Return the first line of an entry: what its facts depend on, and a checksum.

    They depend on the content, the language, its queries and the version.
    """
    about = sha256(_grounds(language, kind) + source.digest).hex()
    return f"{about} {sha256(body).hex()}".encode()


@lru_cache(maxsize=256)
def _grounds(language: Language, kind: str) -> bytes:
    queries = "\n".join(language.query(name) for name in dict.fromkeys(("definitions", kind)))
    return sha256(f"{_VERSION}\n{language.name}\n{kind}\n{queries}\n".encode())
