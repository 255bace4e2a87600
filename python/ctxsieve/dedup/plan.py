"""Which repeats are left out of an answer, and where each stands already (SPEC 7, SPEC 0.3)."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import accumulate

from ctxsieve.dedup.names import KeptNames
from ctxsieve.dedup.options import DedupOptions
from ctxsieve.dedup.places import Standing, normal_text
from ctxsieve.dedup.redundancy import find_among_normal
from ctxsieve.fragments import LineRange, one_line
from ctxsieve.values import dataclass

__all__ = ["LoadedFile", "Repeat", "plan_suppression"]

# A mark, or what is added to one, costs at least so many tokens; what costs less is not looked at.
_LEAST_TOKENS = 6
# A place is at most so much longer than what is found in it.
_WIDEST = 3
# Of a line that stands often in a file, so many places are tried as the first of a run.
_TRIED_STARTS = 8


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """One file's part in an answer.

    Attributes:
        path: POSIX path relative to the root.
        lines: all lines of the file.
        shown: the lines that stand in the answer, in the order in which they stand there.
        term_shares: share of the task's terms on each line of the file.
        is_verbatim: nothing of it may go.
        cost: tokens of what is shown of a range of its lines.
        mark_cost: tokens of the mark that would stand for a repeat; with True, of what joining another mark adds.
        nodes: the whole syntax nodes that may go, outer ones before those inside; asked for only when needed.
        crosses_gaps: whether a node may go of which some lines do not stand in the answer anyway, since the place has
            these lines, too, or they are among the `comments`.
        comments: the lines that are comments or documentation; asked for only when needed.
        is_exact: only what stands there word by word is a repeat.
        names: the names that must not all go with its repeats, counted anew for each plan; without it any may.
    """

    path: str
    lines: Sequence[str]
    shown: tuple[LineRange, ...]
    term_shares: Sequence[float]
    is_verbatim: bool
    cost: Callable[[LineRange], float]
    mark_cost: Callable[["Repeat", bool], float]
    nodes: Callable[[], Sequence[LineRange]]
    crosses_gaps: bool = False
    comments: Callable[[], Container[int]] = tuple
    is_exact: bool = False
    names: Callable[[], KeptNames] | None = None


@dataclass(frozen=True, slots=True)
class Repeat:
    """Lines `hidden` of one file stand at `lines` of `path` already.

    `is_same` says that the text is the same but for white space, line for line; otherwise it is much like it, or has
    more between its lines. `path` is empty where it is the same file, `name` is its shortest unmistakable ending.
    """

    hidden: LineRange
    path: str
    lines: LineRange
    is_same: bool
    name: str = ""

    @property
    def note(self) -> str:
        """What the mark says after the hidden lines: the first line of the same text, all lines of one like it."""
        place = f"{self.name or self.path}:" if self.path else ""
        return f" = {place}{self.lines.first}" if self.is_same else f" like {place}{self.lines.numbers}"


def plan_suppression(files: Sequence[LoadedFile], options: DedupOptions) -> list[tuple[Repeat, ...]]:
    """Return for each file the repeats that are worth a mark, in the order of its shown lines.

    Only whole nodes go, only where every line of them that is shown is redundant, and only where one earlier place in
    the answer, not much longer, has all of these lines. Earlier repeats of a file come first where its names run out.
    """
    if not options.enabled or not any(not file.is_verbatim and file.shown for file in files):
        return [() for _ in files]
    standing = _standing(files, options)
    names = _short_names([file.path for file in files])
    return [
        tuple(
            _Planner(
                f, file, standing, files, names, options.least_gain_tokens, file.names() if file.names else None
            ).repeats()
        )
        for f, file in enumerate(files)
    ]


def _standing(files: Sequence[LoadedFile], options: DedupOptions) -> Standing:
    """Return all lines of the answer, none of them added yet."""
    places = [(f, line) for f, file in enumerate(files) for span in file.shown for line in _lines_of(span)]
    texts = [normal_text(files[f].lines[line - 1]) for f, line in places]
    found = find_among_normal(
        texts,
        [files[f].term_shares[line - 1] for f, line in places],
        options,
        always_kept=[files[f].is_verbatim for f, _ in places],
    )
    numbers = [[-1] * (len(file.lines) + 1) for file in files]
    for number, (f, line) in enumerate(places):
        numbers[f][line] = number
    return Standing(
        texts=texts,
        files=[f for f, _ in places],
        lines=[line for _, line in places],
        is_redundant=found.is_redundant.tolist(),
        nearest=found.nearest.tolist(),
        numbers=numbers,
        starts=[0, *accumulate(sum(span.last - span.first + 1 for span in file.shown) for file in files)],
    )


def _short_names(paths: Sequence[str]) -> dict[str, str]:
    """Return for each path its shortest ending, in whole names, that no other path of the answer has."""
    parts = {path: path.split("/") for path in dict.fromkeys(paths)}
    names: dict[str, str] = {}
    waiting, length = list(parts), 1
    while waiting:
        endings = {path: "/".join(parts[path][-length:]) for path in parts}
        shared = Counter(endings.values())
        for path in waiting:
            if shared[endings[path]] == 1 or length >= len(parts[path]):
                names[path] = one_line(endings[path])
        waiting = [path for path in waiting if path not in names]
        length += 1
    return names


@dataclass(frozen=True, slots=True)
class _Planner:
    """Finds the repeats of one file."""

    number: int
    file: LoadedFile
    standing: Standing
    files: Sequence[LoadedFile]
    short_names: Mapping[str, str]
    least_gain_tokens: int
    kept_names: KeptNames | None

    def repeats(self) -> Iterator[Repeat]:
        """Yield the repeats in the order of the shown lines; those found before are gone by then."""
        file = self.file
        numbers = self.standing.numbers[self.number]
        self.standing.add(self.number)
        if file.is_verbatim:
            return
        runs = [run for part in self._parts() for run in self._redundant_runs(part)]
        nodes: Sequence[LineRange] = sorted(file.nodes(), key=lambda n: (n.first, -n.last)) if runs else ()
        firsts = [node.first for node in nodes]
        last: LineRange | None = None
        for run in runs:
            inside = nodes[bisect_left(firsts, run.first) : bisect_left(firsts, run.last + 1)]
            for group in self._groups(inside, run):
                for repeat in self._covered(group, last):
                    for line in _lines_of(repeat.hidden):
                        if numbers[line] >= 0:
                            self.standing.remove(numbers[line])
                    if self.kept_names is not None:
                        self.kept_names.hide(repeat.hidden)
                    last = repeat.hidden
                    yield repeat

    def _parts(self) -> Iterator[list[int]]:
        """Yield the shown lines that a node may span."""
        part: list[int] = []
        for span in self.file.shown:
            if part and not (self.file.crosses_gaps and span.first > part[-1]):
                yield part
                part = []
            part.extend(_lines_of(span))
        if part:
            yield part

    def _redundant_runs(self, part: Sequence[int]) -> Iterator[LineRange]:
        """Yield the runs of redundant lines, with short lines among them, that cost more than a mark."""
        first = last = 0
        numbers, is_short, is_redundant = (
            self.standing.numbers[self.number],
            self.standing.is_short,
            self.standing.is_redundant,
        )
        for line in [*part, 0]:
            number = numbers[line]
            if line and is_short[number]:
                last = line
            elif line and is_redundant[number] and self._places(number):
                first, last = first or line, line
            elif first:
                run = LineRange(first, last)
                if self.file.cost(run) >= _LEAST_TOKENS + self.least_gain_tokens:
                    yield run
                first = 0

    def _places(self, number: int, *, before: int | None = None) -> Mapping[int, Sequence[int]]:
        return self.standing.places(number, before=before, is_exact=self.file.is_exact)

    def _groups(self, nodes: Sequence[LineRange], run: LineRange) -> Iterator[list[LineRange]]:
        """Yield the outermost nodes inside a run, those together between which nothing with text is shown."""
        group: list[LineRange] = []
        reached = 0
        for node in nodes:
            if node.last > run.last or node.first <= reached:
                continue
            if group and not self._is_empty(reached + 1, node.first - 1):
                yield group
                group = []
            group.append(node)
            reached = node.last
        if group:
            yield group

    def _is_empty(self, first: int, last: int) -> bool:
        """Say whether the lines from `first` to `last` are blank or, where gaps may be crossed, not shown."""
        numbers = self.standing.numbers[self.number]
        return not any(
            self.file.lines[line - 1].strip() and not (self.file.crosses_gaps and numbers[line] < 0)
            for line in range(first, last + 1)
        )

    def _covered(self, group: Sequence[LineRange], last: LineRange | None) -> Iterator[Repeat]:
        """Yield the longest runs of nodes whose lines all stand in one place, where the mark costs less."""
        start = 0
        while start < len(group):
            if self.file.cost(LineRange(group[start].first, group[-1].last)) < _LEAST_TOKENS + self.least_gain_tokens:
                return
            best, end = self._longest(group, start)
            if best is not None:
                cost = self.file.mark_cost(best, self._joins(best.hidden, last))
                if cost + self.least_gain_tokens <= self.file.cost(best.hidden):
                    yield best
                    last = best.hidden
            start = end + 1

    def _longest(self, group: Sequence[LineRange], start: int) -> tuple[Repeat | None, int]:
        """Return the repeat of most nodes from `start` on, and the last of them: by doubling, then by halving."""
        known: dict[int, Mapping[int, Sequence[int]]] = {}
        best, good, bad = self._find(group, start, start, known), start, start + 1
        if best is None:
            return None, start
        step = 1
        while bad < len(group):
            stop = min(good + step, len(group) - 1)
            found = self._find(group, start, stop, known)
            if found is None:
                bad = stop
                break
            best, good, bad, step = found, stop, stop + 1, 2 * step
        while good + 1 < bad:
            middle = (good + bad) // 2
            found = self._find(group, start, middle, known)
            if found is None:
                bad = middle
            else:
                best, good = found, middle
        return best, good

    def _joins(self, hidden: LineRange, last: LineRange | None) -> bool:
        """Say whether a mark stands right above or below these lines anyway."""
        if not self.file.crosses_gaps:
            return False
        if last is not None and self._is_empty(last.last + 1, hidden.first - 1):
            return True
        return self._is_gap(range(hidden.first - 1, 0, -1)) or self._is_gap(
            range(hidden.last + 1, len(self.file.lines) + 1)
        )

    def _is_gap(self, lines: range) -> bool:
        """Say whether a line that is not shown comes before the first one with text that is."""
        for line in lines:
            if self.standing.numbers[self.number][line] < 0:
                return True
            if self.file.lines[line - 1].strip():
                return False
        return False

    def _find(
        self, group: Sequence[LineRange], start: int, stop: int, known: dict[int, Mapping[int, Sequence[int]]]
    ) -> Repeat | None:
        """Return where all shown lines of some nodes stand together, the narrowest place, ties to the first file.

        `known` keeps the places of lines for the next question from the same node on.
        """
        hidden = LineRange(group[start].first, group[stop].last)
        shown = [n for n in self.standing.numbers[self.number][hidden.first : hidden.last + 1] if n >= 0]
        compared = [n for n in shown if not self.standing.is_short[n]]
        if not compared:
            return None
        for n in compared:
            if n not in known:
                known[n] = self._places(n, before=shown[0])
        wanted = [known[n] for n in compared]
        unseen = self._unseen(hidden)
        best: tuple[int, int, LineRange] | None = None
        for g in sorted(set.intersection(*map(set, wanted))):
            choices = [places[g] for places in wanted]
            for begin in choices[0][:_TRIED_STARTS]:
                lines = _pick(choices, begin)
                span = LineRange(min(lines), max(lines))
                width = span.last - span.first + 1
                is_narrow = width <= _WIDEST * (len(wanted) + len(unseen)) + 2
                if is_narrow and (best is None or width < best[0]) and self._has(g, span, unseen):
                    best = (width, g, span)
        if best is None or not self._may_hide(hidden):
            return None
        return self._repeat(hidden, best[1], best[2])

    def _may_hide(self, hidden: LineRange) -> bool:
        """Say whether enough names stay; what costs less than any mark does not go by itself and is not counted."""
        return (
            self.kept_names is None
            or self.file.cost(hidden) < _LEAST_TOKENS + self.least_gain_tokens
            or self.kept_names.may_hide(hidden)
        )

    def _has(self, g: int, span: LineRange, texts: set[str]) -> bool:
        return not texts or texts <= {normal_text(self.files[g].lines[line - 1]) for line in _lines_of(span)}

    def _unseen(self, hidden: LineRange) -> set[str]:
        """Return what the hidden lines say that were not shown before, comments apart."""
        numbers = self.standing.numbers[self.number]
        unseen = [n for n in _lines_of(hidden) if numbers[n] < 0]
        comments = self.file.comments() if unseen else ()
        return {normal_text(self.file.lines[n - 1]) for n in unseen if n not in comments} - {""}

    def _repeat(self, hidden: LineRange, g: int, span: LineRange) -> Repeat:
        # What went itself says nothing; what does not stand in the answer anyway is compared in the files.
        here, there = self.file, self.files[g]
        own_numbers, numbers = self.standing.numbers[self.number], self.standing.numbers[g]
        is_same = hidden.last - hidden.first == span.last - span.first and all(
            normal_text(here.lines[own - 1]) == normal_text(there.lines[other - 1])
            and (own_numbers[own] < 0 or (numbers[other] >= 0 and numbers[other] not in self.standing.gone))
            for own, other in zip(_lines_of(hidden), _lines_of(span), strict=True)
        )
        path = "" if g == self.number else there.path
        return Repeat(hidden, path, span, is_same, self.short_names[path] if path else "")


def _pick(choices: Sequence[Sequence[int]], begin: int) -> list[int]:
    """Return one line of each choice: `begin`, then the first one after the line picked before, where there is one."""
    picked = [begin]
    for lines in choices[1:]:
        at = bisect_left(lines, picked[-1] + 1)
        picked.append(lines[at] if at < len(lines) else lines[0])
    return picked


def _lines_of(span: LineRange) -> range:
    return range(span.first, span.last + 1)
