"""Finds the repeats of an answer file by file: the twin of the native search."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from ctxsieve.dedup.costs import CostSums, mark_tokens
from ctxsieve.dedup.loaded import LoadedFile, Repeat
from ctxsieve.dedup.names import KeptNames
from ctxsieve.dedup.options import DedupOptions
from ctxsieve.dedup.places import Standing, normal_text
from ctxsieve.dedup.redundancy import find_among_normal
from ctxsieve.fragments import LineRange
from ctxsieve.values import dataclass

__all__ = ["plan_file_by_file"]

# A mark, or what is added to one, costs at least so many tokens; what costs less is not looked at.
_LEAST_TOKENS = 6
# A place is at most so much longer than what is found in it.
_WIDEST = 3
# Of a line that stands often in a file, so many places are tried as the first of a run.
_TRIED_STARTS = 8


def plan_file_by_file(
    files: Sequence[LoadedFile], names: Mapping[str, str], options: DedupOptions
) -> list[tuple[Repeat, ...]]:
    """Return for each file what `plan_suppression` does; `names` are what marks call the paths."""
    parts = [_Part(file) for file in files]
    standing = _standing(parts, options)
    return [
        tuple(_Planner(f, part, standing, parts, names, options.least_gain_tokens).repeats())
        for f, part in enumerate(parts)
    ]


class _Part:
    """A file, with what is found out about it when it is first asked for."""

    def __init__(self, file: LoadedFile) -> None:
        self.file = file
        self.lines = file.lines

    @cached_property
    def costs(self) -> CostSums:
        """What its lines cost."""
        return CostSums(self.file)

    @cached_property
    def comments(self) -> frozenset[int]:
        """The lines that are comments or documentation."""
        spans = self.file.comments().reshape(-1, 2).tolist()
        return frozenset(line for first, last in spans for line in range(first, last + 1))

    @cached_property
    def kept_names(self) -> KeptNames | None:
        """The names that must not all go, counted anew for each plan."""
        allowance = self.file.lost_names
        if allowance is None:
            return None
        return KeptNames(self.lines, self.file.shown, lambda: self.comments, allowance=allowance)

    def nodes(self) -> list[LineRange]:
        """Return what may go as a whole, outer nodes before those inside."""
        spans = self.file.nodes().reshape(-1, 2).tolist()
        return sorted((LineRange(first, last) for first, last in spans), key=lambda node: (node.first, -node.last))


def _standing(parts: Sequence[_Part], options: DedupOptions) -> Standing:
    """Return all lines of the answer, none of them added yet."""
    places = [(f, line) for f, part in enumerate(parts) for span in part.file.shown for line in _lines_of(span)]
    texts = [normal_text(parts[f].lines[line - 1]) for f, line in places]
    found = find_among_normal(
        texts,
        [shares[line - 1] if len(shares := parts[f].file.term_shares) else 0.0 for f, line in places],
        options,
        always_kept=[parts[f].file.is_verbatim for f, _ in places],
    )
    numbers = [[-1] * (len(part.lines) + 1) for part in parts]
    for number, (f, line) in enumerate(places):
        numbers[f][line] = number
    return Standing(
        texts=texts,
        files=[f for f, _ in places],
        lines=[line for _, line in places],
        is_redundant=found.is_redundant.tolist(),
        nearest=found.nearest.tolist(),
        is_short=found.is_short.tolist(),
        numbers=numbers,
        starts=[0, *accumulate(sum(span.last - span.first + 1 for span in part.file.shown) for part in parts)],
    )


@dataclass(frozen=True, slots=True)
class _Planner:
    """Finds the repeats of one file."""

    number: int
    part: _Part
    standing: Standing
    parts: Sequence[_Part]
    short_names: Mapping[str, str]
    least_gain_tokens: int

    @property
    def file(self) -> LoadedFile:
        """The file itself."""
        return self.part.file

    def repeats(self) -> Iterator[Repeat]:
        """Yield the repeats in the order of the shown lines; those found before are gone by then."""
        file = self.file
        numbers = self.standing.numbers[self.number]
        self.standing.add(self.number)
        if file.is_verbatim:
            return
        runs = [run for part in self._parts() for run in self._redundant_runs(part)]
        nodes = self.part.nodes() if runs else []
        firsts = [node.first for node in nodes]
        last: LineRange | None = None
        for run in runs:
            inside = nodes[bisect_left(firsts, run.first) : bisect_left(firsts, run.last + 1)]
            for group in self._groups(inside, run):
                for repeat in self._covered(group, last):
                    for line in _lines_of(repeat.hidden):
                        if numbers[line] >= 0:
                            self.standing.remove(numbers[line])
                    if self.part.kept_names is not None:
                        self.part.kept_names.hide(repeat.hidden)
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
                if self.part.costs.of(run) >= _LEAST_TOKENS + self.least_gain_tokens:
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
            self.part.lines[line - 1].strip() and not (self.file.crosses_gaps and numbers[line] < 0)
            for line in range(first, last + 1)
        )

    def _covered(self, group: Sequence[LineRange], last: LineRange | None) -> Iterator[Repeat]:
        """Yield the longest runs of nodes whose lines all stand in one place, where the mark costs less."""
        start = 0
        while start < len(group):
            if (
                self.part.costs.of(LineRange(group[start].first, group[-1].last))
                < _LEAST_TOKENS + self.least_gain_tokens
            ):
                return
            best, end = self._longest(group, start)
            if best is not None:
                is_indented = self.part.lines[best.hidden.first - 1][:1].isspace()
                joins = self._joins(best.hidden, last)
                cost = mark_tokens(best, self.file.language, is_indented=is_indented, joins=joins)
                if cost + self.least_gain_tokens <= self.part.costs.of(best.hidden):
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
            range(hidden.last + 1, len(self.part.lines) + 1)
        )

    def _is_gap(self, lines: range) -> bool:
        """Say whether a line that is not shown comes before the first one with text that is."""
        for line in lines:
            if self.standing.numbers[self.number][line] < 0:
                return True
            if self.part.lines[line - 1].strip():
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
            self.part.kept_names is None
            or self.part.costs.of(hidden) < _LEAST_TOKENS + self.least_gain_tokens
            or self.part.kept_names.may_hide(hidden)
        )

    def _has(self, g: int, span: LineRange, texts: set[str]) -> bool:
        return not texts or texts <= {normal_text(self.parts[g].lines[line - 1]) for line in _lines_of(span)}

    def _unseen(self, hidden: LineRange) -> set[str]:
        """Return what the hidden lines say that were not shown before, comments apart."""
        numbers = self.standing.numbers[self.number]
        unseen = [n for n in _lines_of(hidden) if numbers[n] < 0]
        comments = self.part.comments if unseen else frozenset()
        return {normal_text(self.part.lines[n - 1]) for n in unseen if n not in comments} - {""}

    def _repeat(self, hidden: LineRange, g: int, span: LineRange) -> Repeat:
        # What went itself says nothing; what does not stand in the answer anyway is compared in the files.
        here, there = self.part, self.parts[g]
        own_numbers, numbers = self.standing.numbers[self.number], self.standing.numbers[g]
        is_same = hidden.last - hidden.first == span.last - span.first and all(
            normal_text(here.lines[own - 1]) == normal_text(there.lines[other - 1])
            and (own_numbers[own] < 0 or (numbers[other] >= 0 and numbers[other] not in self.standing.gone))
            for own, other in zip(_lines_of(hidden), _lines_of(span), strict=True)
        )
        path = "" if g == self.number else there.file.path
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
