"""Reads a tree in every mode and adds up what that saves and preserves."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ctxsieve.benchmark.preservation import Preservation, measure_preservation
from ctxsieve.benchmark.together import FILES_TOGETHER, choose_neighbours, choose_related, read_together
from ctxsieve.compress import CompressionOptions, SourceFile, parse_mode, read_source
from ctxsieve.dedup import DedupOptions
from ctxsieve.errors import InputError, PathError
from ctxsieve.graph import Index
from ctxsieve.languages import LANGUAGES
from ctxsieve.pipeline import Reading, ReadOptions, SpellingOptions, read_files
from ctxsieve.terse import CompressionLevel
from ctxsieve.values import dataclass, field, replace

__all__ = ["BenchmarkOptions", "BenchmarkReport", "Group", "run_benchmark"]

# Algorithms that reads of single files do not run.
_NEIGHBOURS = f"MMR de-duplication ({FILES_TOGETHER} neighbours, aggressive)"
_RELATED = f"MMR de-duplication ({FILES_TOGETHER} files of a task, aggressive)"
_UNMEASURED = {
    "spectral relevance": "decides which files `preload` reads: `make eval`",
    "Boltzmann allocation": "decides tokens in `preload`: `make eval`",
    "semantic chunking": "orders what a task is about: `make eval` with CTXSIEVE_CHUNKING_ORDERED=false",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkOptions:
    """What is measured.

    Attributes:
        modes: every file is read in each of them.
        maximum_files: of more files so many are taken, evenly over the sorted paths; 0 for all.
    """

    modes: tuple[str, ...] = ("map", "signatures", "aggressive", "entropy", "auto")
    maximum_files: int = 0

    def __post_init__(self) -> None:
        for mode in self.modes:
            if mode == "task" or parse_mode(mode).ranges:
                raise InputError(f"mode is {mode!r}: a benchmark has no task and no ranges to read by")
        if self.maximum_files < 0:
            raise InputError(f"maximum_files is {self.maximum_files}: it must be 0 (all) or more")


@dataclass(frozen=True, slots=True)
class Group:
    """Files added up. Shares are means over the files that have something to find, None where none has.

    `invalid` lists the files whose text parses with more errors than the source; `whole` counts those that came whole,
    since nothing could be left out at a gain.
    """

    files: int = 0
    original_tokens: int = 0
    tokens: int = 0
    definitions: float | None = None
    identifiers: float | None = None
    lines: float | None = None
    checked: int = 0
    invalid: tuple[str, ...] = ()
    whole: int = 0

    @property
    def saved(self) -> float | None:
        """The share of tokens that is saved."""
        return 1 - self.tokens / self.original_tokens if self.original_tokens else None

    @property
    def tokens_per_file(self) -> float | None:
        """The mean size of the renderings."""
        return self.tokens / self.files if self.files else None


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """The result: by mode, by mode and language, and by algorithm switched off.

    `unmeasured` says of algorithms that act elsewhere where they are measured; `skipped` are files that cannot be read.
    """

    root_name: str
    files: int
    original_tokens: int
    modes: Mapping[str, Group]
    languages: Mapping[str, Mapping[str, Group]]
    algorithms: Mapping[str, tuple[Group, Group]]
    unmeasured: Mapping[str, str]
    skipped: int


@dataclass(slots=True)
class _Sum:
    group: Group = field(default_factory=Group)
    shares: dict[str, list[float]] = field(default_factory=lambda: {"definitions": [], "identifiers": [], "lines": []})

    def add(self, reading: Reading, kept: Preservation) -> None:
        group = self.group
        invalid = (*group.invalid, reading.path) if kept.is_valid is False else group.invalid
        self.group = replace(
            group,
            files=group.files + 1,
            original_tokens=group.original_tokens + reading.original_tokens,
            tokens=group.tokens + reading.tokens,
            checked=group.checked + (kept.is_valid is not None),
            invalid=invalid,
            whole=group.whole + (reading.mode == "full"),
        )
        for name, values in self.shares.items():
            value = getattr(kept, name)
            if value is not None:
                values.append(value)

    def result(self) -> Group:
        return replace(
            self.group,
            definitions=_mean(self.shares["definitions"]),
            identifiers=_mean(self.shares["identifiers"]),
            lines=_mean(self.shares["lines"]),
        )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def run_benchmark(
    root: Path,
    index: Index,
    *,
    options: BenchmarkOptions | None = None,
    read_options: ReadOptions | None = None,
    compression: CompressionOptions | None = None,
    spelling: SpellingOptions | None = None,
    dedup: DedupOptions | None = None,
    rank: Callable[[str], Sequence[str]] | None = None,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> BenchmarkReport:
    """Return what the modes save and preserve on the files of an index.

    Args:
        root: the tree.
        index: its files; those that it skipped are not read.
        options: modes and number of files.
        read_options: limits of `auto`.
        compression: limits of the modes that leave nodes out.
        spelling: how what is not verbatim is spelled.
        dedup: how repeats in files that are read together are recognised.
        rank: gives the paths that matter for a task; without it files of a task are not read together.
        on_progress: called with a phase, files done and files in all.
    """
    options = options or BenchmarkOptions()
    compression = compression or CompressionOptions()
    left_out = {path for path, _ in index.skipped}
    known = [path for path in index.paths if path not in left_out]
    paths = _sample(known, options.maximum_files)
    how = _How(compression, spelling or SpellingOptions())
    totals = _Totals(options.modes, [*_switches(how), _NEIGHBOURS, *([_RELATED] if rank else [])])
    for done, path in enumerate(paths):
        if on_progress is not None:
            on_progress("measuring", done, len(paths))
        totals.add_file(_FileReader(root, path, read_options), how)
    loads = -(-len(paths) // FILES_TOGETHER)
    kinds = {_NEIGHBOURS: choose_neighbours(known, loads)}
    if rank is not None:
        kinds[_RELATED] = choose_related(known, loads, rank)
    for name, groups in kinds.items():
        for done, group in enumerate(groups):
            if on_progress is not None:
                on_progress("measuring files together", done, loads)
            for pair in read_together(
                root,
                group,
                "aggressive",
                options=read_options,
                compression=compression,
                spelling=how.spelling,
                dedup=dedup or DedupOptions(),
            ):
                totals.add_pair(name, pair)
    return totals.report(root.name, skipped=len(paths) - len(totals.measured))


@dataclass(frozen=True, slots=True)
class _How:
    compression: CompressionOptions
    spelling: SpellingOptions


def _switches(how: _How) -> dict[str, tuple[str, _How, _How]]:
    """Return for each algorithm that reads run the mode to measure it in, with it and without it."""
    without_surprise = replace(how.compression, aggressive_surprise=0.0)
    as_it_stands = _How(how.compression, SpellingOptions(level=CompressionLevel.OFF))
    return {
        "predictive surprise (aggressive)": ("aggressive", how, _How(without_surprise, how.spelling)),
        "BPE alignment (aggressive)": ("aggressive", how, as_it_stands),
        "BPE alignment (signatures)": ("signatures", how, as_it_stands),
    }


class _Totals:
    """What was measured so far."""

    def __init__(self, modes: Sequence[str], algorithms: Sequence[str]) -> None:
        self.measured: list[str] = []
        self._original_tokens = 0
        self._modes = {mode: _Sum() for mode in modes}
        self._languages: dict[str, dict[str, _Sum]] = {}
        self._algorithms = {name: (_Sum(), _Sum()) for name in algorithms}

    def add_file(self, reader: "_FileReader", how: _How) -> None:
        """Read a file in all modes, and with and without each algorithm; one that cannot be read adds nothing."""
        try:
            readings = {mode: reader.read(mode, how) for mode in self._modes}
            pairs = {
                name: (reader.read(mode, on), reader.read(mode, off))
                for name, (mode, on, off) in _switches(how).items()
            }
        except (InputError, PathError):
            return
        first, _ = next(iter(pairs.values()))
        self.measured.append(reader.path)
        self._original_tokens += first.original_tokens
        source = _source(first)
        for mode, reading in readings.items():
            kept = measure_preservation(source, reading.content, reading.mode, reading.lines)
            self._modes[mode].add(reading, kept)
            self._languages.setdefault(reading.language or "other", {}).setdefault(mode, _Sum()).add(reading, kept)
        for name, pair in pairs.items():
            self.add_pair(name, pair)

    def add_pair(self, name: str, pair: tuple[Reading, Reading]) -> None:
        """Count a file to an algorithm: as it is read with it and without it."""
        source = _source(pair[0])
        for total, reading in zip(self._algorithms[name], pair, strict=True):
            total.add(reading, measure_preservation(source, reading.content, reading.mode, reading.lines))

    def report(self, root_name: str, *, skipped: int) -> BenchmarkReport:
        """Return all sums."""
        return BenchmarkReport(
            root_name=root_name,
            files=len(self.measured),
            original_tokens=self._original_tokens,
            modes={mode: total.result() for mode, total in self._modes.items()},
            languages={
                name: {mode: total.result() for mode, total in sums.items()}
                for name, sums in sorted(self._languages.items())
            },
            algorithms={name: (on.result(), off.result()) for name, (on, off) in self._algorithms.items()},
            unmeasured=_UNMEASURED,
            skipped=skipped,
        )


@dataclass(frozen=True, slots=True)
class _FileReader:
    """Reads one file, each way once."""

    root: Path
    path: str
    options: ReadOptions | None
    known: dict[tuple[str, _How], Reading] = field(default_factory=dict)

    def read(self, mode: str, how: _How) -> Reading:
        if (mode, how) not in self.known:
            (reading,) = read_files(
                self.root,
                [self.path],
                mode,
                options=self.options,
                compression=how.compression,
                spelling=how.spelling,
            )
            self.known[mode, how] = reading
        return self.known[mode, how]


def _sample(paths: Sequence[str], maximum: int) -> list[str]:
    if not maximum or len(paths) <= maximum:
        return list(paths)
    return [paths[number * len(paths) // maximum] for number in range(maximum)]


def _source(reading: Reading) -> SourceFile:
    return read_source(reading.path, reading.data, LANGUAGES.get(reading.language))
