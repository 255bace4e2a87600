"""Several files read in one answer: repeats left out, and the text ordered by what the task is about."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import flat_lines
from ctxsieve.chunking import Arrangement, ChunkingOptions
from ctxsieve.compress import (
    Mode,
    NodeClass,
    Piece,
    Rendering,
    SourceFile,
    arrange_lines,
    bounds_of_classes,
    bounds_of_whole_nodes,
    compose,
    find_lines,
    is_code,
    keeps_parsing,
    leave_out,
    leave_out_natively,
    pieces_of_rendering,
    present_pieces,
    shown_lines,
)
from ctxsieve.dedup import DedupOptions, LoadedFile, Repeat, ShownText, plan_suppression
from ctxsieve.graph import scan_imports
from ctxsieve.pipeline.anchors import anchor_rows
from ctxsieve.pipeline.loaded import term_shares
from ctxsieve.pipeline.reading import AS_ASKED, ReadFile, Reading
from ctxsieve.relevance import Ranking, TermMatcher
from ctxsieve.tokens import count_tokens
from ctxsieve.values import replace

__all__ = ["present_together"]

# The modes from which whole nodes may go; everything else is shown as it was asked for.
_NODE_MODES = (Mode.AGGRESSIVE, Mode.ENTROPY, Mode.TASK)
_COMMENTS = (NodeClass.COMMENT, NodeClass.DOC)
# Where the text without all repeats no longer parses, so many texts without some of them are tried.
_TRIED_TEXTS = 16
# What the anchor of several files may cost.
_ANCHOR_TOKENS = 60


def present_together(
    files: Sequence[ReadFile],
    ranking: Ranking | None,
    *,
    chunking: ChunkingOptions,
    dedup: DedupOptions,
    threads: int,
) -> tuple[Reading, ...]:
    """Return the readings of one answer; what is left of so many files is parsed at the same time.

    Their `content` loses what stands in the answer before, as whole nodes and only while the rest parses as well as
    the file. With a task, `arranged` has the same lines with the chunks that match first, and the reading that the
    ranking puts first carries the anchor.
    """
    matcher = None if ranking is None else TermMatcher(ranking.terms, ranking.term_weights)
    parts = [_Part(file) for file in files]
    if dedup.enabled:
        plans = plan_suppression([part.loaded(matcher, dedup) for part in parts], dedup, threads=threads)
        parts = _each_without(parts, plans, threads)
    result = [_arranged(part, chunking) for part in parts]
    return tuple(_with_anchor(result, files, ranking, chunking))


class _Part:
    """A file of the answer.

    What goes from code is whole nodes, from anything else whole lines that begin no section.
    """

    def __init__(self, file: ReadFile, pieces: Sequence[Piece] | None = None) -> None:
        self.file = file
        self._pieces = pieces

    @property
    def pieces(self) -> Sequence[Piece]:
        """What is shown of the file, empty where nothing of it may go.

        A file that came whole because no node of it was dull enough may still have some that stand in the answer.
        """
        if self._pieces is None:
            self._pieces = self._found_pieces()
        return self._pieces

    def _found_pieces(self) -> Sequence[Piece]:
        file, reading = self.file, self.file.reading
        pieces: Sequence[Piece] = []
        if reading.mode in _NODE_MODES:
            pieces = pieces_of_rendering(reading.content, reading.lines, reading.omitted_lines) or []
        elif self._came_whole:
            text = reading.content if reading.content.endswith("\n") else f"{reading.content}\n"
            pieces = [Piece(span, text, True) for span in reading.lines]
        return pieces if is_code(file.source) or _are_verbatim(file.source, pieces) else []

    @property
    def _came_whole(self) -> bool:
        reading = self.file.reading
        return self.file.asked in _NODE_MODES and reading.mode == Mode.FULL and bool(reading.content)

    @property
    def is_verbatim(self) -> bool:
        """Whether nothing of the file may go; pieces of code are only counted for it."""
        if not is_code(self.file.source):
            return not self.pieces
        reading = self.file.reading
        if reading.mode not in _NODE_MODES:
            return not (self._came_whole and reading.lines)
        count = sum(span.last - span.first + 1 for span in reading.lines) + len(reading.omitted_lines)
        return count == 0 or count != _count_lines(reading.content)

    def loaded(self, matcher: TermMatcher | None, options: DedupOptions) -> LoadedFile:
        """Return the file as the search for repeats sees it."""
        source, reading = self.file.source, self.file.reading
        return LoadedFile(
            path=source.path,
            text=source.text,
            shown=reading.lines,
            term_shares=term_shares(source, matcher),
            is_verbatim=self.is_verbatim,
            costs=ShownText(reading.content, reading.tokens, reading.omitted_lines),
            language=source.language,
            nodes=self._nodes,
            crosses_gaps=True,
            comments=partial(bounds_of_classes, source, _COMMENTS),
            is_exact=not is_code(source),
            lost_names=options.lost_identifiers if is_code(source) else None,
        )

    def _nodes(self) -> npt.NDArray[np.uint32]:
        """Return the lines of everything that may go as a whole."""
        source = self.file.source
        return bounds_of_whole_nodes(source) if is_code(source) else flat_lines(find_lines(source))

    def without(self, repeats: Sequence[Repeat]) -> "_Part":
        """Return the file without its repeats, as it was where that would not parse or costs no less."""
        file, before = self.file, self.file.reading
        whole = Rendering(Mode(before.mode), before.content, before.lines, before.omitted_lines, before.tokens)
        hidden = [(repeat.hidden, repeat.note) for repeat in repeats]
        done = None
        if is_code(file.source):
            done = leave_out_natively(file.source, whole, hidden, tried_texts=_TRIED_TEXTS)
        pieces = None
        if done is None:
            pieces = self._that_parses(repeats)
            shown, omitted = shown_lines(pieces, file.source.line_count)
            left: Rendering | None = Rendering(whole.mode, self._content(pieces), shown, omitted)
        else:
            left = done.rendering
        if left is None or left.tokens >= before.tokens:
            return self
        reading = replace(
            before, content=left.content, tokens=left.tokens, lines=left.shown, omitted_lines=left.omitted
        )
        if reading.mode == Mode.FULL and file.asked is not None:
            reading = replace(reading, mode=file.asked.value, reason=AS_ASKED)
        return _Part(replace(file, reading=reading), pieces)

    def _that_parses(self, repeats: Sequence[Repeat]) -> Sequence[Piece]:
        """Return the text without the repeats or, by halves, without as many as are found in time where it parses."""
        result: Sequence[Piece] = self.pieces
        kept: list[Repeat] = []
        waiting = [list(repeats)]
        for _ in range(_TRIED_TEXTS):
            if not waiting:
                break
            part = waiting.pop()
            pieces = self._hidden([*kept, *part])
            if not is_code(self.file.source) or self._keeps_parsing(pieces):
                kept += part
                result = pieces
            elif len(part) > 1:
                waiting += [part[len(part) // 2 :], part[: len(part) // 2]]
        return result

    def _keeps_parsing(self, pieces: Sequence[Piece]) -> bool:
        _, gaps = shown_lines(pieces, self.file.source.line_count)
        return keeps_parsing(self.file.source, self._content(pieces), gaps)

    def _hidden(self, repeats: Sequence[Repeat]) -> list[Piece]:
        hidden = [(repeat.hidden, repeat.note) for repeat in repeats]
        return leave_out(self.file.source, self.pieces, hidden)

    def _content(self, pieces: Sequence[Piece]) -> str:
        text = compose(pieces)
        return text if self.file.reading.content.endswith("\n") else text.removesuffix("\n")


def _each_without(parts: Sequence[_Part], plans: Sequence[Sequence[Repeat]], threads: int) -> list[_Part]:
    changed = list(parts)
    waiting = [number for number, repeats in enumerate(plans) if repeats]

    def leave_out(number: int) -> None:
        changed[number] = parts[number].without(plans[number])

    if threads == 1 or len(waiting) < 2:
        for number in waiting:
            leave_out(number)
        return changed
    from concurrent.futures import ThreadPoolExecutor

    # Neither the native core nor parsing needs the interpreter lock.
    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(leave_out, waiting))
    return changed


def _are_verbatim(source: SourceFile, pieces: Sequence[Piece]) -> bool:
    """Say whether what is shown are the file's own lines; cells of notebooks are not."""
    return all(
        piece.text == "".join([f"{line}\n" for line in source.lines[piece.span.first - 1 : piece.span.last]])
        for piece in pieces
        if piece.is_shown
    )


def _count_lines(text: str) -> int:
    return text.count("\n") + (text != "" and not text.endswith("\n"))


def _arranged(part: _Part, chunking: ChunkingOptions) -> Reading:
    """Return the reading with its text in the order of presentation, where that is another one and no dearer."""
    file, reading = part.file, part.file.reading
    if not len(file.line_scores) or reading.mode == Mode.FULL or not part.pieces:
        return reading
    pieces = part.pieces
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
