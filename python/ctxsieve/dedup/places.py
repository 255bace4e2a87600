"""What stands in an answer, by its text, and where lines stand that say the same."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ctxsieve.values import dataclass, field

__all__ = ["Place", "Standing", "is_short", "normal_text"]

# Where a line stands in many files, or often in one, the first few are enough to find a run of such lines again.
_FILES_PER_LINE = 8
_PLACES_PER_FILE = 16

# A file's number and a line of it.
Place = tuple[int, int]


@dataclass(slots=True)
class Standing:
    """The lines that stand in the answer; `nearest` has every redundant line's most similar line.

    The lines of a file are added before its repeats are known, and taken away when they go; `positions` tells what
    stands before a line.
    """

    nearest: Mapping[Place, Place | None]
    positions: Mapping[Place, int]
    by_text: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    lines: set[Place] = field(default_factory=set)

    def add(self, f: int, line: int, text: str) -> None:
        """Note that a line stands in the answer; those of one file are added in their order."""
        self.lines.add((f, line))
        by_file = self.by_text.setdefault(normal_text(text), {})
        if f in by_file or len(by_file) < _FILES_PER_LINE:
            found = by_file.setdefault(f, [])
            if len(found) < _PLACES_PER_FILE:
                found.append(line)

    def remove(self, f: int, line: int, text: str) -> None:
        """Note that a line goes."""
        self.lines.discard((f, line))
        by_file = self.by_text[normal_text(text)]
        if line in by_file.get(f, ()):
            by_file[f].remove(line)
            if not by_file[f]:
                del by_file[f]

    def places(
        self, f: int, line: int, text: str, *, before: int | None = None, is_exact: bool = False
    ) -> Mapping[int, Sequence[int]]:
        """Return by file the lines that say what a redundant line says, nothing where it has to stay.

        They stand before it or, where it goes with lines above it, before the line `before`. With `is_exact` near
        repeats say something else.
        """
        if (f, line) not in self.nearest:
            return {}
        limit = (f, line if before is None else before)
        same = self.by_text.get(normal_text(text), {})
        if f in same:
            earlier = [other for other in same[f] if self._is_before((f, other), limit)]
            same = {g: lines for g, lines in same.items() if g != f} | ({f: earlier} if earlier else {})
        # Files are added one after the other: whatever else is known of stands before this one.
        if same or is_exact:
            return same
        near = self.nearest[f, line]
        is_shown = near is not None and near in self.lines and self._is_before(near, limit)
        return {near[0]: [near[1]]} if near is not None and is_shown else {}

    def _is_before(self, one: Place, other: Place) -> bool:
        return self.positions[one] < self.positions[other]


# Every line is looked at a few times, and many lines are the same.
@lru_cache(maxsize=1 << 15)
def normal_text(text: str) -> str:
    """Return the text as similarity sees it."""
    return " ".join(text.split())


def is_short(text: str) -> bool:
    """Say whether a line is too short to be compared."""
    return len(normal_text(text)) < 4
