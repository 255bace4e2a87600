"""Figures of functions and files, from the captures of `complexity.scm` (docs/smells.md has the definitions)."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import PARSE_LIMIT, QueryCaptures, query_capture_names, query_captures
from ctxsieve.languages import Language, is_deeply_nested
from ctxsieve.values import dataclass, field

__all__ = ["FileFigures", "FunctionFigures", "measure_files"]

Span = tuple[int, int]

_MATCH_LIMIT = 65_535
_CYCLOMATIC = frozenset({"if", "else_if", "loop", "case", "catch", "ternary", "logical.and", "logical.or", "decision"})
_STRUCTURES = frozenset({"if", "loop", "endless", "switch", "switch.exhaustive", "catch"})
# One more for each structure around it (Campbell 2018, B3).
_NESTED = _STRUCTURES | {"ternary"}
_DEEPENING = _NESTED | {"lambda"}
_CONDITIONAL = _NESTED | {"else_if"}
_DEPTHS = {"condition": 0, "parameter": 2}
_FLAT = frozenset({"else_if", "else", "jump"})
_LOGICAL = frozenset({"logical.and", "logical.or"})
# What two patterns say of one node: the first of these counts.
_PRECEDENCE = ("function", "lambda", "scope", "else_if", "else", "default")
_LABELS = frozenset({"name", "qualifier", "word", "node"})
_RECEIVERS = frozenset({b"self", b"cls", b"this", b"void"})


@dataclass(frozen=True, slots=True)
class FunctionFigures:
    """Figures of one function; lambdas and blocks inside count to it, named functions inside do not.

    Attributes:
        name: with the names of the scopes around it.
        first_line: line of its head, from 1.
        last_line: last line of its body.
        code_lines: lines that are neither blank nor comments alone.
        cyclomatic: 1 + the number of decisions.
        cognitive: cognitive complexity.
        nesting: most control structures inside each other.
        parameters: without receivers.
    """

    name: str
    first_line: int
    last_line: int
    code_lines: int
    cyclomatic: int
    cognitive: int
    nesting: int
    parameters: int


@dataclass(frozen=True, slots=True, eq=False)
class FileFigures:
    """Figures of one file.

    Attributes:
        code_lines: lines that are neither blank nor comments alone.
        functions: in source order.
        line_numbers: of the code lines, from 1.
        line_digests: of their white-space-normalised text (uint64).
        is_complete: False where the parser's work limit was reached; there are then no figures of functions.
    """

    code_lines: int
    functions: tuple[FunctionFigures, ...]
    line_numbers: npt.NDArray[np.uint32]
    line_digests: npt.NDArray[np.uint64]
    is_complete: bool


@dataclass(slots=True)
class _Open:
    """A node whose end has not been reached."""

    start: int
    end: int
    kind: str
    function: int | None
    nesting: int
    structures: int


@dataclass(slots=True)
class _Function:
    start: int
    end: int
    name: str
    cyclomatic: int = 1
    cognitive: int = 0
    nesting: int = 0
    parameters: int = 0


@dataclass(slots=True)
class _Facts:
    """What the query said about one source: the kind of each node, names of functions and scopes, parameters."""

    kinds: dict[Span, str] = field(default_factory=dict)
    names: dict[Span, str] = field(default_factory=dict)
    parameters: set[Span] = field(default_factory=set)
    comments: set[Span] = field(default_factory=set)
    defaults: set[Span] = field(default_factory=set)
    conditions: set[Span] = field(default_factory=set)


def measure_files(sources: Sequence[bytes], language: Language, *, threads: int) -> list[FileFigures]:
    """Return the figures of sources of one language; without `complexity.scm` there are those of code lines only."""
    # Without functions to count, comments are still no code.
    query = language.query("complexity") or language.query("compress")
    if language.grammar is None or not query:
        return [_figures(source, _Facts(), True) for source in sources]
    is_too_deep = [is_deeply_nested(source) for source in sources]
    asked = [b"" if deep else source for source, deep in zip(sources, is_too_deep, strict=True)]
    captures = query_captures(
        asked, language.grammar, query, parse_limit=PARSE_LIMIT, match_limit=_MATCH_LIMIT, threads=threads
    )
    names = query_capture_names(language.grammar, query)
    return [
        _figures(
            source,
            _collect(captures, number, names, source, language),
            int(captures.status[number]) == 0 and not is_too_deep[number],
        )
        for number, source in enumerate(sources)
    ]


def _collect(captures: QueryCaptures, number: int, names: Sequence[str], source: bytes, language: Language) -> _Facts:
    facts = _Facts()
    part = slice(int(captures.indptr[number]), int(captures.indptr[number + 1]))
    rows = zip(
        captures.match[part].tolist(),
        captures.capture[part].tolist(),
        captures.start_byte[part].tolist(),
        captures.end_byte[part].tolist(),
        strict=True,
    )
    for _, group in groupby(rows, key=itemgetter(0)):
        members = [(names[capture], (start, end)) for _, capture, start, end in group]
        if len(members) == 1:
            _add(facts, *members[0])
        else:
            _add_match(facts, dict(members[::-1]), members, source, language)
    return facts


def _add(facts: _Facts, kind: str, span: Span) -> None:
    if kind == "parameter":
        facts.parameters.add(span)
    elif kind in ("comment", "doc"):
        facts.comments.add(span)
    elif kind == "default":
        facts.defaults.add(span)
    elif kind == "condition":
        facts.conditions.add(span)
    else:
        known = facts.kinds.get(span)
        if known is None or _rank(kind) < _rank(known):
            facts.kinds[span] = kind


def _rank(kind: str) -> int:
    return _PRECEDENCE.index(kind) if kind in _PRECEDENCE else len(_PRECEDENCE)


def _add_match(
    facts: _Facts, spans: dict[str, Span], members: list[tuple[str, Span]], source: bytes, language: Language
) -> None:
    """Take in a match of several captures: a named node, or one whose kind a word tells."""
    kind = None
    if "word" in spans:
        kind = language.complexity_words.get(_text(source, spans["word"]))
        if kind is None:
            return
        _add(facts, kind, spans["node"])
    for capture, span in members:
        is_of_function = kind in (None, "function")
        if capture not in _LABELS and (capture != "parameter" or is_of_function):
            _add(facts, capture, span)
    head = spans.get("function") or spans.get("scope") or spans.get("lambda") or spans.get("node")
    if head is not None and "name" in spans:
        name = _text(source, spans["name"])
        if "qualifier" in spans:
            name = f"{_text(source, spans['qualifier'])}{language.separator}{name}"
        facts.names.setdefault(head, name)


def _text(source: bytes, span: Span) -> str:
    return " ".join(source[span[0] : span[1]].decode("utf-8", "replace").split())


def _figures(source: bytes, facts: _Facts, is_complete: bool) -> FileFigures:
    lines = _CodeLines(source, facts.comments)
    functions = _sweep(source, facts)
    return FileFigures(
        code_lines=len(lines.numbers),
        functions=tuple(
            FunctionFigures(
                name=function.name,
                first_line=(first := lines.line_of(function.start)),
                last_line=(last := lines.line_of(max(function.start, function.end - 1))),
                code_lines=lines.count(first, last),
                cyclomatic=max(1, function.cyclomatic),
                cognitive=function.cognitive,
                nesting=function.nesting,
                parameters=function.parameters,
            )
            for function in functions
        ),
        line_numbers=np.array(lines.numbers, dtype=np.uint32),
        line_digests=lines.digests(),
        is_complete=is_complete,
    )


class _CodeLines:
    """The lines of a source that hold code."""

    def __init__(self, source: bytes, comments: Iterable[Span]) -> None:
        self._lines = source.split(b"\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        blank = [not line.strip() for line in self._lines]
        for start, end in comments:
            for number in range(self.line_of(start) - 1, self.line_of(max(start, end - 1))):
                # A comment beside code leaves the line its code.
                begin, finish = self._starts[number], self._starts[number + 1] - 1
                before, after = source[begin : max(begin, start)], source[min(finish, end) : finish]
                blank[number] = blank[number] or not (before.strip() or after.strip())
        self.numbers = [number + 1 for number, is_blank in enumerate(blank) if not is_blank]

    def line_of(self, byte: int) -> int:
        """Return the line (from 1) of a byte."""
        return max(1, bisect_left(self._starts, byte + 1))

    def count(self, first: int, last: int) -> int:
        """Return the number of code lines from `first` to `last`."""
        return bisect_left(self.numbers, last + 1) - bisect_left(self.numbers, first)

    def digests(self) -> npt.NDArray[np.uint64]:
        """Return a digest of each code line, white space normalised."""
        known: dict[bytes, int] = {}
        found = np.empty(len(self.numbers), dtype=np.uint64)
        for position, number in enumerate(self.numbers):
            line = self._lines[number - 1]
            digest = known.get(line)
            if digest is None:
                digest = known[line] = _digest(b" ".join(line.split()))
            found[position] = digest
        return found


def _digest(text: bytes) -> int:
    from hashlib import blake2b

    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")


def _sweep(source: bytes, facts: _Facts) -> list[_Function]:
    """Walk the nodes in source order, outer ones first, and count each to the function around it."""
    _settle(facts)
    functions: list[_Function] = []
    stack: list[_Open] = []
    for start, end, kind in _events(facts):
        while stack and stack[-1].end <= start:
            stack.pop()
        top = stack[-1] if stack else _Open(0, 1 << 62, "", None, 0, 0)
        if kind == "parameter":
            _count_parameter(source, (start, end), stack, functions)
            continue
        function, nesting, structures = top.function, top.nesting, top.structures
        if kind == "condition":
            # What is asked stands beside the branch, not in it.
            outside = 1 if top.kind in _CONDITIONAL else 0
            stack.append(_Open(start, end, kind, function, max(0, nesting - outside), structures))
            continue
        if kind == "function" or (kind == "lambda" and function is None):
            name = facts.names.get((start, end), "(anonymous)")
            functions.append(_Function(start, end, _qualified(name, stack, facts)))
            stack.append(_Open(start, end, kind, len(functions) - 1, 0, 0))
            continue
        if function is not None:
            _count(functions[function], kind, (start, end), top)
        if kind in _DEEPENING:
            nesting += 1
        if kind in _STRUCTURES:
            structures += 1
            if function is not None:
                functions[function].nesting = max(functions[function].nesting, structures)
        stack.append(_Open(start, end, kind, function, nesting, structures))
    return functions


def _settle(facts: _Facts) -> None:
    """Leave out default arms, and each `else` that is nothing but an `else if`."""
    for span in facts.defaults:
        if facts.kinds.get(span) == "case":
            del facts.kinds[span]
    chained = {end for (_, end), kind in facts.kinds.items() if kind == "else_if"}
    starts_by_end: dict[int, int] = {}
    for (start, end), kind in facts.kinds.items():
        if kind == "else_if":
            starts_by_end[end] = max(start, starts_by_end.get(end, 0))
    for span in [span for span, kind in facts.kinds.items() if kind == "else" and span[1] in chained]:
        if starts_by_end[span[1]] >= span[0]:
            del facts.kinds[span]


def _events(facts: _Facts) -> Iterator[tuple[int, int, str]]:
    events = [(start, end, kind) for (start, end), kind in facts.kinds.items()]
    events += [(start, end, "parameter") for start, end in facts.parameters]
    events += [(start, end, "condition") for start, end in facts.conditions]
    # At one place a condition is outside the node, a parameter inside.
    yield from sorted(events, key=lambda event: (event[0], -event[1], _DEPTHS.get(event[2], 1), event[2]))


def _qualified(name: str, stack: Sequence[_Open], facts: _Facts) -> str:
    around = [facts.names.get((one.start, one.end), "") for one in stack if one.kind in ("scope", "function")]
    return ".".join([*(part for part in around if part), name])


def _count(function: _Function, kind: str, span: Span, top: _Open) -> None:
    if kind in _CYCLOMATIC:
        function.cyclomatic += 1
    if kind == "switch.exhaustive":
        # Its arms are all the ways; one of them is no decision.
        function.cyclomatic -= 1
    if kind in _NESTED:
        function.cognitive += 1 + top.nesting
    elif kind in _FLAT or (kind in _LOGICAL and not (top.kind == kind and top.start == span[0])):
        # Of a run of equal operators the first counts.
        function.cognitive += 1


def _count_parameter(source: bytes, span: Span, stack: list[_Open], functions: list[_Function]) -> None:
    if any(one.kind == "parameter" for one in stack):
        return
    owner = next((one for one in reversed(stack) if one.kind in ("function", "lambda")), None)
    if owner is not None and owner.kind == "function" and owner.function is not None:
        text = source[span[0] : span[1]].strip()
        if text not in _RECEIVERS and text.rpartition(b" ")[2] != b"self":
            functions[owner.function].parameters += 1
    top = stack[-1] if stack else _Open(0, 0, "", None, 0, 0)
    stack.append(_Open(span[0], span[1], "parameter", top.function, top.nesting, top.structures))
