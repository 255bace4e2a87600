"""Composes the layers for command and tool output."""

from collections.abc import Sequence

from ctxsieve.terse.display import displayed_lines, looks_binary
from ctxsieve.terse.document import Document, Gap
from ctxsieve.terse.information import uninformative_lines
from ctxsieve.terse.levels import CompressionLevel, levels_up_to
from ctxsieve.terse.patterns import judge_patterns
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass

__all__ = ["TerseOutput", "TerseSavings", "compress_output"]


@dataclass(frozen=True, slots=True)
class TerseSavings:
    """Tokens saved by what a terminal would not show, by the families' patterns, and by line information."""

    display_tokens: int = 0
    pattern_tokens: int = 0
    information_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TerseOutput:
    """Compressed output; `omitted` are the line ranges of the displayed original that `text` marks as left out."""

    text: str
    original_tokens: int
    tokens: int
    savings: TerseSavings
    families: tuple[str, ...]
    omitted: tuple[tuple[int, int], ...]


def compress_output(
    text: str,
    *,
    level: CompressionLevel = CompressionLevel.STANDARD,
    command: str | Sequence[str] | None = None,
    first_line: int = 1,
) -> TerseOutput:
    """`text` without what carries little, every omission marked with its line range.

    The lines of the result are lines of the displayed text, in order, and markers. `off` returns `text` itself, and so
    does every level that would save nothing. Compressing the result again changes nothing, and a higher level never
    has more tokens. Binary data come back unchanged.

    Args:
        text: What the command printed, colours and overwritten progress included.
        level: How much may go.
        command: The command line, as text or words; without it the output alone tells the family.
        first_line: The number of the first line, where `text` is a part of a longer output.
    """
    original_tokens = _count(text)
    unchanged = TerseOutput(text, original_tokens, original_tokens, TerseSavings(), (), ())
    if level is CompressionLevel.OFF or not text.strip() or looks_binary(text):
        return unchanged
    lines = displayed_lines(text)
    run = _Run(final_newline=text.endswith("\n"), command=command)
    document = run.compress(Document.of(lines, first_line=first_line), level)
    result = document.render(final_newline=run.final_newline)
    tokens = _count(result)
    if tokens >= original_tokens:
        return unchanged
    display_tokens = original_tokens - tokens - run.pattern_tokens - run.information_tokens
    return TerseOutput(
        text=result,
        original_tokens=original_tokens,
        tokens=tokens,
        savings=TerseSavings(display_tokens, run.pattern_tokens, run.information_tokens),
        families=judge_patterns([line for line in lines if line], level, command=command).families,
        omitted=tuple((item.first, item.last) for item in document.items if isinstance(item, Gap)),
    )


def _count(text: str) -> int:
    return count_tokens(text.encode("utf-8", "surrogateescape"))


class _Run:
    """One compression: applies the layers until nothing changes, and counts what each saved."""

    def __init__(self, *, final_newline: bool, command: str | Sequence[str] | None) -> None:
        self.final_newline = final_newline
        self.command = command
        self.pattern_tokens = 0
        self.information_tokens = 0

    def compress(self, document: Document, level: CompressionLevel) -> Document:
        """The document that no level up to `level` shortens further.

        Levels build on one another: each starts from the result of the one below, and that one gets another look
        whenever lines have gone. Every step saves tokens or is not taken, so this ends, a higher level never has more
        tokens, and the result is a fixed point.
        """
        steps = levels_up_to(level)
        position = 0
        while position < len(steps):
            shorter = self._apply(document, steps[position])
            if shorter is document:
                position += 1
            else:
                document = shorter
                position = 0
        return document

    def _apply(self, document: Document, level: CompressionLevel) -> Document:
        positions = document.judged()
        verdict = judge_patterns(document.texts(positions), level, command=self.command)
        document_after, saved = self._shorter(document, positions, verdict.routine)
        self.pattern_tokens += saved
        if document_after is not document:
            return document_after
        reasons = uninformative_lines(document.texts(positions), level, content=verdict.content)
        document_after, saved = self._shorter(document, positions, reasons)
        self.information_tokens += saved
        return document_after

    def _shorter(self, document: Document, positions: list[int], reasons: dict[int, str]) -> tuple[Document, int]:
        shorter = document.omit({positions[index]: reason for index, reason in reasons.items()})
        if shorter is document:
            return document, 0
        saved = self._tokens(document) - self._tokens(shorter)
        return (shorter, saved) if saved > 0 else (document, 0)

    def _tokens(self, document: Document) -> int:
        return _count(document.render(final_newline=self.final_newline))
