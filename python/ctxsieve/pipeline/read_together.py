"""Several files read in one answer: repeats left out, and the text ordered by what the task is about (SPEC 6, 7)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ctxsieve.chunking import Arrangement, ChunkingOptions
from ctxsieve.compress import (
    Mode,
    Piece,
    SourceFile,
    compose,
    find_whole_nodes,
    hide_lines,
    is_code,
    keeps_parsing,
    pieces_of_rendering,
    present_pieces,
    shown_lines,
)
from ctxsieve.dedup import DedupOptions, Repeat, plan_suppression
from ctxsieve.graph import scan_imports
from ctxsieve.pipeline.anchors import anchor_rows
from ctxsieve.pipeline.arranging import arrange_lines
from ctxsieve.pipeline.loaded import loaded_file, repeat_mark
from ctxsieve.pipeline.reading import ReadFile, Reading
from ctxsieve.relevance import Ranking, TermMatcher
from ctxsieve.tokens import count_tokens

__all__ = ["present_together"]

# The modes from which whole nodes may go; everything else is shown as it was asked for.
_NODE_MODES = (Mode.AGGRESSIVE, Mode.ENTROPY, Mode.TASK)
# Where the text without all repeats no longer parses, so many are tried one by one.
_TRIED_REPEATS = 8
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
    pieces = [_pieces(file) for file in files]
    loaded = [
        loaded_file(
            file.source,
            file.reading.lines,
            matcher,
            is_verbatim=part is None,
            nodes=partial(find_whole_nodes, file.source),
        )
        for file, part in zip(files, pieces, strict=True)
    ]
    result = []
    for file, part, repeats in zip(files, pieces, plan_suppression(loaded, dedup), strict=True):
        if part is not None and repeats:
            file, part = _without(file, part, repeats)
        result.append(_arranged(file, part, chunking))
    return tuple(_with_anchor(result, files, ranking, chunking))


def _pieces(file: ReadFile) -> list[Piece] | None:
    """Return the pieces of a reading from which nodes may go, None for any other."""
    reading = file.reading
    if reading.mode not in _NODE_MODES or not is_code(file.source):
        return None
    return pieces_of_rendering(reading.content, reading.lines, reading.omitted_lines)


def _without(file: ReadFile, pieces: list[Piece], repeats: Sequence[Repeat]) -> tuple[ReadFile, list[Piece]]:
    kept: list[Repeat] = []
    changed = _hidden(file.source, pieces, repeats)
    if not _still_parses(file, changed):
        for repeat in repeats[:_TRIED_REPEATS]:
            if _still_parses(file, _hidden(file.source, pieces, [*kept, repeat])):
                kept.append(repeat)
        changed = _hidden(file.source, pieces, kept)
    content = _content(file, changed)
    shown, omitted = shown_lines(changed, len(file.source.lines))
    reading = replace(file.reading, content=content, tokens=count_tokens(content), lines=shown, omitted_lines=omitted)
    return replace(file, reading=reading), changed


def _hidden(source: SourceFile, pieces: list[Piece], repeats: Sequence[Repeat]) -> list[Piece]:
    for repeat in repeats:
        pieces = hide_lines(pieces, repeat.hidden, repeat_mark(source, repeat))
    return pieces


def _content(file: ReadFile, pieces: Sequence[Piece]) -> str:
    text = compose(pieces)
    return text if file.reading.content.endswith("\n") else text.removesuffix("\n")


def _still_parses(file: ReadFile, pieces: Sequence[Piece]) -> bool:
    return keeps_parsing(file.source, _content(file, pieces))


def _arranged(file: ReadFile, pieces: Sequence[Piece] | None, chunking: ChunkingOptions) -> Reading:
    """Return the reading with its text in the order of presentation, where that is another one and no dearer."""
    reading = file.reading
    if pieces is None or not len(file.line_scores):
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
