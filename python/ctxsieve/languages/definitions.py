"""Exact definitions of a source: kinds, qualified names, spans, nesting and visibility, from `definitions.scm`.

Captures of a definitions query:

- `@definition.<kind>` the whole definition; `@name` its name; `@body` its body, where it has one; `@last` its last
  node, where the grammar puts the body beside the head; `@qualifier` a name written at the definition that belongs in
  front of its own (a receiver).
- `@definition` with `@keyword`: the word says the kind (`keywords` of language.toml); other words define nothing.
- `@outer` / `@inner` a wrapper (export statement, decorated definition, template) and the definition inside it: the
  definition's span grows to the wrapper.
- `@lead` comments, attributes and decorators: the ones directly above a definition belong to its span.
- `@exported` / `@private` a definition (or its name) that the source marks so; `@exported.name` a name in an export
  list; `@access` an access section.
- `@local` a function-like scope that is no definition itself: what it holds is local.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import PARSE_LIMIT, QueryCaptures, query_capture_names, query_captures
from ctxsieve.fragments import Definition, DefinitionKind, ParsedFile
from ctxsieve.languages.layout import LAYOUT_PREFIX, layout_query, read_layout
from ctxsieve.languages.nesting import is_deeply_nested
from ctxsieve.languages.table import ExportRule, Language
from ctxsieve.values import dataclass, field, replace

__all__ = ["Capture", "parse", "parse_many", "parse_with_captures"]

Span = tuple[int, int]
# The name of a query's capture, and its first byte and the byte behind its last.
Capture = tuple[str, int, int]

# States that the query cursor may keep open at once; real files need a few hundred.
_MATCH_LIMIT = 65_535
# Qualified names grow with the depth, so that all of them together would grow with its square.
_DEEPEST = 100
_PREFIX = "definition."
_CALLABLES = frozenset({DefinitionKind.FUNCTION, DefinitionKind.METHOD})
_VALUES = frozenset({DefinitionKind.CONSTANT, DefinitionKind.VARIABLE, DefinitionKind.FIELD})
_TYPES = frozenset(
    {
        DefinitionKind.CLASS,
        DefinitionKind.INTERFACE,
        DefinitionKind.STRUCT,
        DefinitionKind.UNION,
        DefinitionKind.ENUM,
        DefinitionKind.TRAIT,
        DefinitionKind.IMPLEMENTATION,
    }
)
_ACCESS_WORDS = {"public": True, "private": False, "protected": False, "module_function": True}


@dataclass(slots=True)
class _Found:
    """A definition before nesting is known."""

    kind: DefinitionKind
    head: Span
    name_span: Span
    name: str
    qualifiers: tuple[str, ...]
    body_start: int | None
    opening: int = 0
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class _Facts:
    """Everything that the query said about one source."""

    by_name: dict[tuple[Span, Span], tuple[int, _Found]] = field(default_factory=dict)
    wrappers: dict[Span, Span] = field(default_factory=dict)
    leads: list[Span] = field(default_factory=list)
    exported: set[Span] = field(default_factory=set)
    exported_names: set[str] = field(default_factory=set)
    private: set[Span] = field(default_factory=set)
    access: set[Span] = field(default_factory=set)
    local: list[Span] = field(default_factory=list)

    @property
    def found(self) -> list[_Found]:
        """The definitions, one per node and name."""
        return [found for _, found in self.by_name.values()]


def parse(source: bytes, language: Language) -> ParsedFile:
    """Return the definitions of a source and the number of its error nodes; a language without grammar has neither."""
    return parse_many([(source, language)])[0]


def parse_many(
    files: Sequence[tuple[bytes, Language]], *, threads: int = 1, with_layouts: bool = False
) -> list[ParsedFile]:
    """Return `parse` of each (source, language), in order; the files of one language are parsed in parallel.

    Args:
        files: sources with their languages.
        threads: at most so many parse at the same time.
        with_layouts: whether to say as well how lines may be indented.
    """
    parsed = [ParsedFile((), 0)] * len(files)
    by_language: dict[Language, list[int]] = {}
    for position, (_, language) in enumerate(files):
        by_language.setdefault(language, []).append(position)
    for language, positions in by_language.items():
        if language.grammar is None or not language.query("definitions"):
            continue
        sources = [files[position][0] for position in positions]
        further = layout_query(language) if with_layouts else ""
        for position, (found, _) in zip(positions, _parse(sources, language, further, threads), strict=True):
            parsed[position] = found
    return parsed


def parse_with_captures(source: bytes, language: Language, query_name: str) -> tuple[ParsedFile, Sequence[Capture]]:
    """Return `parse` of a source with its layout, and what another query of its language names, all from one tree.

    Where the parser's work limit was reached, or a query's, all are empty.

    Args:
        source: the text.
        language: its language.
        query_name: as for `Language.query`; its capture names are none of the definitions query's.
    """
    if language.grammar is None or not f"{language.query('definitions')}{language.query(query_name)}".strip():
        return ParsedFile((), 0), ()
    return _parse([source], language, f"{language.query(query_name)}\n{layout_query(language)}", 1)[0]


def _parse(
    sources: Sequence[bytes], language: Language, further: str, threads: int
) -> list[tuple[ParsedFile, Sequence[Capture]]]:
    """Return for each source what the definitions query says, and what further patterns name."""
    assert language.grammar is not None, language.name
    if further and any(map(is_deeply_nested, sources)):
        # Definitions alone are found in any depth.
        return [
            answer
            for source in sources
            for answer in _parse([source], language, "" if is_deeply_nested(source) else further, threads)
        ]
    query = f"{language.query('definitions')}\n{further}"
    found = query_captures(
        sources, language.grammar, query, parse_limit=PARSE_LIMIT, match_limit=_MATCH_LIMIT, threads=threads
    )
    names = query_capture_names(language.grammar, query)
    # Capture ids go by first mention, so that those of the first query come first.
    is_other = found.capture >= len(query_capture_names(language.grammar, language.query("definitions")))
    own = _rows_of(found, ~is_other)
    answers: list[tuple[ParsedFile, Sequence[Capture]]] = []
    for number, source in enumerate(sources):
        parsed = _read_captures(own, number, names, source, language)
        part = slice(int(found.indptr[number]), int(found.indptr[number + 1]))
        columns = (
            column[part][is_other[part]].tolist() for column in (found.capture, found.start_byte, found.end_byte)
        )
        captures = [(names[capture], start, end) for capture, start, end in zip(*columns, strict=True)]
        marks = [capture for capture in captures if capture[0].startswith(LAYOUT_PREFIX)]
        if further and parsed.complete:
            layout = read_layout(source, language, marks, has_errors=parsed.error_nodes > 0)
            parsed = replace(parsed, layout=layout)
        answers.append((parsed, [capture for capture in captures if not capture[0].startswith(LAYOUT_PREFIX)]))
    return answers


def _rows_of(found: QueryCaptures, is_wanted: npt.NDArray[np.bool_]) -> QueryCaptures:
    """Return the captures without those that are not wanted."""
    kept = {name: getattr(found, name)[is_wanted] for name in ("match", "pattern", "capture", "start_byte", "end_byte")}
    wanted_before = np.concatenate(([0], np.cumsum(is_wanted))).astype(np.uint64)
    return found._replace(indptr=wanted_before[found.indptr.astype(np.int64)], **kept)


def _read_captures(
    captures: QueryCaptures, number: int, names: Sequence[str], source: bytes, language: Language
) -> ParsedFile:
    facts = _collect(_matches(captures, number, names), source, language)
    _grow_spans(facts, source)
    definitions = _nest(facts, source, language)
    if language.clauses_are_one:
        definitions = _join_clauses(definitions)
    return ParsedFile(
        definitions,
        error_nodes=int(captures.error_nodes[number]) + int(captures.missing_nodes[number]),
        complete=int(captures.status[number]) == 0,
    )


def _matches(
    captures: QueryCaptures, number: int, names: Sequence[str]
) -> Iterator[tuple[int, list[tuple[str, Span]]]]:
    """Yield (pattern, [(capture name, span), ...]) for each match of one source."""
    part = slice(int(captures.indptr[number]), int(captures.indptr[number + 1]))
    rows = zip(
        captures.match[part].tolist(),
        captures.pattern[part].tolist(),
        captures.capture[part].tolist(),
        captures.start_byte[part].tolist(),
        captures.end_byte[part].tolist(),
        strict=True,
    )
    for _, group in groupby(rows, key=itemgetter(0)):
        members = list(group)
        yield members[0][1], [(names[capture], (start, end)) for _, _, capture, start, end in members]


def _collect(matches: Iterable[tuple[int, list[tuple[str, Span]]]], source: bytes, language: Language) -> _Facts:
    facts = _Facts()
    marks = {
        "lead": facts.leads.append,
        "exported": facts.exported.add,
        "private": facts.private.add,
        "access": facts.access.add,
        "local": facts.local.append,
    }
    for pattern, members in matches:
        spans: dict[str, list[Span]] = {}
        for capture, span in members:
            if capture in marks:
                marks[capture](span)
            if capture == "exported.name":
                facts.exported_names.add(_text(source, span))
            spans.setdefault(capture, []).append(span)
        if "outer" in spans:
            for inner in spans.get("inner", ()):
                facts.wrappers[inner] = spans["outer"][0]
        if "name" in spans:
            _add_match(facts, pattern, spans, source, language)
    return facts


def _add_match(facts: _Facts, pattern: int, spans: dict[str, list[Span]], source: bytes, language: Language) -> None:
    for capture, heads in spans.items():
        if capture.startswith(_PREFIX):
            _add_found(facts, pattern, DefinitionKind(capture[len(_PREFIX) :]), heads[0], spans, source, language)
    if "definition" in spans and "keyword" in spans:
        keyword = _text(source, spans["keyword"][0])
        head = spans["definition"][0]
        if keyword in language.keywords:
            _add_found(facts, pattern, DefinitionKind(language.keywords[keyword]), head, spans, source, language)
        if keyword in language.private_keywords:
            facts.private.add(head)


def _add_found(
    facts: _Facts,
    pattern: int,
    kind: DefinitionKind,
    head: Span,
    spans: dict[str, list[Span]],
    source: bytes,
    language: Language,
) -> None:
    if "last" in spans:
        head = (head[0], spans["last"][0][1])
    qualifiers = tuple(_text(source, span) for span in spans.get("qualifier", ()))
    body = spans["body"][0][0] if "body" in spans else None
    for name_span in spans["name"]:
        known = facts.by_name.get((head, name_span))
        # A node matched by several patterns counts once, as the first pattern of the file says.
        if known is not None and known[0] <= pattern:
            continue
        *before, name = _split_name(_text(source, name_span), language.name_separators)
        if name:
            found = _Found(kind, head, name_span, name, (*qualifiers, *before), body)
            facts.by_name[head, name_span] = (pattern, found)


def _text(source: bytes, span: Span) -> str:
    return source[span[0] : span[1]].decode("utf-8", "replace").strip()


def _split_name(name: str, separators: Sequence[str]) -> list[str]:
    name = " ".join(name.split())
    if name[:1] in ("'", '"', "`"):
        return [name.strip("\"'`")]
    if not any(sign.isalnum() or sign == "_" for sign in name):
        return [name]  # an operator, of which a separator may be part
    for separator in separators:
        name = name.replace(separator, "\0")
    return [part for part in name.split("\0") if part] or [""]


def _grow_spans(facts: _Facts, source: bytes) -> None:
    """Set each definition's span: its node, the wrappers around it, and the leads directly above."""
    leads_by_end = _leads_by_end(facts.leads, source)
    for found in facts.found:
        start, end = found.head
        while (start, end) in facts.wrappers and facts.wrappers[start, end] != (start, end):
            start, end = facts.wrappers[start, end]
        found.opening = start
        found.start, found.end = _climb(start, leads_by_end, source), end


def _leads_by_end(leads: Iterable[Span], source: bytes) -> dict[int, int]:
    """Map the end of each lead that starts its line (trailing white space excluded) to its start."""
    by_end: dict[int, int] = {}
    for start, end in leads:
        line_start = source.rfind(b"\n", 0, start) + 1
        if not source[line_start:start].strip(b" \t"):
            by_end[start + len(source[start:end].rstrip())] = start
    return by_end


def _climb(start: int, leads_by_end: dict[int, int], source: bytes) -> int:
    while True:
        before = start
        while before > 0 and source[before - 1 : before] in (b" ", b"\t", b"\r", b"\n"):
            before -= 1
        if before not in leads_by_end or source.count(b"\n", before, start) > 1:
            return start
        start = leads_by_end[before]


@dataclass(slots=True)
class _Scope:
    """An open definition or local scope; `public` is the state of its access sections."""

    start: int
    end: int
    found: _Found | None
    index: int | None
    public: bool


def _nest(facts: _Facts, source: bytes, language: Language) -> tuple[Definition, ...]:
    """Return the definitions by start byte, each with its parent; values local to a function are left out.

    What stands deeper than 100 definitions inside each other, which no one writes, is held by the 100th.
    """
    newlines = _newlines(source)
    definitions: list[Definition] = []
    depths: list[int] = []
    scopes: list[_Scope] = []
    for start, end, found in _events(facts):
        while scopes and not (scopes[-1].start <= start and end <= scopes[-1].end):
            scopes.pop()
        if found is None:
            _enter_mark(start, end, facts, scopes, source)
            continue
        holder = _holder(scopes, found)
        scope = definitions[holder.index] if holder is not None and holder.index is not None else None
        is_local = holder is not None and (scope is None or scope.kind in _CALLABLES)
        if scope is None and holder is not None:
            parent = next((item.index for item in reversed(scopes) if item.index is not None), None)
        else:
            parent = holder.index if holder is not None else None
        if is_local and found.kind in _VALUES:
            continue
        if parent is not None and depths[parent] == _DEEPEST:
            parent = definitions[parent].parent
        outer = definitions[parent] if parent is not None else None
        depths.append(0 if parent is None else depths[parent] + 1)
        kind = _kind_inside(found.kind, scope)
        public = holder.public if holder is not None else True
        exported = not is_local and _is_exported(found, kind, outer, facts, language, public)
        definitions.append(_definition(found, kind, parent, outer, exported, source, newlines, language))
        public = kind.value not in language.private_by_default
        scopes.append(_Scope(found.start, found.end, found, len(definitions) - 1, public))
    return tuple(definitions)


def _events(facts: _Facts) -> list[tuple[int, int, _Found | None]]:
    """Return definitions, local scopes and access sections, outermost first."""
    events: list[tuple[int, int, _Found | None]] = [(found.start, found.end, found) for found in facts.found]
    events += [(start, end, None) for start, end in {*facts.local, *facts.access}]
    return sorted(events, key=lambda event: (event[0], -event[1], event[2].name_span if event[2] else (-1, -1)))


def _enter_mark(start: int, end: int, facts: _Facts, scopes: list[_Scope], source: bytes) -> None:
    if (start, end) not in facts.access:
        scopes.append(_Scope(start, end, None, None, True))
    elif scopes:
        scopes[-1].public = _ACCESS_WORDS.get(_text(source, (start, end)), scopes[-1].public)


def _holder(scopes: Sequence[_Scope], found: _Found) -> _Scope | None:
    """Return the scope that a definition stands in: a type written before its holder's name stands outside of it."""
    for scope in reversed(scopes):
        if scope.found is None:
            return scope
        inside = scope.found.name_span[1] if scope.found.body_start is None else scope.found.body_start
        if scope.found.head != found.head and min(inside, scope.found.name_span[1]) <= found.head[0]:
            return scope
    return None


def _join_clauses(definitions: Sequence[Definition]) -> tuple[Definition, ...]:
    """Return the definitions with neighbouring clauses of one function (same name and parent) as one."""
    joined: list[Definition] = []
    moved: list[int] = []
    for definition in definitions:
        parent = None if definition.parent is None else moved[definition.parent]
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind in _CALLABLES
            and (last.kind, last.qualified_name, last.parent) == (definition.kind, definition.qualified_name, parent)
        ):
            # A damaged clause may stand inside the attribute above the other one, and ends before it.
            end, last_line = max(last.end_byte, definition.end_byte), max(last.last_line, definition.last_line)
            joined[-1] = replace(last, end_byte=end, last_line=last_line)
        else:
            joined.append(replace(definition, parent=parent))
        moved.append(len(joined) - 1)
    return tuple(joined)


def _kind_inside(kind: DefinitionKind, scope: Definition | None) -> DefinitionKind:
    if scope is not None and scope.kind in _TYPES:
        if kind is DefinitionKind.FUNCTION:
            return DefinitionKind.METHOD
        if kind is DefinitionKind.VARIABLE:
            return DefinitionKind.FIELD
    return kind


def _is_exported(
    found: _Found,
    kind: DefinitionKind,
    scope: Definition | None,
    facts: _Facts,
    language: Language,
    public: bool,
) -> bool:
    if scope is not None and not scope.exported and scope.kind is not DefinitionKind.IMPLEMENTATION:
        return False
    spans = (found.head, found.name_span)
    match language.export_rule:
        case ExportRule.CAPTURED:
            if kind is DefinitionKind.IMPLEMENTATION or (scope is None and found.name in facts.exported_names):
                return True
            return any(span in facts.exported for span in spans) and not any(span in facts.private for span in spans)
        case ExportRule.UNDERSCORE:
            return not found.name.startswith("_") or (found.name.startswith("__") and found.name.endswith("__"))
        case ExportRule.CAPITAL:
            return found.name[0].isupper()
        case ExportRule.SECTIONS:
            return public and not any(span in facts.private for span in spans)
        case _:
            return not any(span in facts.private for span in spans)


def _definition(
    found: _Found,
    kind: DefinitionKind,
    parent: int | None,
    outer: Definition | None,
    exported: bool,
    source: bytes,
    newlines: Sequence[int],
    language: Language,
) -> Definition:
    parts = [*([outer.qualified_name] if outer is not None else []), *found.qualifiers, found.name]
    body = found.body_start
    signature_end = found.end if body is None else body
    return Definition(
        kind=kind,
        name=found.name,
        qualified_name=language.separator.join(parts),
        start_byte=found.start,
        end_byte=found.end,
        first_line=bisect_right(newlines, found.start - 1) + 1,
        last_line=bisect_right(newlines, max(found.start, found.end - 1) - 1) + 1,
        head_byte=found.opening,
        signature_end_byte=found.opening + len(source[found.opening : signature_end].rstrip()),
        body_start_byte=body,
        exported=exported,
        parent=parent,
    )


def _newlines(source: bytes) -> list[int]:
    positions: list[int] = np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == ord("\n")).tolist()
    return positions
