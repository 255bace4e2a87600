"""A file with the scores of its lines: its chunks, and what is shown of it for a number of tokens.

The native core does it in one go where what the lines cost is known; `ctxsieve.chunking` and `selection` are its twin.
"""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ctxsieve import _kernels
from ctxsieve.chunking import (
    FUNCTION_KINDS,
    VALUE_KINDS,
    Arrangement,
    ChunkingOptions,
    ChunkKind,
    ChunkTable,
    chunk_source,
)
from ctxsieve.compress.modes import Mode, Rendering, complement
from ctxsieve.compress.source import SourceFile
from ctxsieve.compress.traced import innermost_definition
from ctxsieve.fragments import DefinitionTable, LineRange
from ctxsieve.languages import LanguageKind
from ctxsieve.values import replace

if TYPE_CHECKING:
    from ctxsieve._kernels import ScoredChunks

__all__ = ["ScoredFile", "arrange_lines"]

_KINDS = tuple(ChunkKind)
# What the kind of a definition means for chunks; types are 0.
_ROLES = {
    **dict.fromkeys(FUNCTION_KINDS, 1),
    **dict.fromkeys(VALUE_KINDS, 2),
}
_WORDS = "... 1-2"
# What a line begins with that belongs to a statement before it.
_GOES_ON = (" ", "\t", ")", "]", "}")


class ScoredFile:
    """A file with the scores of its lines, and what follows from them for every budget; traced lines come first."""

    def __init__(
        self,
        source: SourceFile,
        scores: npt.NDArray[np.float64],
        import_lines: Collection[int],
        options: ChunkingOptions,
        traced_lines: Collection[int] = (),
    ) -> None:
        self._source = source
        self._scores = scores
        self._import_lines = import_lines
        self._traced_lines = [line for line in traced_lines if 1 <= line <= len(source.lines)]
        self._options = options
        if self._traced_lines and options.ordered:
            table = DefinitionTable.of(source.parsed.definitions)
            if any(innermost_definition(table, line) < 0 for line in self._traced_lines):
                # Lines around a statement at file level may be a part of it: it is read in the order of the source.
                self._options = replace(options, ordered=False)

    @cached_property
    def arrangement(self) -> Arrangement:
        """Its chunks with their scores, and the order in which they are presented."""
        if self._native is None:
            return arrange_lines(self._source, self._scores, self._import_lines, self._options)
        kinds, firsts, lasts, owners, scores = (column.tolist() for column in self._native.columns())
        names = DefinitionTable.of(self._source.parsed.definitions).qualified_names
        rows = zip(
            [_KINDS[kind] for kind in kinds],
            ["" if owner < 0 else names[owner] for owner in owners],
            *(firsts, lasts),
            [None if owner < 0 else owner for owner in owners],
            strict=True,
        )
        definitions = self._source.parsed.definitions
        chunks = ChunkTable(rows)
        options = _options_of(self._source.lines, chunks.first_lines, chunks.definitions, self._options)
        return Arrangement(chunks, scores, definitions, options, _is_code(self._source))

    def render(self, *, budget_tokens: int, structure_first: bool = False) -> Rendering:
        """Return the file with its best chunks in full and the signatures of the rest; see `render_chunks`."""
        if self._native is None or self._traced_lines:
            from ctxsieve.compress.selection import render_chunks

            return render_chunks(
                self._source,
                self.arrangement,
                budget_tokens=budget_tokens,
                structure_first=structure_first,
                traced_lines=self._traced_lines,
            )
        content, spans, tokens = self._native.choose(budget_tokens, structure_first)
        shown = tuple(LineRange(first, last) for first, last in spans)
        return Rendering(Mode.TASK, content, shown, complement(shown, len(self._source.lines)), tokens)

    @cached_property
    def _native(self) -> "ScoredChunks | None":
        file = self._chunked(self._options)
        if file is None or not self._options.ordered:
            return file
        _, firsts, _, owners, _ = (column.tolist() for column in file.columns())
        known = [None if owner < 0 else owner for owner in owners]
        options = _options_of(self._source.lines, firsts, known, self._options)
        return file if options.ordered else self._chunked(options)

    def _chunked(self, options: ChunkingOptions) -> "ScoredChunks | None":
        source, facts = self._source, self._source.known_lines
        comment = _comment(source)
        if facts is None or comment is None:
            return None
        table = DefinitionTable.of(source.parsed.definitions)
        try:
            return _kernels.chunk_file(
                source.text,
                facts.spelled if source.is_aligned else None,
                line_tokens=facts.line_tokens,
                tokens=facts.tokens,
                scores=self._scores,
                roles=bytes([_ROLES.get(kind, 0) for kind in table.kinds]),
                spans=(table.first_lines, table.last_lines, table.parents),
                signatures=source.signature_lines,
                import_lines=[*self._import_lines],
                limits=(options.maximum_lines, options.part_lines, options.own_value_lines),
                is_ordered=options.ordered and _is_code(source),
                match_share=options.match_share,
                comment=comment,
                layout=source.parsed.layout,
            )
        except UnicodeEncodeError:
            # A lone surrogate is no text for the native core.
            return None


def arrange_lines(
    source: SourceFile, scores: npt.NDArray[np.float64], import_lines: Collection[int], options: ChunkingOptions
) -> Arrangement:
    """Return the chunks of a file; each has the middle between the score of its best line and that of its average."""
    chunks = chunk_source(source.lines, source.parsed, import_lines, options)
    numbers: list[float] = scores.tolist()
    add = np.add.reduce
    of_chunks = [
        (max(numbers[first - 1 : last]) + float(add(scores[first - 1 : last])) / (last - first + 1)) / 2
        for first, last in zip(chunks.first_lines, chunks.last_lines, strict=True)
    ]
    options = _options_of(source.lines, chunks.first_lines, chunks.definitions, options)
    return Arrangement(chunks, of_chunks, source.parsed.definitions, options, _is_code(source))


def _options_of(
    lines: Sequence[str], first_lines: Sequence[int], owners: Sequence[int | None], options: ChunkingOptions
) -> ChunkingOptions:
    """Return the options for a file: one in which a statement at file level is cut keeps the order of its source.

    Such a statement (a long callback, a module in a function without a name) is no definition: elsewhere its parts
    would read as the body of something else.
    """
    if not options.ordered:
        return options
    for first, owner in zip(first_lines, owners, strict=True):
        if owner is None:
            # Blank lines go with what follows them.
            text = next((line for line in lines[first - 1 :] if line.strip()), "")
            if text[:1] in _GOES_ON:
                return replace(options, ordered=False)
    return options


def _is_code(source: SourceFile) -> bool:
    return source.language is not None and source.language.kind is LanguageKind.CODE


def _comment(source: SourceFile) -> tuple[str, str] | None:
    """Return what stands before and behind the words of a comment, None where they would change."""
    if source.language is None:
        return "", ""
    before, words, after = source.language.comment(_WORDS).partition(_WORDS)
    return (before, after) if words else None
