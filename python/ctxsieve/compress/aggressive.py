"""The modes that leave nodes out by what they tell: aggressive and entropy."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ctxsieve.compress.costs import MARKER_TOKENS, LineCosts
from ctxsieve.compress.modes import Mode
from ctxsieve.compress.nodes import NodeClass, RemovableNode, find_removable_nodes
from ctxsieve.compress.options import CompressionOptions
from ctxsieve.compress.removal import Removal, remove_nodes
from ctxsieve.compress.source import SourceFile
from ctxsieve.surprise import score_lines

__all__ = ["render_aggressive", "render_entropy"]

_WORD = re.compile(r"[^\W\d]\w*")
# `aggressive` looks at dull statements first and at livelier ones only while it has not saved enough.
_STEPS = 5


def render_aggressive(source: SourceFile, options: CompressionOptions | None = None) -> Removal:
    """Return the file without comments, doc strings, boilerplate and statements that tell little.

    Statements go by rising surprise, ties to the earlier one. A statement stays where names would be lost with it;
    definitions stay with their signatures, and so do imports.
    """
    options = options or CompressionOptions()
    costs = LineCosts(source)
    nodes = find_removable_nodes(source)
    chosen = [node for node in nodes if node.kind in (NodeClass.COMMENT, NodeClass.DOC, NodeClass.BOILERPLATE)]
    surprise = _surprise_of(source, nodes)
    ledger = _Names(source, chosen, options.lost_identifiers)
    left = costs.of(1, len(source.lines))
    wanted = left * options.aggressive_share
    left -= ledger.hide(chosen, costs)
    statements = _by_surprise(nodes, surprise, (NodeClass.STATEMENT,))
    for step in range(1, _STEPS + 1):
        ceiling = options.aggressive_surprise * step / _STEPS
        for node in statements:
            if left <= wanted:
                break
            if surprise[node] <= ceiling and ledger.may_hide(node):
                left -= ledger.hide([node], costs)
                chosen.append(node)
    return remove_nodes(source, chosen, costs, Mode.AGGRESSIVE, gap_tokens=options.gap_tokens)


def render_entropy(
    source: SourceFile, share: float | None = None, options: CompressionOptions | None = None
) -> Removal:
    """Return the file with about the wanted share of its tokens: what tells least goes first.

    Comments, doc strings, imports, boilerplate and statements compete by surprise, ties to the earlier one. The share
    is a target; definitions and their signatures stay, so that more may be left.
    """
    options = options or CompressionOptions()
    share = options.entropy_share if share is None else share
    costs = LineCosts(source)
    nodes = find_removable_nodes(source)
    names = _Names(source, (), 1.0)
    left = costs.of(1, len(source.lines))
    wanted = left * share
    chosen: list[RemovableNode] = []
    kinds = tuple(kind for kind in NodeClass if kind is not NodeClass.ATTRIBUTE)
    for node in _by_surprise(nodes, _surprise_of(source, nodes), kinds):
        if left <= wanted:
            break
        left -= names.hide([node], costs)
        chosen.append(node)
    return remove_nodes(source, chosen, costs, Mode.ENTROPY, gap_tokens=options.gap_tokens)


def _by_surprise(
    nodes: Sequence[RemovableNode], surprise: dict[RemovableNode, float], kinds: tuple[NodeClass, ...]
) -> list[RemovableNode]:
    return sorted((node for node in nodes if node.kind in kinds), key=lambda n: (surprise[n], n.start_byte, n.end_byte))


def _surprise_of(source: SourceFile, nodes: Iterable[RemovableNode]) -> dict[RemovableNode, float]:
    """Return the mean surprise of each node's lines, each line weighing as much as it has tokens."""
    scores = score_lines(source.data)
    normalised, tokens = scores.normalised, scores.tokens
    means = {}
    for node in nodes:
        part = slice(node.first_line - 1, node.last_line)
        weight = float(tokens[part].sum())
        means[node] = float((normalised[part] * tokens[part]).sum()) / weight if weight else 0.0
    return means


class _Names:
    """Which names are still somewhere in the text while lines are hidden; names in comments do not count."""

    def __init__(self, source: SourceFile, comments: Iterable[RemovableNode], allowance: float) -> None:
        self._hidden = [False] * (len(source.lines) + 1)
        self._is_blank = [True, *(not line.strip() for line in source.lines)]
        silent = {line for node in comments for line in range(node.first_line, node.last_line + 1)}
        self._by_line: list[list[str]] = [[]]
        self._by_line += [
            [] if number in silent else _WORD.findall(line) for number, line in enumerate(source.lines, start=1)
        ]
        self._count = Counter(name for names in self._by_line for name in names)
        self._may_lose = int(allowance * len(self._count))

    def may_hide(self, node: RemovableNode) -> bool:
        """Say whether hiding the node stays within the allowance, and charge it when it does."""
        gone = Counter(name for line in self._visible(node) for name in self._by_line[line])
        lost = sum(1 for name, count in gone.items() if self._count[name] == count)
        if lost > self._may_lose:
            return False
        self._may_lose -= lost
        return True

    def hide(self, nodes: Iterable[RemovableNode], costs: LineCosts) -> float:
        """Hide the lines of the nodes and return the tokens that this saves, markers of new gaps apart."""
        saved = 0.0
        for node in nodes:
            visible = self._visible(node)
            gaps = self._is_hidden(node.first_line - 1, -1) + self._is_hidden(node.last_line + 1, 1)
            saved += (gaps - 1) * MARKER_TOKENS if visible else 0
            for line in visible:
                self._hidden[line] = True
                self._count.subtract(self._by_line[line])
                saved += costs.by_line[line]
        return saved

    def _is_hidden(self, line: int, step: int) -> bool:
        """Say whether the nearest line with text, from `line` on in one direction, is hidden."""
        while 0 < line < len(self._hidden) and not self._hidden[line] and self._is_blank[line]:
            line += step
        return 0 < line < len(self._hidden) and self._hidden[line]

    def _visible(self, node: RemovableNode) -> list[int]:
        return [line for line in range(node.first_line, node.last_line + 1) if not self._hidden[line]]
