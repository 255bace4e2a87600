"""The chunks of a file, how much each is about the task, and the order that follows."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from ctxsieve.chunking import Arrangement, ChunkingOptions, chunk_source
from ctxsieve.compress import SourceFile
from ctxsieve.graph import ProjectGraph
from ctxsieve.languages import LanguageKind
from ctxsieve.relevance import Ranking, TermMatcher, score_lines

__all__ = ["arrange_file", "arrange_lines"]


def arrange_file(
    graph: ProjectGraph,
    ranking: Ranking,
    matcher: TermMatcher,
    source: SourceFile,
    options: ChunkingOptions,
    *,
    error_lines_weight: float = 1.0,
) -> Arrangement:
    """Return the chunks of an indexed file, scored by a ranking's terms, stack frames and imports.

    Lines that handle errors weigh `error_lines_weight` times as much.
    """
    document = graph.index.document(source.path)
    statements = graph.index.imports(document) if document is not None else ()
    import_lines = frozenset(statement.line for statement in statements)
    scores = score_lines(
        source.lines,
        source.parsed.definitions,
        ranking,
        import_lines=import_lines,
        traced_lines=ranking.traced_lines.get(document, ()) if document is not None else (),
        matcher=matcher,
    )
    if error_lines_weight != 1.0:
        from ctxsieve.compress import handles_errors

        for line, text in enumerate(source.lines):
            if scores[line] > 0 and handles_errors(text):
                scores[line] *= error_lines_weight
    return arrange_lines(source, scores, import_lines, options)


def arrange_lines(
    source: SourceFile, scores: npt.NDArray[np.float64], import_lines: Collection[int], options: ChunkingOptions
) -> Arrangement:
    """Return the chunks of a file; each has the middle between the score of its best line and that of its average."""
    chunks = chunk_source(source.lines, source.parsed, import_lines, options)
    parts = [scores[chunk.span.first - 1 : chunk.span.last] for chunk in chunks]
    of_chunks = tuple((float(part.max()) + float(part.sum()) / len(part)) / 2 if len(part) else 0.0 for part in parts)
    is_code = source.language is not None and source.language.kind is LanguageKind.CODE
    return Arrangement(chunks, of_chunks, source.parsed.definitions, options, is_code)
