"""Exact definitions of a source: kinds, qualified names, spans, nesting and visibility, from `definitions.scm`.

Captures of a definitions query:

- `@definition.<kind>` the whole definition; `@name` its name; `@body` its body, where it has one; `@qualifier` a name
  written at the definition that belongs in front of its own (a receiver).
- `@outer` / `@inner` a wrapper (export statement, decorated definition, template) and the definition inside it: the
  definition's span grows to the wrapper.
- `@lead` comments, attributes and decorators: the ones directly above a definition belong to its span.
- `@exported` / `@private` a definition (or its name) that the source marks so; `@access` an access section.
- `@local` a function-like scope that is no definition itself: what it holds is local.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ctxsieve.fragments import Definition, DefinitionKind, ParsedFile
from ctxsieve.languages.syntax import QueryMatch, Span, match_query
from ctxsieve.languages.table import ExportRule, Language

__all__ = ["parse", "parse_many"]

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
_ERROR_PATTERNS = "\n(ERROR) @error\n(MISSING) @error\n"
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
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class _Facts:
    """Everything that the query said about one source."""

    by_name: dict[tuple[Span, Span], tuple[int, _Found]] = field(default_factory=dict)
    exported_names: set[str] = field(default_factory=set)
    wrappers: dict[Span, Span] = field(default_factory=dict)
    leads: list[Span] = field(default_factory=list)
    exported: set[Span] = field(default_factory=set)
    private: set[Span] = field(default_factory=set)
    access: set[Span] = field(default_factory=set)
    local: list[Span] = field(default_factory=list)
    errors: int = 0

    @property
    def found(self) -> list[_Found]:
        """The definitions, one per node and name."""
        return [found for _, found in self.by_name.values()]


def parse(source: bytes, language: Language) -> ParsedFile:
    """Return the definitions of a source and the number of its error nodes; a language without grammar has neither."""
    query = language.query("definitions")
    if language.grammar is None or not query:
        return ParsedFile((), 0)
    facts = _collect(match_query(source, language, query + _ERROR_PATTERNS), source, language)
    _grow_spans(facts, source)
    return ParsedFile(_nest(facts, source, language), facts.errors)


def parse_many(files: Sequence[tuple[bytes, Language]], *, threads: int = 1) -> list[ParsedFile]:
    """Return `parse` of each (source, language), in order."""
    if threads <= 1 or len(files) < 2:
        return [parse(source, language) for source, language in files]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda item: parse(*item), files))


def _collect(matches: Iterable[QueryMatch], source: bytes, language: Language) -> _Facts:
    facts = _Facts()
    marks = {
        "lead": facts.leads.append,
        "exported": facts.exported.add,
        "private": facts.private.add,
        "access": facts.access.add,
        "local": facts.local.append,
    }
    for match in matches:
        spans: dict[str, list[Span]] = {}
        for capture, start, end in match.captures:
            if capture == "error":
                facts.errors += 1
            elif capture in marks:
                marks[capture]((start, end))
            elif capture == "exported.name":
                facts.exported_names.add(_text(source, (start, end)))
            else:
                spans.setdefault(capture, []).append((start, end))
        if "outer" in spans:
            for inner in spans.get("inner", ()):
                facts.wrappers[inner] = spans["outer"][0]
        for capture, heads in spans.items():
            if capture.startswith(_PREFIX) and "name" in spans:
                kind = DefinitionKind(capture[len(_PREFIX) :])
                _add_found(facts, match.pattern, kind, heads[0], spans, source, language)
    return facts


def _add_found(
    facts: _Facts,
    pattern: int,
    kind: DefinitionKind,
    head: Span,
    spans: dict[str, list[Span]],
    source: bytes,
    language: Language,
) -> None:
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
    name = " ".join(name.split()).strip("\"'`")
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
    """Return the definitions by start byte, each with its parent; values local to a function are left out."""
    newlines = _newlines(source)
    definitions: list[Definition] = []
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
        outer = definitions[parent] if parent is not None else None
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
    signature_end = found.head[1] if body is None else body
    return Definition(
        kind=kind,
        name=found.name,
        qualified_name=language.separator.join(parts),
        start_byte=found.start,
        end_byte=found.end,
        first_line=bisect_right(newlines, found.start - 1) + 1,
        last_line=bisect_right(newlines, max(found.start, found.end - 1) - 1) + 1,
        head_byte=found.head[0],
        signature_end_byte=found.head[0] + len(source[found.head[0] : signature_end].rstrip()),
        body_start_byte=body,
        exported=exported,
        parent=parent,
    )


def _newlines(source: bytes) -> list[int]:
    positions = []
    position = source.find(b"\n")
    while position >= 0:
        positions.append(position)
        position = source.find(b"\n", position + 1)
    return positions
