"""The notation of outlines: rows of definitions, nested by indentation, that are read back as they were written.

A row is one of these, each behind one space per level of nesting:

- `kind name 12-30`: a definition, by its name below the row that it is nested in;
- `kinds name 12 other 14-16 third fourth 17-18`: neighbours of one kind that hold nothing. Names without a span of
  their own share the next one: as many names as lines are one per line, else all stand on all of these lines;
- `declaration 12-30`: the text of the source before the body, where kind and name can be read off it;
- `kind declaration 12-30`: the same where the kind cannot and the declaration begins with the name;
- `kind name: declaration 12-30`: the same where neither can.

A name that is not made of the usual characters is written as a JSON string.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from ctxsieve.align import align_row
from ctxsieve.compress.declarations import read_declaration
from ctxsieve.fragments import DefinitionKind, LineRange
from ctxsieve.patterns import lazy_pattern
from ctxsieve.values import dataclass

__all__ = ["OutlineEntry", "OutlineRow", "parse_outline", "write_rows"]

_SPAN = lazy_pattern(r"(\d{1,9})(?:-(\d{1,9}))?\Z")
_PLAIN_NAME = lazy_pattern(r"[^\W\d][\w.$:~!?'-]*(?<!:)\Z")
_TOKEN = lazy_pattern(r'"(?:[^"\\]|\\.)*"|\S+')
_EXPLICIT = lazy_pattern(
    r'(\w+) ("(?:[^"\\]|\\.)*"|'
    r"[^\W\d][\w.$:~'-]*?)[!?]?:(?: (.*))?\Z",
    re.DOTALL,
)
# What follows the name is no part of any name.
_HEADED = lazy_pattern(r"(method|field|variable|constant) ((?!\d)[\w$]+)[?!]?(?:[(<\[=;,]| [^\w\s])")
_HEADERS = ("imports:", "exports:")


def _plural(kind: DefinitionKind) -> str:
    return f"{kind.value}es" if kind is DefinitionKind.CLASS else f"{kind.value}s"


_PLURALS: Mapping[str, DefinitionKind] = {_plural(kind): kind for kind in DefinitionKind}
_SINGULARS: Mapping[str, DefinitionKind] = {kind.value: kind for kind in DefinitionKind}


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One definition as it is to be written.

    Attributes:
        depth: how many rows it is nested in.
        kind: what it is.
        name: its qualified name without that of the row that it is nested in.
        span: its lines.
        text: its declaration on one line; empty where the name is enough.
    """

    depth: int
    kind: DefinitionKind
    name: str
    span: LineRange
    text: str = ""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One definition as it was read back."""

    kind: DefinitionKind
    qualified_name: str
    span: LineRange


def write_rows(rows: Sequence[OutlineRow], separator: str, *, is_aligned: bool = False) -> list[str]:
    """Return the lines of an outline; `parse_outline` reads the same definitions back from them.

    Args:
        rows: the definitions, each followed by what it holds.
        separator: what stands between the parts of qualified names.
        is_aligned: whether declarations are spelled in fewest tokens (docs/alignment.md).
    """
    lines: list[str] = []
    open_kinds: list[DefinitionKind] = []
    for run in _runs(rows):
        row = run[0]
        del open_kinds[row.depth :]
        indent = " " * row.depth
        parent = open_kinds[-1] if open_kinds else None
        if len(run) > 1:
            lines.append(f"{indent}{_plural(row.kind)} {' '.join(_group(run))}")
        else:
            text = _written(row, parent, separator)
            if is_aligned and row.text:
                text = _aligned(text, row, parent, separator)
            lines.append(f"{indent}{text} {row.span.numbers}")
        open_kinds.append(row.kind)
    return lines


def parse_outline(content: str, separator: str) -> list[OutlineEntry]:
    """Return the definitions that an outline names, in its order.

    Args:
        content: the text of `map` or `signatures`; its lines on imports and exports are passed over.
        separator: what stands between the parts of qualified names in the file's language.
    """
    entries: list[OutlineEntry] = []
    scopes: list[tuple[DefinitionKind, str]] = []
    for line in content.split("\n"):
        body = line.lstrip(" ")
        depth = len(line) - len(body)
        if body.startswith(_HEADERS) or not body:
            continue
        del scopes[depth:]
        parent = scopes[-1] if scopes else None
        found = list(_read_row(body, parent[0] if parent else None, separator))
        for kind, name, span in found:
            qualified = f"{parent[1]}{separator}{name}" if parent else name
            entries.append(OutlineEntry(kind, qualified, span))
        if found:
            scopes.append((found[-1][0], entries[-1].qualified_name))
    return entries


def _runs(rows: Sequence[OutlineRow]) -> Iterator[list[OutlineRow]]:
    """Yield neighbours of one kind and depth that need no text and hold nothing together, all others alone."""
    run: list[OutlineRow] = []
    for position, row in enumerate(rows):
        holds = position + 1 < len(rows) and rows[position + 1].depth > row.depth
        if run and (holds or row.text or (row.depth, row.kind) != (run[0].depth, run[0].kind)):
            yield run
            run = []
        if holds or row.text:
            yield [row]
        else:
            run.append(row)
    if run:
        yield run


def _group(run: Sequence[OutlineRow]) -> Iterator[str]:
    """Yield names and spans; a span follows the last of the names that share it."""
    first = 0
    while first < len(run):
        last = _last_sharing(run, first)
        yield from (_name(row.name) for row in run[first : last + 1])
        yield LineRange(run[first].span.first, run[last].span.last).numbers
        first = last + 1


def _last_sharing(run: Sequence[OutlineRow], first: int) -> int:
    """Return the last row that shares a written span with the row `first`: on the same lines, or one line each."""
    span = run[first].span
    last = first
    while last + 1 < len(run) and run[last + 1].span == span:
        last += 1
    if last > first:
        lines = span.last - span.first + 1
        # As many names as lines would be read as one per line.
        return last if lines == 1 or last - first + 1 != lines else first
    while last + 1 < len(run) and run[last + 1].span == LineRange(run[last].span.last + 1, run[last].span.last + 1):
        if run[last].span.first != run[last].span.last:
            break
        last += 1
    # The last of them may share its line with names that follow.
    if last > first and last + 1 < len(run) and run[last + 1].span == run[last].span:
        last -= 1
    return last


def _written(row: OutlineRow, parent: DefinitionKind | None, separator: str) -> str:
    if not row.text:
        return f"{row.kind.value} {_name(row.name)}"
    span = row.span.numbers
    read = list(_read_row(f"{row.text} {span}", parent, separator))
    if read == [(row.kind, row.name, row.span)] and not row.text.startswith((*_HEADERS, " ")):
        return row.text
    name = _name(row.name)
    if row.text.startswith(row.name):
        headed = f"{row.kind.value} {row.text}"
        if list(_read_row(f"{headed} {span}", parent, separator)) == [(row.kind, row.name, row.span)]:
            return headed
    # A mark behind a plain name would be read as that of an optional member.
    name = json.dumps(row.name, ensure_ascii=False) if "?" in name or "!" in name else name
    return f"{row.kind.value} {name}: {row.text}"


def _aligned(text: str, row: OutlineRow, parent: DefinitionKind | None, separator: str) -> str:
    # The parser is asked, since a rule may change what a declaration is read as.
    wanted = [(row.kind, row.name, row.span)]
    span = row.span.numbers
    return align_row(
        text, means_the_same=lambda spelled: [*_read_row(f"{spelled} {span}", parent, separator)] == wanted
    )


def _read_row(
    body: str, parent: DefinitionKind | None, separator: str
) -> Iterator[tuple[DefinitionKind, str, LineRange]]:
    text, _, written = body.rpartition(" ")
    span = _read_span(written)
    if span is None:
        return
    first, _, rest = text.partition(" ")
    if first in _PLURALS:
        for name, own in _read_group(f"{rest} {written}"):
            yield _PLURALS[first], name, own
        return
    explicit = _EXPLICIT.match(text)
    if explicit is not None and explicit[1] in _SINGULARS:
        yield _SINGULARS[explicit[1]], _unquoted(explicit[2]), span
        return
    headed = _HEADED.match(text)
    if headed is not None:
        yield DefinitionKind(headed[1]), headed[2], span
        return
    found = _singular(text) or read_declaration(text, parent, separator)
    if found is not None:
        yield *found, span


def _singular(text: str) -> tuple[DefinitionKind, str] | None:
    kind, _, name = text.partition(" ")
    if kind in _SINGULARS and (_PLAIN_NAME.match(name) or re.fullmatch(r'"(?:[^"\\]|\\.)*"', name)):
        return _SINGULARS[kind], _unquoted(name)
    return None


def _read_group(text: str) -> Iterator[tuple[str, LineRange]]:
    names: list[str] = []
    for token in _TOKEN.findall(text):
        span = _read_span(token)
        if span is None:
            names.append(_unquoted(token))
            continue
        is_one_each = len(names) == span.last - span.first + 1
        for number, name in enumerate(names):
            line = span.first + number
            yield name, LineRange(line, line) if is_one_each else span
        names = []


def _name(name: str) -> str:
    return name if _PLAIN_NAME.match(name) else json.dumps(name, ensure_ascii=False)


def _unquoted(name: str) -> str:
    if not name.startswith('"'):
        return name
    try:
        return str(json.loads(name))
    except ValueError:
        return name


def _read_span(text: str) -> LineRange | None:
    match = _SPAN.match(text)
    return None if match is None else LineRange(int(match[1]), int(match[2] or match[1]))
