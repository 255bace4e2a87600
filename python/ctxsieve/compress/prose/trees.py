"""Nested data and markup: JSON, YAML, TOML, XML, HTML, style sheets and SQL, by their grammars."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import groupby

import numpy as np

from ctxsieve._kernels import PARSE_LIMIT, SyntaxNodes, grammar_kinds, syntax_nodes
from ctxsieve.compress.modes import merge_ranges
from ctxsieve.compress.prose.entries import Entry, short
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.values import dataclass

__all__ = ["TREE_LANGUAGES", "find_repetitions", "outline_tree"]

_NO_PARENT = 0xFFFFFFFF
# Larger files are no text for readers; their trees would fill the memory.
_MOST_BYTES = 1_000_000
# Longer lines hold more than one item.
_LONGEST_LINE = 2000
# Of a run of alike items so many are shown, if it is longer than that by more than two.
_SHOWN_ITEMS = 3


@dataclass(frozen=True, slots=True)
class _Family:
    """`entries` are the kinds of nodes that an outline lists, `items` those of which the first few stand for all."""

    entries: frozenset[str]
    items: frozenset[str]


def _family(entries: str, items: str) -> _Family:
    return _Family(frozenset(entries.split()), frozenset(items.split()))


_STYLES = _family("rule_set media_statement keyframes_statement supports_statement at_rule mixin_statement", "")
_FAMILIES: Mapping[str, _Family] = {
    "json": _family("pair", "object array string number"),
    "yaml": _family("block_mapping_pair", "block_sequence_item"),
    "toml": _family("table table_array_element pair", "table_array_element"),
    "xml": _family("element", "element"),
    "html": _family("element script_element style_element", "element"),
    "css": _STYLES,
    "scss": _STYLES,
    "sql": _family("statement", "statement"),
}
# The keys in an item's text. What looks like one in a string only makes fewer items alike.
_KEYS = {
    "block_sequence_item": re.compile(r"""([^\s"'\[\]{},:#]+|"[^"\n]*"|'[^'\n]*')\s*:(?=\s|\Z)"""),
    "object": re.compile(r'"((?:[^"\\\n]|\\.)*)"\s*:'),
    "array": re.compile(r'"((?:[^"\\\n]|\\.)*)"\s*:'),
    "table_array_element": re.compile(r"^\s*(\[\[?[^\]\n]*\]|[\w.\"'-]+(?=\s*=))", re.MULTILINE),
}
TREE_LANGUAGES = frozenset(_FAMILIES)


@dataclass(frozen=True, slots=True)
class _Node:
    kind: str
    text: str
    span: LineRange
    depth: int
    parent: int


def outline_tree(source: SourceFile) -> list[Entry]:
    """Return the named nodes that the family lists, by nesting, each with its first words and its lines."""
    language = source.language
    assert language is not None, source.path
    family = _FAMILIES[language.name]
    alike = _alike(source, family)
    told = merge_ranges([span for span, _, _ in alike])
    entries = [
        Entry(node.depth, _label(node), node.span)
        for node in _nodes(source, family.entries, family.entries)
        if not _is_within(node.span, told)
    ]
    entries += [Entry(depth, f"... {count} more alike", span) for span, count, depth in alike]
    return sorted(entries, key=lambda entry: (entry.span or LineRange(0, 0)).first)


def _is_within(span: LineRange, merged: tuple[LineRange, ...]) -> bool:
    position = bisect_right(merged, span.first, key=lambda other: other.first) - 1
    return position >= 0 and span.last <= merged[position].last


def find_repetitions(source: SourceFile) -> list[LineRange]:
    """Return comments, and of more than five alike items in a row all but the first three.

    Alike are items of one list with the same keys, elements with the same tag, statements with the same first words.
    """
    language = source.language
    assert language is not None, source.path
    hidden = [node.span for node in _nodes(source, frozenset({"comment", "Comment"})) if _fills_lines(source, node)]
    return hidden + [span for span, _, _ in _alike(source, _FAMILIES[language.name])]


def _alike(source: SourceFile, family: _Family) -> list[tuple[LineRange, int, int]]:
    """Return (lines, count, depth) of the items that stand for no more than those before them."""
    found: list[tuple[LineRange, int, int]] = []
    if len(source.lines) <= _SHOWN_ITEMS + 2:
        return found
    items = [node for node in _nodes(source, family.items, family.entries) if _fills_lines(source, node)]
    items.sort(key=lambda node: (node.parent, node.span.first))
    for _, run in groupby(items, key=lambda node: (node.parent, _shape(source, node))):
        members = list(run)
        if len(members) > _SHOWN_ITEMS + 2:
            rest = members[_SHOWN_ITEMS:]
            found.append((LineRange(rest[0].span.first, rest[-1].span.last), len(rest), rest[0].depth))
    return found


def _nodes(source: SourceFile, kinds: frozenset[str], levels: frozenset[str] = frozenset()) -> Iterator[_Node]:
    """Yield the nodes of these kinds in source order; `depth` counts the `levels` around, `parent` is direct."""
    language = source.language
    if language is None or language.grammar is None or len(source.data) > _MOST_BYTES or not kinds:
        return
    tree, names = _tree(source, language.grammar), grammar_kinds(language.grammar)
    wanted = [number for number, name in enumerate(names) if name in kinds]
    positions = np.flatnonzero(np.isin(tree.kind, wanted) & (tree.end_byte > tree.start_byte))
    counted = {number for number, name in enumerate(names) if name in levels}
    parents, all_kinds = (tree.parent.tolist(), tree.kind.tolist()) if len(positions) else ([], [])
    columns = (column[positions].tolist() for column in (tree.start_byte, tree.end_byte))
    for position, start, end in zip(positions.tolist(), *columns, strict=True):
        while end > start and source.data[end - 1] in b" \t\r\n":
            end -= 1
        # A few hundred bytes are more than any label shows.
        text = source.data[start : min(end, start + 400)].decode("utf-8", "replace")
        last = source.line_of(max(start, end - 1))
        depth, around = 0, parents[position]
        while counted and around != _NO_PARENT:
            depth += all_kinds[around] in counted
            around = parents[around]
        span = LineRange(source.line_of(start), last)
        yield _Node(names[all_kinds[position]], text, span, depth, parents[position])


def _tree(source: SourceFile, grammar: str) -> SyntaxNodes:
    """Return the nodes of a text, which is parsed once for all that is asked of it."""
    if source.findings.tree is None:
        source.findings.tree = syntax_nodes([source.data], grammar, parse_limit=PARSE_LIMIT, threads=1)
    return source.findings.tree


def _label(node: _Node) -> str:
    first = node.text.lstrip().split("\n", 1)[0]
    if node.kind in ("pair", "block_mapping_pair", "rule_set"):
        first = first.rstrip().removesuffix("{").removesuffix("[")
    return short(first)


def _shape(source: SourceFile, node: _Node) -> str | tuple[str, frozenset[str]]:
    """Return what alike items have in common: the kind, and the keys at any depth, the tag or the first words."""
    if node.kind in _KEYS:
        text = "\n".join(source.lines[node.span.first - 1 : node.span.last])
        return node.kind, frozenset(_KEYS[node.kind].findall(text))
    words = node.text.split(None, 3)
    if node.kind == "element":
        return words[0].split(">", 1)[0]
    if node.kind == "statement":
        return " ".join(words[:2])
    return node.kind


def _fills_lines(source: SourceFile, node: _Node) -> bool:
    """Say whether nothing but a separator stands beside the node in its first line."""
    line = source.lines[node.span.first - 1]
    if len(line) > _LONGEST_LINE:
        return False
    line = line.strip().rstrip(",;")
    return node.text.split("\n", 1)[0].strip().rstrip(",;").startswith(line)
