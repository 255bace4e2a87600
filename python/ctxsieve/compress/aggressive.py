"""The modes that leave nodes out by what they tell: aggressive and entropy."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np

from ctxsieve._kernels import NODE_IS_EXTRA, NODE_IS_NAMED, PARSE_LIMIT, syntax_nodes
from ctxsieve.compress.costs import LineCosts
from ctxsieve.compress.modes import Mode
from ctxsieve.compress.native import RemovalsAhead, remove_natively
from ctxsieve.compress.nodes import NodeClass, RemovableNode, find_removable_nodes
from ctxsieve.compress.options import MARKER_TOKENS, CompressionOptions
from ctxsieve.compress.removal import Removal, remove_nodes
from ctxsieve.compress.source import SourceFile
from ctxsieve.surprise import score_lines

__all__ = ["begin_removal", "render_aggressive", "render_entropy"]

_NAME = re.compile(r"\W*([^\W\d]\w*)\W*")
# `aggressive` looks at dull statements first and at livelier ones only while it has not saved enough.
_STEPS = 5


def render_aggressive(source: SourceFile, options: CompressionOptions | None = None) -> Removal:
    """Return the file without comments, doc strings, boilerplate, and statements and rows that tell little.

    Statements and rows go by rising surprise, ties to the earlier one. One stays where names would be lost with it;
    definitions stay with their signatures, and so do imports.
    """
    options = options or CompressionOptions()
    done = remove_natively(source, Mode.AGGRESSIVE, _aggressive_choice(options), gap_tokens=options.gap_tokens)
    if done is not None:
        return done
    costs = LineCosts(source)
    skeleton = find_removable_nodes(source)
    chosen = [node for node in skeleton.nodes if node.kind in (NodeClass.COMMENT, NodeClass.DOC, NodeClass.BOILERPLATE)]
    ledger = _Names(source, chosen, options.lost_identifiers)
    left = costs.of(1, len(source.lines))
    wanted = left * options.aggressive_share
    left -= ledger.hide(chosen, costs)
    statements = _by_surprise(source, skeleton.nodes, (NodeClass.STATEMENT, NodeClass.ROW))
    for step in range(1, _STEPS + 1):
        ceiling = options.aggressive_surprise * step / _STEPS
        for surprise, node in statements:
            if left <= wanted or surprise > ceiling:
                break
            if ledger.may_hide(node):
                left -= ledger.hide([node], costs)
                chosen.append(node)
    return remove_nodes(source, skeleton, chosen, costs, Mode.AGGRESSIVE, gap_tokens=options.gap_tokens)


def render_entropy(
    source: SourceFile, share: float | None = None, options: CompressionOptions | None = None
) -> Removal:
    """Return the file with about the wanted share of its tokens: what tells least goes first.

    Comments, doc strings, imports, boilerplate, statements and rows compete by surprise, ties to the earlier one. The
    share is a target; definitions and their signatures stay, so that more may be left.
    """
    options = options or CompressionOptions()
    share = options.entropy_share if share is None else share
    done = remove_natively(source, Mode.ENTROPY, (share,), gap_tokens=options.gap_tokens)
    if done is not None:
        return done
    costs = LineCosts(source)
    skeleton = find_removable_nodes(source)
    names = _Names(source, (), 1.0)
    left = costs.of(1, len(source.lines))
    wanted = left * share
    chosen: list[RemovableNode] = []
    kinds = tuple(kind for kind in NodeClass if kind is not NodeClass.ATTRIBUTE)
    for _, node in _by_surprise(source, skeleton.nodes, kinds):
        if left <= wanted:
            break
        left -= names.hide([node], costs)
        chosen.append(node)
    return remove_nodes(source, skeleton, chosen, costs, Mode.ENTROPY, gap_tokens=options.gap_tokens)


def begin_removal(
    source: SourceFile, mode: Mode, ahead: RemovalsAhead, *, share: float | None, options: CompressionOptions
) -> None:
    """Let the file lose nodes in another thread, as `render_aggressive` or `render_entropy` will ask for it."""
    if mode is Mode.ENTROPY:
        choice: tuple[float, ...] = (options.entropy_share if share is None else share,)
    else:
        choice = _aggressive_choice(options)
    ahead.add(source, choice, gap_tokens=options.gap_tokens)


def _aggressive_choice(options: CompressionOptions) -> tuple[float, ...]:
    return options.aggressive_share, options.aggressive_surprise, options.lost_identifiers


def _by_surprise(
    source: SourceFile, nodes: Sequence[RemovableNode], kinds: tuple[NodeClass, ...]
) -> list[tuple[float, RemovableNode]]:
    """Return the nodes of some kinds with their surprise, rising, ties to the earlier one.

    It is the mean surprise of the node's lines, each line weighing as much as it has tokens.
    """
    nodes = [node for node in nodes if node.kind in kinds]
    if not nodes:
        return []
    scores = score_lines(source.data)
    tokens = scores.tokens.tolist()
    weighted = (scores.normalised * scores.tokens).tolist()
    scored = [(_mean(weighted, tokens, node), node) for node in nodes]
    return sorted(scored, key=lambda pair: (pair[0], pair[1].start_byte, pair[1].end_byte))


def _mean(weighted: Sequence[float], tokens: Sequence[int], node: RemovableNode) -> float:
    lines = slice(node.first_line - 1, node.last_line)
    count = sum(tokens[lines])
    # Rounded once: the order of summation is no part of the result.
    return math.fsum(weighted[lines]) / count if count else 0.0


class _Names:
    """Which names are still somewhere in the text while lines are hidden.

    A name is a named leaf of the tree that is one word, signs around it apart: an identifier, or a literal such as
    `"amount"`. Those in comments do not count.
    """

    def __init__(self, source: SourceFile, comments: Iterable[RemovableNode], allowance: float) -> None:
        self._hidden = bytearray(len(source.lines) + 1)
        self._has_text = source.has_text.tolist()
        silent = {line for node in comments for line in range(node.first_line, node.last_line + 1)}
        self._by_line: list[list[str]] = [[] for _ in range(len(source.lines) + 1)]
        for line, name in _names_of(source):
            if line not in silent:
                self._by_line[line].append(name)
        self._count = Counter(chain.from_iterable(self._by_line))
        self._may_lose = int(allowance * len(self._count))
        # Visible lines of a node when it was refused: while they are the same, it would be refused again.
        self._refused: dict[tuple[int, int], int] = {}

    def may_hide(self, node: RemovableNode) -> bool:
        """Say whether hiding the node shows less and stays within the allowance, and charge it when it does."""
        visible = self._visible(node)
        place = (node.first_line, node.last_line)
        if not visible or self._refused.get(place) == len(visible):
            return False
        gone: dict[str, int] = {}
        for line in visible:
            for name in self._by_line[line]:
                gone[name] = gone.get(name, 0) + 1
        count = self._count
        lost = sum([count[name] == times for name, times in gone.items()])
        if lost > self._may_lose:
            self._refused[place] = len(visible)
            return False
        self._may_lose -= lost
        return True

    def hide(self, nodes: Iterable[RemovableNode], costs: LineCosts) -> float:
        """Hide the lines of the nodes and return the tokens that this saves, markers of new gaps apart."""
        saved = 0.0
        for node in nodes:
            visible = self._visible(node)
            if not visible:
                continue
            gaps = self._is_hidden(node.first_line - 1, -1) + self._is_hidden(node.last_line + 1, 1)
            own = (gaps - 1) * float(MARKER_TOKENS)
            for line in visible:
                self._hidden[line] = True
                for name in self._by_line[line]:
                    self._count[name] -= 1
                own += costs.by_line[line]
            # What costs less than its marker will be shown.
            saved += max(own, 0.0)
        return saved

    def _is_hidden(self, line: int, step: int) -> bool:
        """Say whether the nearest line with text, from `line` on in one direction, is hidden."""
        while 0 < line < len(self._hidden) and not self._hidden[line] and not self._has_text[line]:
            line += step
        return 0 < line < len(self._hidden) and bool(self._hidden[line])

    def _visible(self, node: RemovableNode) -> list[int]:
        hidden = self._hidden
        return [line for line in range(node.first_line, node.last_line + 1) if not hidden[line]]


def _names_of(source: SourceFile) -> Iterator[tuple[int, str]]:
    """Yield the names of a file, each with its line."""
    language = source.language
    if language is None or language.grammar is None:
        return
    tree = syntax_nodes([source.data], language.grammar, parse_limit=PARSE_LIMIT, threads=1)
    is_leaf = np.ones(len(tree.kind), dtype=bool)
    is_leaf[tree.parent[1:].astype(np.int64)] = False
    found = np.flatnonzero(is_leaf & ((tree.flags & (NODE_IS_NAMED | NODE_IS_EXTRA)) == NODE_IS_NAMED))
    columns = (column[found].tolist() for column in (tree.start_row, tree.start_byte, tree.end_byte))
    for row, start, end in zip(*columns, strict=True):
        match = _NAME.fullmatch(source.data[start:end].decode("utf-8", "surrogatepass"))
        if match and row < len(source.lines):
            yield row + 1, match[1]
