"""What stands in an answer, by its text, and where lines stand that say the same."""

from collections.abc import Mapping, Sequence

from ctxsieve.values import dataclass, field

__all__ = ["Standing", "normal_text"]

# Where a line stands in many files, or often in one, the first few are enough to find a run of such lines again.
_FILES_PER_LINE = 8
_PLACES_PER_FILE = 16


@dataclass(slots=True)
class Standing:
    """The lines that stand in the answer, numbered in its order.

    The lines of a file are added before its repeats are known, and taken away when they go.

    Attributes:
        texts: what each line says, as similarity sees it.
        files: the file of each line.
        lines: its number in its file.
        is_redundant: whether it repeats another.
        nearest: the most similar line of a redundant line, or -1.
        is_short: whether it is too short to be compared.
        numbers: by file and line of it the number of the line in the answer, -1 for what does not stand there.
        starts: the number of each file's first line, and of the end.
        entries: by line and file the lines that say the same, None of what no redundant line says.
        gone: the numbers of lines that were taken away.
    """

    texts: Sequence[str]
    files: Sequence[int]
    lines: Sequence[int]
    is_redundant: Sequence[bool]
    nearest: Sequence[int]
    is_short: Sequence[bool]
    numbers: Sequence[Sequence[int]]
    starts: Sequence[int]
    entries: Sequence[dict[int, list[int]] | None] = field(init=False)
    gone: set[int] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        by_text: dict[str, dict[int, list[int]]] = {
            text: {} for text, is_redundant in zip(self.texts, self.is_redundant, strict=True) if is_redundant
        }
        self.entries = list(map(by_text.get, self.texts))

    def add(self, f: int) -> None:
        """Note that the lines of a file stand in the answer."""
        lines = self.lines
        for number in range(self.starts[f], self.starts[f + 1]):
            by_file = self.entries[number]
            if by_file is not None and (f in by_file or len(by_file) < _FILES_PER_LINE):
                found = by_file.setdefault(f, [])
                if len(found) < _PLACES_PER_FILE:
                    found.append(lines[number])

    def remove(self, number: int) -> None:
        """Note that a line goes."""
        self.gone.add(number)
        by_file = self.entries[number] or {}
        f, line = self.files[number], self.lines[number]
        if line in by_file.get(f, ()):
            by_file[f].remove(line)
            if not by_file[f]:
                del by_file[f]

    def places(self, number: int, *, before: int | None = None, is_exact: bool = False) -> Mapping[int, Sequence[int]]:
        """Return by file the lines that say what a redundant line says, nothing where it has to stay.

        They stand before it or, where it goes with lines above it, before the line of the number `before`. With
        `is_exact` near repeats say something else.
        """
        same: Mapping[int, Sequence[int]] | None = self.entries[number]
        if not self.is_redundant[number] or same is None:
            return {}
        f, limit = self.files[number], number if before is None else before
        if f in same:
            numbers = self.numbers[f]
            earlier = [line for line in same[f] if numbers[line] < limit]
            same = {g: lines for g, lines in same.items() if g != f} | ({f: earlier} if earlier else {})
        # Files are added one after the other: whatever else is known of stands before this one.
        if same or is_exact:
            return same
        near = self.nearest[number]
        return {self.files[near]: [self.lines[near]]} if 0 <= near < limit and near not in self.gone else {}


def normal_text(text: str) -> str:
    """Return the text as similarity sees it."""
    return " ".join(text.split())
