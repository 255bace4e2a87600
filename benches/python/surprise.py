"""Surprise of every line against tokenisers run line by line, its twin, and its growth.

The text is the installed Python source, or the text files below `$CTXSIEVE_BENCH_FOLDER`. The other tokenisers only
encode, from lines that are split and stripped beforehand; turning ids into scores would come on top for them.
"""

import base64
import os
import random
import sysconfig
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy
from benches.python.harness import Measure, Row, Rows

from ctxsieve._kernels import _native, pure
from ctxsieve._kernels.pure import surprise_lines as pure_lines
from ctxsieve._kernels.pure.tokens import load_encoding, read_vocabulary

SUFFIXES = {".py", ".c", ".h", ".rs", ".go", ".java", ".js", ".ts", ".rb", ".md", ".toml", ".cpp"}
TEXT_BYTES = 12_000_000


def rows(*, large: bool) -> Rows:
    """Yield the rows; `large` takes ten times the text, where there is as much."""
    text = real_text(TEXT_BYTES * (10 if large else 1))
    lines = [line.strip() for line in text.decode("utf-8", "replace").split("\n")]
    size = f"{len(text) / 1e6:.0f} MB of source"

    def against(
        name: str, ours: Callable[[], object], other: Callable[[], object], goal: float | None, how: str
    ) -> Row:
        return Row(kernel="surprise", workload=f"{size}, {how}", other_name=name, ours=ours, other=other, goal=goal)

    encode = load_encoding().encode_ordinary
    yield against("tiktoken line by line", cold(text), lambda: [len(encode(line)) for line in lines], 15, "cold")
    yield against("tiktoken line by line", warm(text), lambda: [len(encode(line)) for line in lines], 25, "warm")
    if find_spec("gigatoken"):
        yield against("gigatoken line mode", warm(text), gigatoken(text), 2, "warm")
    if find_spec("rs_bpe"):
        from rs_bpe import openai

        count = openai.o200k_base().count
        yield against("rs-bpe counts line by line", warm(text), lambda: [count(line) for line in lines], None, "warm")
    yield against("pure twin", warm(text), lambda: pure_lines.surprise_lines([text], threads=1), None, "warm")
    yield from kernel_rows()
    small = cut(text, len(text) // 10)
    yield Row(
        kernel="surprise",
        workload=f"{len(small) / 1e6:.1f} MB -> {size}, cold",
        other_name="itself",
        ours=cold(text),
        other=cold(small),
        goal=12,
        measure=Measure.GROWTH,
    )


def kernel_rows() -> Rows:
    """Yield the row of the kernel proper: costs and offsets in, bits out."""
    costs = numpy.random.default_rng(1).integers(0, 5_500, 1_000_000, dtype=numpy.uint32)
    offsets = numpy.arange(0, 1_000_001, 8, dtype=numpy.int64)
    yield Row(
        kernel="surprise",
        workload="costs of 1,000,000 tokens in 125,000 lines",
        other_name="pure twin",
        ours=lambda: _native.surprise(costs, offsets, units_per_bit=256.0),
        other=lambda: pure.surprise(costs, offsets, units_per_bit=256.0),
        goal=30,
    )


def warm(text: bytes) -> Callable[[], object]:
    """Return a call that finds the pre-tokens of earlier calls."""
    return lambda: _native.surprise_lines([text], threads=1)


def cold(text: bytes) -> Callable[[], object]:
    """Return a call that remembers nothing from before."""

    def call() -> object:
        _native.forget_pretokens()
        return _native.surprise_lines([text], threads=1)

    return call


def gigatoken(text: bytes) -> Callable[[], object]:
    """Return a call of gigatoken on a file, every line a document, in one thread."""
    import gigatoken

    folder = Path(tempfile.mkdtemp())
    ranks = b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(read_vocabulary()))
    (folder / "o200k_base.tiktoken").write_bytes(ranks)
    (folder / "text").write_bytes(b"\n".join(line.strip() for line in text.split(b"\n")))
    tokenizer = gigatoken.Tokenizer.from_tiktoken(folder / "o200k_base.tiktoken", special_tokens={})
    source = gigatoken.TextFileSource([str(folder / "text")], separator=b"\n")
    return lambda: tokenizer.encode_files(source, parallel=False)


@cache
def real_text(size: int) -> bytes:
    """Return about `size` bytes of files in one random order."""
    folder = os.environ.get("CTXSIEVE_BENCH_FOLDER")
    folders = {folder} if folder else {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")}
    paths = sorted(path for folder in folders for path in Path(folder).rglob("*") if path.suffix in SUFFIXES)
    random.Random(1).shuffle(paths)
    parts: list[bytes] = []
    room = size
    for path in paths:
        if room <= 0:
            break
        if path.is_file() and path.stat().st_size < 1 << 20:
            parts.append(path.read_bytes())
            room -= len(parts[-1])
    return cut(b"\n".join(parts), size)


def cut(text: bytes, size: int) -> bytes:
    """Return the whole lines of the first bytes."""
    return text[: text.rfind(b"\n", 0, size) + 1]
