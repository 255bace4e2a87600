"""What the lines of a file tell by themselves, whatever they are read for: spelling, costs, words and errors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctxsieve.compress.error_lines import handles_errors
from ctxsieve.languages import WordPlaces, find_words
from ctxsieve.tokens import count_lines, count_tokens
from ctxsieve.values import dataclass

if TYPE_CHECKING:
    from ctxsieve.compress.source import SourceFile

__all__ = ["LineFacts", "measure_lines"]


@dataclass(frozen=True, slots=True)
class LineFacts:
    """Facts about the lines of a file, which count from 0 here.

    Attributes:
        spelled: the lines in fewest tokens, joined by newlines; None for as they stand.
        tokens: of the text as it is spelled.
        plain_tokens: of the text as it stands.
        line_tokens: of each line as it is spelled, taken alone.
        error_lines: those that handle errors.
        words: by word the lines on which it stands.
    """

    spelled: str | None
    tokens: int
    plain_tokens: int
    line_tokens: Sequence[int]
    error_lines: Sequence[int]
    words: WordPlaces

    @property
    def spelling(self) -> tuple[str, ...] | None:
        """The lines in fewest tokens, None for as they stand; see `SourceFile.spelling`."""
        if self.spelled is None:
            return None
        return tuple(self.spelled.split("\n")) if self.line_tokens else ()


def measure_lines(source: "SourceFile") -> LineFacts:
    """Return the facts about the lines of a source."""
    text = source.spelled_text
    return LineFacts(
        None if source.spelling is None else "\n".join(source.spelling),
        count_tokens(text),
        source.tokens,
        count_lines(text).tolist(),
        [line for line, own in enumerate(source.lines) if handles_errors(own)],
        find_words(source.lines),
    )
