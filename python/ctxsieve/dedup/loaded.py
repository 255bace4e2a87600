"""One file's part in an answer, and what goes from it."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import flat_lines
from ctxsieve.fragments import LineRange
from ctxsieve.languages import Language
from ctxsieve.values import dataclass

__all__ = ["LoadedFile", "Repeat", "ShownText"]

Lines = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text that has the shown lines of a file in source order, and one line for each of its gaps."""

    content: str
    tokens: int
    gaps: tuple[LineRange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedFile:
    """One file's part in an answer.

    Attributes:
        path: POSIX path relative to the root.
        text: all of the file.
        shown: the lines that stand in the answer, in the order in which they stand there.
        term_shares: share of the task's terms on each line of the file; empty where no line has any.
        is_verbatim: nothing of it may go.
        costs: the tokens of each line, those that it has in a text or others; asked for unless it is verbatim.
        language: of its marks.
        nodes: first and last line of the whole syntax nodes that may go, flat; asked for only when needed.
        crosses_gaps: whether a node may go of which some lines do not stand in the answer anyway, since the place has
            these lines, too, or they are among the `comments`.
        comments: first and last line of comments and documentation, flat; asked for only when needed.
        is_exact: only what stands there word by word is a repeat.
        lost_names: the share of its names that may go with its repeats; without it any may.
    """

    path: str
    text: str
    shown: tuple[LineRange, ...]
    term_shares: Sequence[float] | npt.NDArray[np.float64] = ()
    is_verbatim: bool = False
    costs: ShownText | Callable[[], Sequence[float]]
    language: Language | None = None
    nodes: Callable[[], Lines]
    crosses_gaps: bool = False
    comments: Callable[[], Lines] = lambda: flat_lines(())
    is_exact: bool = False
    lost_names: float | None = None

    @property
    def lines(self) -> list[str]:
        """The lines without their newlines; a final newline ends the last line and begins no new one."""
        lines = self.text.split("\n")
        return lines[:-1] if lines[-1] == "" else lines


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
