"""A file without some of its nodes, checked by parsing what is left."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ctxsieve._kernels import PARSE_LIMIT, syntax_nodes
from ctxsieve.compress.costs import MARKER_TOKENS, LineCosts
from ctxsieve.compress.modes import Mode, Rendering, complement, merge_ranges
from ctxsieve.compress.nodes import NodeClass, RemovableNode, count_errors
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["Removal", "remove_nodes"]

_NO_PARENT = 0xFFFFFFFF
_NAMED = 1
_NAMED_OR_EXTRA = 1 | 8
# Tried one after the other while the text that is left has more errors than its source.
_SAFER = (NodeClass.STATEMENT, NodeClass.IMPORT, NodeClass.DOC, NodeClass.COMMENT)


@dataclass(frozen=True, slots=True)
class Removal:
    """A rendering and, where less was left out than was asked for, the reason; `rendering` is None for nothing."""

    rendering: Rendering | None
    reason: str


def remove_nodes(
    source: SourceFile, nodes: Sequence[RemovableNode], costs: LineCosts, mode: Mode, *, gap_tokens: int = MARKER_TOKENS
) -> Removal:
    """Return the file without the nodes, each gap marked by a comment with the lines it hides.

    Gaps of at most `gap_tokens` stay: a marker costs as much. The text that is left has no more error nodes than
    the source: while it had more, the less safe classes of nodes stay as well.
    """
    language = source.language
    if language is None or language.grammar is None:
        return Removal(None, "there is no grammar to check with")
    tried: list[tuple[tuple[LineRange, ...], str]] = []
    for limit in (NodeClass.STATEMENT, *_SAFER[1:]):
        chosen = [node for node in nodes if node.kind <= limit]
        gaps = _gaps(source, chosen, costs, gap_tokens)
        if gaps and (not tried or tried[-1][0] != gaps):
            tried.append((gaps, _assemble(source, gaps, _emptied(source, gaps, chosen))))
    if not tried:
        return Removal(None, "nothing in it may be left out at a gain")
    texts = [content.encode("utf-8", "surrogatepass") for _, content in tried]
    before, first = count_errors([source.data, texts[0]], language)
    if before is None:
        return Removal(None, "it is too large to be parsed")
    counts = [first] if first is not None and first <= before else [first, *count_errors(texts[1:], language)]
    for number, (count, (gaps, content)) in enumerate(zip(counts, tried, strict=False)):
        if count is not None and count <= before:
            shown = complement(gaps, len(source.lines))
            reason = "" if number == 0 else "less was left out, so that the rest still parses"
            return Removal(Rendering(mode, content, shown, gaps), reason)
    return Removal(None, "it would no longer parse with anything left out")


def _gaps(
    source: SourceFile, nodes: Iterable[RemovableNode], costs: LineCosts, gap_tokens: int
) -> tuple[LineRange, ...]:
    """Return the lines to hide: nodes next to each other and the blank lines between them are one gap."""
    joined: list[LineRange] = []
    for span in merge_ranges([LineRange(node.first_line, node.last_line) for node in nodes]):
        if joined and not any(line.strip() for line in source.lines[joined[-1].last : span.first - 1]):
            joined[-1] = LineRange(joined[-1].first, span.last)
        else:
            joined.append(span)
    return tuple(span for span in joined if costs.of(span.first, span.last) > gap_tokens)


def _assemble(source: SourceFile, gaps: Sequence[LineRange], emptied: Collection[LineRange]) -> str:
    parts, following = [], 1
    for gap in gaps:
        if following < gap.first:
            parts.append(source.text_of(LineRange(following, gap.first - 1)))
        parts.append(_marker(source, gap, is_emptied=gap in emptied))
        following = gap.last + 1
    if following <= len(source.lines):
        parts.append(source.text_of(LineRange(following, len(source.lines))))
    return "".join(parts)


def _marker(source: SourceFile, gap: LineRange, *, is_emptied: bool) -> str:
    """Return the comment that stands for hidden lines, indented and ended like the first of them."""
    language = source.language
    assert language is not None, source.path
    text = source.lines[gap.first - 1]
    indent = text[: len(text) - len(text.lstrip())]
    span = f"{gap.first}" if gap.first == gap.last else f"{gap.first}-{gap.last}"
    comment = language.comment(f"... {span}")
    filler = f"{language.ellipsis}  " if is_emptied and language.ellipsis else ""
    ending = "\r\n" if text.endswith("\r") else "\n"
    is_end = gap.last == len(source.lines) and not source.text.endswith("\n")
    return f"{indent}{filler}{comment}{'' if is_end else ending}"


def _emptied(source: SourceFile, gaps: Sequence[LineRange], nodes: Sequence[RemovableNode]) -> set[LineRange]:
    """Return the gaps that hold all statements of a block, in languages where a block may not be empty."""
    language = source.language
    if language is None or language.grammar is None or language.ellipsis is None:
        return set()
    tree = syntax_nodes([source.data], language.grammar, parse_limit=PARSE_LIMIT, threads=1)
    if len(tree.parent) == 0:
        return set()
    hidden = np.zeros(len(source.lines) + 1, dtype=bool)
    for gap in gaps:
        hidden[gap.first - 1 : gap.last] = True
    spans = np.array([(node.start_byte, node.end_byte) for node in nodes], dtype=np.uint64).reshape(-1, 2)
    keys = (tree.start_byte.astype(np.uint64) << np.uint64(32)) | tree.end_byte
    removed = np.isin(keys, (spans[:, 0] << np.uint64(32)) | spans[:, 1])
    # Where something removed stands directly below, the statements are the named nodes that are no extras (comments).
    parents = np.unique(tree.parent[removed & (tree.parent != _NO_PARENT) & (tree.parent != 0)])
    is_statement = (tree.flags & _NAMED_OR_EXTRA) == _NAMED
    emptied: set[LineRange] = set()
    for parent in parents.tolist():
        rows = tree.start_row[(tree.parent == parent) & is_statement]
        if len(rows) and hidden[np.minimum(rows, len(source.lines))].all():
            line = int(rows[0]) + 1
            emptied |= {gap for gap in gaps if gap.first <= line <= gap.last}
    return emptied
