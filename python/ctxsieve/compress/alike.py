"""Whether what is shown of a source is read as it was: some grammars know two readings of the same words."""

from collections.abc import Iterable, Sequence

import numpy as np

from ctxsieve._kernels import NODE_IS_EXTRA, PARSE_LIMIT, syntax_nodes
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.languages import Language

__all__ = ["is_read_alike"]

_NEWLINE = 10
_WHITE_SPACE = np.frombuffer(b" \t\n\r\x0b\x0c", dtype=np.uint8)


def is_read_alike(source: SourceFile, content: str, gaps: Sequence[LineRange]) -> bool:
    """Say whether what is shown of a file is read as it was.

    The leaves on shown lines have the same kinds, under parents of the same kinds; one line stands for each gap.
    Comments and white space do not count, and neither do texts of which only some lines are shown.
    """
    assert source.language is not None, source.path
    shorter = np.cumsum([0, *(gap.last - gap.first for gap in gaps)]).tolist()
    marks = [gap.first - 1 - missing for gap, missing in zip(gaps, shorter, strict=False)]
    data = content.encode("utf-8", "surrogatepass")
    before = _kinds_outside(source.data, source.language, [range(gap.first - 1, gap.last) for gap in gaps])
    after = _kinds_outside(data, source.language, [range(row, row + 1) for row in marks])
    return before == after


def _kinds_outside(data: bytes, language: Language, rows: Iterable[range]) -> list[tuple[int, int]]:
    """Return the kind of each leaf that is no white space and touches none of these rows, and its parent's."""
    assert language.grammar is not None, language.name
    nodes = syntax_nodes([data], language.grammar, parse_limit=PARSE_LIMIT, threads=1)
    text = np.frombuffer(data, dtype=np.uint8)
    inked = np.concatenate(([0], np.cumsum(~np.isin(text, _WHITE_SPACE))))
    is_leaf = (inked[nodes.end_byte] > inked[nodes.start_byte]) & ((nodes.flags & NODE_IS_EXTRA) == 0)
    parents = nodes.parent.astype(np.int64)
    is_leaf[parents[1:]] = False
    is_leaf[:1] = False
    first, last = nodes.start_row.astype(np.int64), nodes.end_row.astype(np.int64)
    ends = text[np.maximum(nodes.end_byte.astype(np.int64), 1) - 1] == _NEWLINE
    last -= ends & (last > first)
    is_skipped = np.zeros(int(last.max(initial=0)) + 2, dtype=np.int64)
    for span in rows:
        is_skipped[span.start : span.stop] = 1
    skipped = np.concatenate(([0], np.cumsum(is_skipped)))
    found = np.flatnonzero(is_leaf & (skipped[last + 1] == skipped[first]))
    return list(zip(nodes.kind[found].tolist(), nodes.kind[parents[found]].tolist(), strict=True))
