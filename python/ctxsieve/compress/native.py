"""Removal of nodes by the native core, which needs no interpreter; the other modules here are its twin."""

from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Self, TypedDict

from ctxsieve._kernels import (
    PARSE_LIMIT,
    RemovalQueue,
    RemovedNodes,
    flat_lines,
    leave_out,
    remove_nodes,
    shown_and_omitted,
)
from ctxsieve.compress.modes import Mode, Rendering
from ctxsieve.compress.nodes import MATCH_LIMIT, find_natively, is_served_natively
from ctxsieve.compress.removal import (
    NOTHING_TO_GAIN,
    REMOVED_LESS,
    TOO_LARGE,
    UNPARSABLE,
    Removal,
)
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.languages import removal_rules
from ctxsieve.values import dataclass

__all__ = ["RemovalAhead", "RemovalsAhead", "leave_out_natively", "remove_natively"]

_REASONS = ("", REMOVED_LESS, TOO_LARGE, UNPARSABLE, NOTHING_TO_GAIN)


def remove_natively(
    source: SourceFile, mode: Mode, choice: Sequence[float], *, gap_tokens: int, kept: bytes = b""
) -> Removal | None:
    """Return the file without the nodes that the mode chooses, None where the twin has to do it.

    What was found on the way is kept with the source.

    Args:
        source: the file.
        mode: `aggressive`, `entropy` or `task`.
        choice: share, surprise and lost names of `aggressive`, the share of `entropy`, nothing for `task`.
        gap_tokens: gaps that cost no more stay.
        kept: for `task`, a byte per line, not 0 for lines that stay.
    """
    limits = _Limits(tuple(choice), gap_tokens, source.is_aligned)
    ahead, source.findings.ahead = source.findings.ahead, None
    if ahead is not None and ahead.limits == limits and not kept:
        removed: RemovedNodes | None = ahead.take()
    elif _is_for_natives(source):
        removed = remove_nodes(*_file(source), choice, kept=kept, **limits.as_arguments())
    else:
        return None
    if removed is None:
        return None
    source.findings.nodes = removed.found
    if removed.source_tokens is not None:
        source.findings.tokens = removed.source_tokens
    reason = _REASONS[removed.outcome]
    if removed.content is None:
        return Removal(None, reason)
    shown, gaps = shown_and_omitted(removed.gaps, source.line_count)
    return Removal(Rendering(mode, removed.content, shown, gaps, removed.tokens), reason)


def leave_out_natively(
    source: SourceFile, rendering: Rendering, hidden: Sequence[tuple[LineRange, str]], *, tried_texts: int
) -> Removal | None:
    """Return a rendering of a file of code without some more lines, each with a note for its mark.

    As many stay as have to, found by halves in so many tries, so that the rest parses. A rendering of None costs no
    less than before; where nothing is returned, the twin has to do it: `leave_out` and `keeps_parsing`.
    """
    found = find_natively(source)
    if found is None or not found.is_complete:
        return None
    left = leave_out(
        *_file(source),
        rendering.content,
        tokens=rendering.tokens,
        shown=flat_lines(rendering.shown),
        gaps=flat_lines(rendering.omitted),
        hidden=flat_lines(span for span, _ in hidden),
        notes=[note for _, note in hidden],
        found=found,
        parse_limit=PARSE_LIMIT,
        tried_texts=tried_texts,
    )
    if left is None:
        return None
    if left.content is None:
        return Removal(None, NOTHING_TO_GAIN)
    shown, gaps = shown_and_omitted(left.gaps, source.line_count)
    return Removal(Rendering(rendering.mode, left.content, shown, gaps, left.tokens), "")


class RemovalsAhead:
    """Takes files whose removal begins in threads of its own while more are read; a context manager.

    `remove_natively` then takes what is done of a file, if it is asked for the same. The trees of the first files, up
    to `tree_bytes` of their text, are kept with what was found: they tell `leave_out_natively` what it need not parse,
    and take about thirty times the memory of their text.
    """

    def __init__(self, threads: int, *, tree_bytes: int = 0) -> None:
        self._queue = RemovalQueue(threads)
        self._tree_bytes = tree_bytes

    def add(self, source: SourceFile, choice: Sequence[float], *, gap_tokens: int) -> None:
        """Begin with a file; arguments as for `remove_natively`."""
        if not _is_for_natives(source):
            return
        limits = _Limits(tuple(choice), gap_tokens, source.is_aligned)
        self._tree_bytes -= len(source.text)
        keeps_tree = self._tree_bytes >= 0
        number = self._queue.add(*_file(source), choice, keeps_tree=keeps_tree, **limits.as_arguments())
        if number is not None:
            source.findings.ahead = RemovalAhead(limits, partial(self._queue.take, number))

    def __enter__(self) -> Self:
        self._queue.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._queue.__exit__(kind, error, trace)


@dataclass(frozen=True, slots=True)
class RemovalAhead:
    """One file in the queue: what was asked for, and how it is taken, once."""

    limits: "_Limits"
    take: Callable[[], RemovedNodes]


@dataclass(frozen=True, slots=True)
class _Limits:
    choice: tuple[float, ...]
    gap_tokens: int
    is_aligned: bool

    def as_arguments(self) -> "_Arguments":
        return {
            "is_aligned": self.is_aligned,
            "gap_tokens": self.gap_tokens,
            "parse_limit": PARSE_LIMIT,
            "match_limit": MATCH_LIMIT,
        }


class _Arguments(TypedDict):
    is_aligned: bool
    gap_tokens: int
    parse_limit: int
    match_limit: int


def _is_for_natives(source: SourceFile) -> bool:
    # What somebody else knows of the definitions counts for all steps; only the twin asks for it.
    return source.known is None and is_served_natively(source)


def _file(source: SourceFile) -> tuple[str, str, str]:
    """Return the text of a file, its grammar and the rules of its language."""
    language = source.language
    assert language is not None, source.path
    assert language.grammar is not None, language.name
    return source.text, language.grammar, removal_rules(language)
