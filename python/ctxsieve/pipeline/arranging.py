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
        words=source.line_facts.words,
    )
    if error_lines_weight != 1.0:
        errors = np.array(source.line_facts.error_lines, dtype=np.intp)
        scores[errors] *= np.where(scores[errors] > 0, error_lines_weight, 1.0)
    return arrange_lines(source, scores, import_lines, options)


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
    is_code = source.language is not None and source.language.kind is LanguageKind.CODE
    return Arrangement(chunks, of_chunks, source.parsed.definitions, options, is_code)
