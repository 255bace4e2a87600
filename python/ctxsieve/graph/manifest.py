"""The manifest: which files an index covers, what made their facts valid, and where the facts are."""

import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve.graph.segment import CorruptCacheError
from ctxsieve.values import dataclass

__all__ = ["MANIFEST_NAME", "Manifest", "read_manifest", "replace_file", "write_manifest"]

MANIFEST_NAME = "manifest.bin"
_MAGIC = b"CTXSVMA2"
_ARRAYS: dict[str, npt.DTypeLike] = {
    "sizes": np.uint64,
    "mtimes_ns": np.int64,
    "ctimes_ns": np.int64,
    "inodes": np.uint64,
    "verified_ns": np.int64,
    "local_of": np.uint32,
    "segment_of": np.uint8,
    "role_of": np.uint8,
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """The state of one indexed tree; all arrays are by document.

    Attributes:
        fingerprint: of the scan tables, the options and the format: another one means another index.
        state: names this state: another one may hold other facts.
        grounds: names what edges rest on (paths, languages, imports, names of definitions): it stays where these do.
        paths: raw relative paths, ascending.
        segments: (file name, checksum) of each segment.
        verified_ns: file-system time before the scan that proved the facts.
        segment_of: position in `segments`.
        local_of: document number within the segment.
        role_of: index into `roles`.
        languages: the languages that the segments refer to by number.
        skipped: (path, index of the reason) from the walk.
    """

    fingerprint: str
    state: str
    grounds: str
    paths: list[bytes]
    segments: list[tuple[str, int]]
    roles: list[str]
    languages: list[str]
    skipped: list[tuple[bytes, int]]
    repositories: list[bytes]
    sizes: npt.NDArray[np.uint64]
    mtimes_ns: npt.NDArray[np.int64]
    ctimes_ns: npt.NDArray[np.int64]
    inodes: npt.NDArray[np.uint64]
    verified_ns: npt.NDArray[np.int64]
    local_of: npt.NDArray[np.uint32]
    segment_of: npt.NDArray[np.uint8]
    role_of: npt.NDArray[np.uint8]


def replace_file(path: Path, content: bytes) -> None:
    """Write a file so that readers see the old or the new content, never a part; a folder in its place goes."""
    temporary = path.with_name(f"{path.name}.{os.urandom(8).hex()}.tmp")
    try:
        temporary.write_bytes(content)
        try:
            os.replace(temporary, path)
        except (IsADirectoryError, PermissionError):
            if path.is_symlink() or not path.is_dir():
                raise
            import shutil

            # Everything in a cache folder is made anew; left there, it would be in the way for ever.
            shutil.rmtree(path)
            os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Replace the manifest of a cache directory."""
    header = {
        "fingerprint": manifest.fingerprint,
        "state": manifest.state,
        "grounds": manifest.grounds,
        "documents": len(manifest.paths),
        "segments": manifest.segments,
        "roles": manifest.roles,
        "languages": manifest.languages,
        "reasons": [reason for _, reason in manifest.skipped],
        "repositories": len(manifest.repositories),
    }
    skipped = [path for path, _ in manifest.skipped]
    parts = [
        json.dumps(header).encode(),
        b"\0".join([*manifest.paths, *skipped, *manifest.repositories]),
        *(np.ascontiguousarray(getattr(manifest, name), dtype).tobytes() for name, dtype in _ARRAYS.items()),
    ]
    lengths = np.array([len(part) for part in parts], dtype=np.uint64).tobytes()
    body = lengths + b"".join(parts)
    replace_file(directory / MANIFEST_NAME, _MAGIC + zlib.crc32(body).to_bytes(8, "little") + body)


def read_manifest(directory: Path) -> Manifest | None:
    """Return the manifest of a cache directory, None where there is none.

    Raises:
        CorruptCacheError: The file is damaged or not ours.
    """
    try:
        content = (directory / MANIFEST_NAME).read_bytes()
    except FileNotFoundError:
        return None
    if content[:8] != _MAGIC or int.from_bytes(content[8:16], "little") != zlib.crc32(memoryview(content)[16:]):
        raise CorruptCacheError(f"{MANIFEST_NAME} is damaged")
    count = 2 + len(_ARRAYS)
    lengths = np.frombuffer(content, np.uint64, count, 16).tolist()
    bounds = np.cumsum([16 + 8 * count, *lengths]).tolist()
    header = json.loads(content[bounds[0] : bounds[1]])
    blob = content[bounds[1] : bounds[2]]
    names = blob.split(b"\0") if blob else []
    documents, skipped = header["documents"], len(header["reasons"])
    arrays: dict[str, Any] = {
        name: np.frombuffer(content, dtype, documents, bounds[position + 2])
        for position, (name, dtype) in enumerate(_ARRAYS.items())
    }
    return Manifest(
        fingerprint=header["fingerprint"],
        state=header["state"],
        # Earlier versions did not tell the two apart.
        grounds=header.get("grounds", header["state"]),
        paths=names[:documents],
        segments=[(name, crc) for name, crc in header["segments"]],
        roles=header["roles"],
        languages=header["languages"],
        skipped=list(zip(names[documents : documents + skipped], header["reasons"], strict=True)),
        repositories=names[documents + skipped :],
        **arrays,
    )
