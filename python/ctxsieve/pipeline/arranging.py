"""How much the lines of a file are about the task."""

import numpy as np

from ctxsieve.chunking import ChunkingOptions
from ctxsieve.compress import ScoredFile, SourceFile
from ctxsieve.graph import ProjectGraph
from ctxsieve.relevance import Ranking, TermMatcher, score_lines

__all__ = ["arrange_file"]


def arrange_file(
    graph: ProjectGraph,
    ranking: Ranking,
    matcher: TermMatcher,
    source: SourceFile,
    options: ChunkingOptions,
    *,
    error_lines_weight: float = 1.0,
) -> ScoredFile:
    """Return an indexed file with its lines scored by a ranking's terms, stack frames and imports.

    Lines that handle errors weigh `error_lines_weight` times as much.
    """
    document = graph.index.document(source.path)
    statements = graph.index.imports(document) if document is not None else ()
    traced_lines = ranking.traced_lines.get(document, ()) if document is not None else ()
    import_lines = frozenset(statement.line for statement in statements)
    scores = score_lines(
        source.lines,
        source.parsed.definitions,
        ranking,
        import_lines=import_lines,
        traced_lines=traced_lines,
        matcher=matcher,
        words=source.line_facts.words,
    )
    if error_lines_weight != 1.0:
        errors = np.array(source.line_facts.error_lines, dtype=np.intp)
        scores[errors] *= np.where(scores[errors] > 0, error_lines_weight, 1.0)
    return ScoredFile(source, scores, import_lines, options, traced_lines)
