"""Count the tokens of a large mixed-language corpus and write the surprise tables: `make ranks`.

Written into `python/ctxsieve/_kernels/data`:

- `token_costs.bin` (zlib): the cost of every token id in 1/256 bit, low bytes first, then high bytes. The cost of the
  token of frequency rank r is log2(r * H_N), N the vocabulary size, H_N the harmonic number. Ranks order by count, ties
  by the smaller id; tokens that the corpus lacks therefore follow all seen ones in id order.
- `surprise_quantiles.bin`: calibration of the normalised score; for every 1/16 bit of damped surprise (costs over
  tokens + 4) the share of the distinct corpus lines below it, in 1/65535, as little-endian 16-bit numbers.
- `surprise_corpus.tsv`: the packages that were read, with version, bytes and sha256, and the bytes taken by language.
"""

import argparse
import hashlib
import json
import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "python")]

from corpus import Corpus  # noqa: E402
from fetch import Fetched, fetch_all  # noqa: E402

from ctxsieve import _kernels  # noqa: E402

DATA = ROOT / "python/ctxsieve/_kernels/data"
VOCABULARY_SIZE = 199_998
COST_UNITS_PER_BIT = 256
GRID_STEPS_PER_BIT = 16
# Few tokens are weak evidence: a line's costs are spread over this many tokens more.
DAMPING_TOKENS = 4
GRID_SIZE = 22 * GRID_STEPS_PER_BIT + 1
WHITE_SPACE = b" \t\x0b\x0c\r"
# Equal lines are encoded once per batch.
BATCH_BYTES = 32 << 20


def checksum(archive: Path) -> tuple[int, str]:
    """Return size and sha256 of a package; a vendored crate keeps the sha256 of its archive in a file."""
    if archive.is_dir():
        size = sum(path.stat().st_size for path in archive.rglob("*") if path.is_file())
        return size, json.loads((archive / ".cargo-checksum.json").read_text())["package"]
    with archive.open("rb") as stream:
        return archive.stat().st_size, hashlib.file_digest(stream, "sha256").hexdigest()


def batches(packages: Iterator[tuple[str, Fetched]], corpus: Corpus, record: list[str]) -> Iterator[Counter[bytes]]:
    lines: Counter[bytes] = Counter()
    waiting = 0
    for registry, (name, version, archive) in packages:
        taken = 0
        for content in corpus.take(name, archive):
            lines.update(line.strip(WHITE_SPACE) for line in content.split(b"\n"))
            taken += len(content)
            waiting += len(content)
            if waiting >= BATCH_BYTES:
                yield lines
                lines, waiting = Counter(), 0
        size, digest = checksum(archive)
        if taken:
            record.append(f"{registry}\t{name}\t{version}\t{size}\t{digest}\t{taken}")
            print(record[-1], flush=True)
    yield lines


def rank_costs(counts: np.ndarray) -> np.ndarray:
    """Return the cost of every id in 1/256 bit."""
    order = np.lexsort((np.arange(VOCABULARY_SIZE), -counts))
    ranks = np.empty(VOCABULARY_SIZE)
    ranks[order] = np.arange(1, VOCABULARY_SIZE + 1)
    harmonic = float(np.sum(1.0 / np.arange(1, VOCABULARY_SIZE + 1)))
    return np.rint(np.log2(ranks * harmonic) * COST_UNITS_PER_BIT).astype(np.uint16)


def quantile_grid(costs: np.ndarray, lines: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return for every grid point the share of lines (token ids, lengths) with fewer damped bits, in 1/65535."""
    inside = np.zeros(GRID_SIZE)
    for ids, lengths in lines:
        sums = np.add.reduceat(costs[ids].astype(np.int64), np.cumsum(lengths) - lengths)
        steps = (sums / COST_UNITS_PER_BIT / (lengths + DAMPING_TOKENS) * GRID_STEPS_PER_BIT).astype(np.int64)
        inside += np.bincount(np.minimum(steps, GRID_SIZE - 1), minlength=GRID_SIZE)
    below = np.concatenate([[0.0], np.cumsum(inside)[:-1]])
    return np.rint(below / inside.sum() * 65535).astype("<u2")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the packages are downloaded to and kept")
    folder = parser.parse_args().folder.resolve()
    packages = tomllib.loads((HERE / "packages.toml").read_text())
    corpus, record = Corpus(), []
    counts = np.zeros(VOCABULARY_SIZE)
    seen: set[bytes] = set()
    distinct: list[tuple[np.ndarray, np.ndarray]] = []
    for lines in batches(fetch_all(packages, folder), corpus, record):
        lines.pop(b"", None)
        encoded = {line: _kernels.encode_tokens(line) for line in lines}
        lengths = np.array([len(ids) for ids in encoded.values()])
        weights = np.array(list(lines.values()), dtype=np.float64)
        ids = np.concatenate(list(encoded.values()))
        counts += np.bincount(ids, weights=np.repeat(weights, lengths), minlength=VOCABULARY_SIZE)
        new = [ids for line, ids in encoded.items() if line not in seen]
        seen.update(lines)
        distinct.append((np.concatenate(new), np.array([len(ids) for ids in new])))
    costs = rank_costs(counts)
    grid = quantile_grid(costs, distinct)
    planes = (costs & 255).astype(np.uint8).tobytes() + (costs >> 8).astype(np.uint8).tobytes()
    (DATA / "token_costs.bin").write_bytes(zlib.compress(planes, 9))
    (DATA / "surprise_quantiles.bin").write_bytes(grid.tobytes())
    write_record(corpus, record, counts)
    print(f"sha256 of the costs, unpacked: {hashlib.sha256(planes).hexdigest()}")


def write_record(corpus: Corpus, record: list[str], counts: np.ndarray) -> None:
    total = sum(corpus.bytes_by_language.values())
    taken = [(language, size) for language, size in corpus.bytes_by_language.items() if size]
    lines = [
        f"# {total} bytes in {len(taken)} languages, {int(counts.sum())} tokens,"
        f" {int((counts > 0).sum())} of {VOCABULARY_SIZE} token ids seen",
        *(f"# {language}\t{size}" for language, size in taken),
        "registry\tpackage\tversion\tpackage_bytes\tsha256\ttaken_bytes",
        *record,
    ]
    (DATA / "surprise_corpus.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
