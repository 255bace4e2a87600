"""Compare native token ids and line scores with tiktoken's: `make tokens-check CORPUS="folder ..."`.

Reads every file of the folders, then fuzzes with generated strings for the given time. Ends with exit code 1 at the
first difference, and when the folders hold less than the asked number of megabytes.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from ctxsieve._kernels import _native as native
from ctxsieve._kernels.pure import surprise_lines as pure_lines
from ctxsieve._kernels.pure import tokens as pure

PIECES = [
    *"aAbBzZ019 \t\r\n\n/'(._-=#sStTrReEvVlLdDmM\x00\x0b\x0c\x1c\x85",
    *"ſ\u0301中ǅ\u00a0½\u2028éÉʰ😀\u200d한ßİ\ufeff\u3000٣ªﬁ",
    *("    ", "\r\n", "return", "'s", "'ll", "don't", "//", "----", "12345", "<|endoftext|>", "HTTPServer"),
]


def files(folders: list[Path]) -> Iterator[bytes]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 22:
                yield path.read_bytes()


def strings(seconds: float, seed: int) -> Iterator[bytes]:
    source = random.Random(seed)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = "".join(source.choices(PIECES, k=source.randint(1, 200))).encode()
        if source.random() < 0.2:
            cut = source.randrange(len(data))
            data = data[:cut] + source.randbytes(2) + data[cut:]
        yield data


def difference(data: bytes) -> str | None:
    if native.encode_tokens(data).tobytes() != pure.encode_tokens(data).tobytes():
        return "ids"
    if native.count_tokens(data) != pure.count_tokens(data):
        return "count"
    ours = native.surprise_lines([data], threads=1)
    theirs = pure_lines.surprise_lines([data], threads=1)
    if [array.tobytes() for array in ours] != [array.tobytes() for array in theirs]:
        return "line scores"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--megabytes", type=float, default=50.0, help="the least that the folders must hold")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to fuzz")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    read = fuzzed = 0
    for data in files(options.folders):
        read += len(data)
        if found := difference(data):
            print(f"{found} differ: {data[:200]!r}")
            return 1
    print(f"{read / 1e6:.1f} MB of files: equal")
    for data in strings(options.seconds, options.seed):
        fuzzed += 1
        if found := difference(data):
            print(f"{found} differ: {data!r}")
            return 1
    print(f"{fuzzed} generated strings: equal")
    if read < options.megabytes * 1e6:
        print(f"the folders hold {read / 1e6:.1f} MB: name folders with {options.megabytes:.0f} MB or more")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
