"""Which repeats are left out of an answer, and where each stands already (SPEC 7, SPEC 0.3)."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from ctxsieve.dedup.options import DedupOptions
from ctxsieve.dedup.redundancy import find_redundant_lines
from ctxsieve.fragments import LineRange
from ctxsieve.values import dataclass, field

__all__ = ["LoadedFile", "Repeat", "plan_suppression"]

# Marks cost at least so many tokens; what costs less is not looked at.
_LEAST_TOKENS = 9
# Where a line stands in many files, the first few are enough to find a run of such lines again.
_PLACES_PER_LINE = 8


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """One file's part in an answer.

    Attributes:
        path: POSIX path relative to the root.
        lines: all lines of the file.
        shown: the lines that stand in the answer, in the order in which they stand there.
        term_shares: share of the task's terms on each line of the file.
        is_verbatim: nothing of it may go.
        cost: tokens of a range of its lines.
        mark_cost: tokens of the mark that would stand for a repeat.
        nodes: the whole syntax nodes that may go, outer ones before those inside; asked for only when needed.
    """

    path: str
    lines: Sequence[str]
    shown: tuple[LineRange, ...]
    term_shares: Sequence[float]
    is_verbatim: bool
    cost: Callable[[LineRange], int]
    mark_cost: Callable[["Repeat"], int]
    nodes: Callable[[], Sequence[LineRange]]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Lines `hidden` of one file stand at `lines` of `path` already.

    `is_same` says that the text is the same but for white space, line for line; otherwise it is much like it, or has
    more between its lines. `path` is empty where it is the same file.
    """

    hidden: LineRange
    path: str
    lines: LineRange
    is_same: bool

    @property
    def note(self) -> str:
        """What the mark says after the hidden lines."""
        place = f"{self.path}:{self.lines.numbers}" if self.path else self.lines.numbers
        return f" same as {place}" if self.is_same else f" like {place}"


def plan_suppression(files: Sequence[LoadedFile], options: DedupOptions) -> list[tuple[Repeat, ...]]:
    """Return for each file the repeats that are worth a mark, in the order of its shown lines.

    Only whole nodes go, only where every line in them is redundant, and only where one earlier place in the answer, no
    more than about twice as long, has all of their lines.
    """
    if not options.enabled or not any(not file.is_verbatim and file.shown for file in files):
        return [() for _ in files]
    places = [(f, line) for f, file in enumerate(files) for span in file.shown for line in _lines_of(span)]
    found = find_redundant_lines(
        [files[f].lines[line - 1] for f, line in places],
        [files[f].term_shares[line - 1] for f, line in places],
        options,
        always_kept=[files[f].is_verbatim for f, _ in places],
    )
    nearest = {
        places[i]: places[near] if near >= 0 else None
        for i, (is_redundant, near) in enumerate(zip(found.is_redundant.tolist(), found.nearest.tolist(), strict=True))
        if is_redundant
    }
    standing = _Standing(nearest, {place: i for i, place in enumerate(places)}, options.least_gain_tokens)
    return [tuple(_repeats(f, file, standing, files)) for f, file in enumerate(files)]


@dataclass(slots=True)
class _Standing:
    """What stands in the answer, by its text; `nearest` has every redundant line's most similar line.

    The lines of a span are added before its repeats are known, and taken away when they go; `positions` tells what
    stands before a line.
    """

    nearest: dict[tuple[int, int], tuple[int, int] | None]
    positions: dict[tuple[int, int], int]
    least_gain_tokens: int
    by_text: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    lines: set[tuple[int, int]] = field(default_factory=set)

    def add(self, f: int, line: int, text: str) -> None:
        """Note that a line stands in the answer."""
        self.lines.add((f, line))
        by_file = self.by_text.setdefault(_normal(text), {})
        if f in by_file or len(by_file) < _PLACES_PER_LINE:
            by_file.setdefault(f, []).append(line)

    def remove(self, f: int, line: int, text: str) -> None:
        """Note that a line goes."""
        self.lines.discard((f, line))
        by_file = self.by_text[_normal(text)]
        if line in by_file.get(f, ()):
            by_file[f].remove(line)
            if not by_file[f]:
                del by_file[f]

    def places(self, f: int, line: int, text: str, *, before: int | None = None) -> dict[int, list[int]]:
        """Return by file the lines that say what a redundant line says, nothing where it has to stay.

        They stand before it or, where it goes with lines above it, before the line `before`.
        """
        limit = (f, line if before is None else before)
        if (f, line) not in self.nearest:
            return {}
        same = self.by_text.get(_normal(text), {})
        if f in same:
            earlier = [other for other in same[f] if self._is_before((f, other), limit)]
            same = {g: lines for g, lines in same.items() if g != f} | ({f: earlier} if earlier else {})
        if same:
            return same
        near = self.nearest[f, line]
        is_shown = near is not None and near in self.lines and self._is_before(near, limit)
        return {near[0]: [near[1]]} if near is not None and is_shown else {}

    def _is_before(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        return self.positions[one] < self.positions[other]


def _repeats(f: int, file: LoadedFile, standing: _Standing, files: Sequence[LoadedFile]) -> Iterator[Repeat]:
    nodes: Sequence[LineRange] | None = None
    for span in file.shown:
        for line in _lines_of(span):
            standing.add(f, line, file.lines[line - 1])
        for run in [] if file.is_verbatim else list(_redundant_runs(f, file, span, standing)):
            nodes = file.nodes() if nodes is None else nodes
            for group in _groups(file, run, nodes):
                for repeat in _covered(f, file, group, standing, files):
                    for line in _lines_of(repeat.hidden):
                        standing.remove(f, line, file.lines[line - 1])
                    yield repeat


def _redundant_runs(f: int, file: LoadedFile, span: LineRange, standing: _Standing) -> Iterator[LineRange]:
    """Yield the runs of redundant lines, with short lines among them, that cost more than a mark."""
    first: int | None = None
    for line in range(span.first, span.last + 2):
        text = file.lines[line - 1] if line <= span.last else ""
        is_over = line > span.last or not (_is_short(text) or standing.places(f, line, text))
        if is_over and first is not None:
            run = LineRange(first, line - 1)
            if file.cost(run) > _LEAST_TOKENS + standing.least_gain_tokens:
                yield run
            first = None
        elif not is_over and first is None and not _is_short(text):
            first = line


def _groups(file: LoadedFile, run: LineRange, nodes: Sequence[LineRange]) -> Iterator[list[LineRange]]:
    """Yield the outermost nodes inside a run, those together that have only blank lines between them."""
    inside: list[LineRange] = []
    for node in sorted(nodes, key=lambda span: (span.first, -span.last)):
        if run.first <= node.first and node.last <= run.last and (not inside or node.first > inside[-1].last):
            inside.append(node)
    group: list[LineRange] = []
    for node in inside:
        if group and any(text.strip() for text in file.lines[group[-1].last : node.first - 1]):
            yield group
            group = []
        group.append(node)
    if group:
        yield group


def _covered(
    f: int, file: LoadedFile, group: Sequence[LineRange], standing: _Standing, files: Sequence[LoadedFile]
) -> Iterator[Repeat]:
    """Yield the longest runs of nodes whose lines all stand in one place, where the mark costs less."""
    start = 0
    while start < len(group):
        best, end = None, start
        for stop in range(start, len(group)):
            hidden = LineRange(group[start].first, group[stop].last)
            found = _find_place(f, file, hidden, standing, files)
            if found is None:
                break
            best, end = found, stop
        if best is not None and file.mark_cost(best) + standing.least_gain_tokens <= file.cost(best.hidden):
            yield best
        start = end + 1


def _find_place(
    f: int, file: LoadedFile, hidden: LineRange, standing: _Standing, files: Sequence[LoadedFile]
) -> Repeat | None:
    texts = [(line, file.lines[line - 1]) for line in _lines_of(hidden)]
    wanted = [standing.places(f, line, text, before=hidden.first) for line, text in texts if not _is_short(text)]
    if not wanted:
        return None
    common = sorted(set.intersection(*map(set, wanted)))
    best: tuple[int, int, LineRange] | None = None
    for g in common:
        lines = _pick([places[g] for places in wanted])
        width = max(lines) - min(lines) + 1
        if width <= 2 * len(wanted) + 2 and (best is None or width < best[0]):
            best = (width, g, LineRange(min(lines), max(lines)))
    if best is None:
        return None
    _, g, span = best
    is_same = [_normal(text) for _, text in texts] == [
        # What went itself says nothing.
        _normal(files[g].lines[line - 1]) if (g, line) in standing.lines else None
        for line in _lines_of(span)
    ]
    return Repeat(hidden, "" if g == f else files[g].path, span, is_same)


def _pick(choices: Sequence[Sequence[int]]) -> list[int]:
    """Return one line of each choice: the first one after the line picked before, where there is one."""
    picked: list[int] = []
    for lines in choices:
        after = [line for line in lines if picked and line > picked[-1]]
        picked.append(min(after) if after else lines[0])
    return picked


def _lines_of(span: LineRange) -> range:
    return range(span.first, span.last + 1)


# Every line is looked at a few times, and many lines are the same.
@lru_cache(maxsize=1 << 15)
def _normal(text: str) -> str:
    return " ".join(text.split())


def _is_short(text: str) -> bool:
    return len(_normal(text)) < 4
