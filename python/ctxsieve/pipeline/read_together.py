"""Several files read in one answer: repeats left out, and the text ordered by what the task is about (SPEC 6, 7)."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from ctxsieve.chunking import Arrangement, ChunkingOptions
from ctxsieve.compress import (
    Mode,
    NodeClass,
    Piece,
    Skeleton,
    SourceFile,
    arrange_lines,
    compose,
    find_lines,
    find_removable_nodes,
    find_whole_nodes,
    is_code,
    keeps_parsing,
    leave_out,
    pieces_of_rendering,
    present_pieces,
    shown_lines,
)
from ctxsieve.dedup import DedupOptions, KeptNames, Repeat, plan_suppression
from ctxsieve.fragments import LineRange
from ctxsieve.graph import scan_imports
from ctxsieve.pipeline.anchors import anchor_rows
from ctxsieve.pipeline.loaded import costs_of_lines, loaded_file
from ctxsieve.pipeline.reading import AS_ASKED, ReadFile, Reading
from ctxsieve.relevance import Ranking, TermMatcher
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass, field, replace

__all__ = ["present_together"]

# The modes from which whole nodes may go; everything else is shown as it was asked for.
_NODE_MODES = (Mode.AGGRESSIVE, Mode.ENTROPY, Mode.TASK)
# Where the text without all repeats no longer parses, so many texts without some of them are tried.
_TRIED_TEXTS = 16
# What the anchor of several files may cost.
_ANCHOR_TOKENS = 60


def present_together(
    files: Sequence[ReadFile], ranking: Ranking | None, *, chunking: ChunkingOptions, dedup: DedupOptions
) -> tuple[Reading, ...]:
    """Return the readings of one answer.

    Their `content` loses what stands in the answer before, as whole nodes and only while the rest parses as well as
    the file. With a task, `arranged` has the same lines with the chunks that match first, and the reading that the
    ranking puts first carries the anchor.
    """
    matcher = None if ranking is None else TermMatcher(ranking.terms, ranking.term_weights)
    parts = [_Part.of(file) for file in files]
    loaded = [
        loaded_file(
            file.source,
            file.reading.lines,
            matcher,
            is_verbatim=not part.pieces,
            nodes=part.nodes,
            costs=part.costs,
            crosses_gaps=True,
            comments=part.comments,
            is_exact=not is_code(file.source),
            names=partial(part.names, dedup) if is_code(file.source) else None,
        )
        for file, part in zip(files, parts, strict=True)
    ]
    result = []
    for part, repeats in zip(parts, plan_suppression(loaded, dedup), strict=True):
        file, pieces = part.without(repeats) if repeats else (part.file, part.pieces)
        result.append(_arranged(file, pieces, chunking))
    return tuple(_with_anchor(result, files, ranking, chunking))


@dataclass(frozen=True, slots=True)
class _Part:
    """A file of the answer; without pieces nothing of it may go.

    What goes from code is whole nodes, from anything else whole lines that begin no section.
    """

    file: ReadFile
    pieces: Sequence[Piece]
    known: list[Skeleton] = field(default_factory=list)
    known_comments: list[frozenset[int]] = field(default_factory=list)

    @classmethod
    def of(cls, file: ReadFile) -> "_Part":
        """Return a file with the pieces of what is shown of it.

        A file that came whole because no node of it was dull enough may still have some that stand in the answer.
        """
        reading = file.reading
        if reading.mode in _NODE_MODES:
            pieces = pieces_of_rendering(reading.content, reading.lines, reading.omitted_lines) or []
        elif file.asked in _NODE_MODES and reading.mode == Mode.FULL and reading.content:
            text = reading.content if reading.content.endswith("\n") else f"{reading.content}\n"
            pieces = [Piece(span, text, True) for span in reading.lines]
        else:
            pieces = []
        return cls(file, pieces if is_code(file.source) or _are_verbatim(file.source, pieces) else [])

    def nodes(self) -> list[LineRange]:
        """Return the lines of everything that may go as a whole."""
        source = self.file.source
        return find_whole_nodes(source, self._skeleton()) if is_code(source) else find_lines(source)

    def costs(self) -> list[float]:
        """Return what each line costs in the content, a gap at its first line."""
        costs = costs_of_lines(self.file.reading.content)
        by_line = [0.0] * len(self.file.source.lines)
        at = 0
        for piece in self.pieces:
            count = piece.span.last - piece.span.first + 1 if piece.is_shown else 1
            by_line[piece.span.first - 1 : piece.span.first - 1 + count] = costs[at : at + count]
            at += count
        return by_line

    def comments(self) -> frozenset[int]:
        """Return the lines that are comments or documentation."""
        if not self.known_comments:
            nodes = [node for node in self._skeleton().nodes if node.kind in (NodeClass.COMMENT, NodeClass.DOC)]
            lines = (line for node in nodes for line in range(node.first_line, node.last_line + 1))
            self.known_comments.append(frozenset(lines))
        return self.known_comments[0]

    def names(self, options: DedupOptions) -> KeptNames:
        """Return the names that must not all go with what repeats."""
        file = self.file
        return KeptNames(file.source.lines, file.reading.lines, self.comments, allowance=options.lost_identifiers)

    def without(self, repeats: Sequence[Repeat]) -> tuple[ReadFile, Sequence[Piece]]:
        """Return the file without its repeats, as it was where that would not parse or costs no less."""
        file = self.file
        kept = self._that_parse(repeats)
        changed = self._hidden(kept)
        content = self._content(changed)
        tokens = count_tokens(content)
        if not kept or tokens >= file.reading.tokens:
            return file, self.pieces
        shown, omitted = shown_lines(changed, len(file.source.lines))
        reading = replace(file.reading, content=content, tokens=tokens, lines=shown, omitted_lines=omitted)
        if reading.mode == Mode.FULL and file.asked is not None:
            reading = replace(reading, mode=file.asked.value, reason=AS_ASKED)
        return replace(file, reading=reading), changed

    def _that_parse(self, repeats: Sequence[Repeat]) -> list[Repeat]:
        """Return the repeats without which the text parses: all of them or, by halves, as many as are found in time."""
        if not is_code(self.file.source):
            return list(repeats)
        kept: list[Repeat] = []
        waiting = [list(repeats)]
        for _ in range(_TRIED_TEXTS):
            if not waiting:
                break
            part = waiting.pop()
            if keeps_parsing(self.file.source, self._content(self._hidden([*kept, *part]))):
                kept += part
            elif len(part) > 1:
                waiting += [part[len(part) // 2 :], part[: len(part) // 2]]
        return kept

    def _hidden(self, repeats: Sequence[Repeat]) -> list[Piece]:
        hidden = [(repeat.hidden, repeat.note) for repeat in repeats]
        return leave_out(self.file.source, self.pieces, hidden, self._skeleton())

    def _content(self, pieces: Sequence[Piece]) -> str:
        text = compose(pieces)
        return text if self.file.reading.content.endswith("\n") else text.removesuffix("\n")

    def _skeleton(self) -> Skeleton:
        if not self.known:
            self.known.append(find_removable_nodes(self.file.source) if is_code(self.file.source) else Skeleton())
        return self.known[0]


def _are_verbatim(source: SourceFile, pieces: Sequence[Piece]) -> bool:
    """Say whether what is shown are the file's own lines; cells of notebooks are not."""
    return all(
        piece.text == "".join([f"{line}\n" for line in source.lines[piece.span.first - 1 : piece.span.last]])
        for piece in pieces
        if piece.is_shown
    )


def _arranged(file: ReadFile, pieces: Sequence[Piece], chunking: ChunkingOptions) -> Reading:
    """Return the reading with its text in the order of presentation, where that is another one and no dearer."""
    reading = file.reading
    if not pieces or not len(file.line_scores) or reading.mode == Mode.FULL:
        return reading
    order = _arrangement(file, chunking).sections_of_text(reading.lines, file.source.lines)
    text = present_pieces(file.source, pieces, order)
    if text == compose(pieces) or count_tokens(text) > reading.original_tokens:
        return reading
    return replace(reading, arranged=text)


def _with_anchor(
    readings: Sequence[Reading], files: Sequence[ReadFile], ranking: Ranking | None, chunking: ChunkingOptions
) -> list[Reading]:
    """Return the readings, that of the most relevant file with the anchor of the answer."""
    result = list(readings)
    ranks = {} if ranking is None else {file.path: rank for rank, file in enumerate(ranking.files)}
    candidates = [i for i, file in enumerate(files) if len(file.line_scores) and readings[i].lines]
    if not chunking.anchor or not candidates:
        return result
    best = min(candidates, key=lambda i: (ranks.get(readings[i].path, len(ranks)), i))
    top = _arrangement(files[best], chunking).top_chunk(readings[best].lines)
    if top is not None:
        rows = anchor_rows(files[best].source, top, limit_tokens=_ANCHOR_TOKENS)
        result[best] = replace(result[best], anchor=rows)
    return result


def _arrangement(file: ReadFile, chunking: ChunkingOptions) -> Arrangement:
    source = file.source
    imports = frozenset(statement.line for statement in scan_imports(source.data, source.language))
    return arrange_lines(source, np.asarray(file.line_scores), imports, chunking)
