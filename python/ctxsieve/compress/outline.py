"""The outlines: map, signatures and reference."""

from collections.abc import Callable, Sequence

from ctxsieve.compress.heads import declaration_of, trait_of
from ctxsieve.compress.modes import Mode, Rendering, complement
from ctxsieve.compress.notation import OutlineRow, write_rows
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import Definition, ImportStatement, LineRange
from ctxsieve.patterns import lazy_pattern
from ctxsieve.tokens import count_tokens
from ctxsieve.values import replace

__all__ = ["is_minified", "render_map", "render_reference", "render_signatures"]

_MINIFIED_BYTES = 4096
_MINIFIED_LINE_BYTES = 250
_MINIFIED_ROWS = 50
_MINIFIED_TEXT = 500


def render_map(source: SourceFile, imports: Sequence[ImportStatement] = ()) -> Rendering:
    """Return imports, exports and the outline: every definition with its line span, nested by indentation.

    Args:
        source: the file.
        imports: its import statements, in source order.
    """
    rows = _rows(source, lambda number: trait_of(source, number))
    headers = [*_imports(source, imports), *(_exports(source.parsed.definitions) if rows else ())]
    if _is_unreadable(source, [*headers, *(row.text for row in rows)]):
        return _short_outline(source, Mode.MAP, imports)
    return _outline(source, Mode.MAP, headers, rows)


def render_signatures(source: SourceFile, *, is_aligned: bool = False) -> Rendering:
    """Return the declarations of what the file offers to others, and the names of the rest, with line spans.

    Args:
        source: the file.
        is_aligned: whether declarations are spelled in fewest tokens (docs/alignment.md).
    """
    rows = _rows(source, lambda number: declaration_of(source, number))
    if _is_unreadable(source, [row.text for row in rows]):
        return _short_outline(source, Mode.SIGNATURES)
    return _outline(source, Mode.SIGNATURES, [], rows, is_aligned=is_aligned)


def render_reference(source: SourceFile) -> Rendering:
    """Return one line that says the file is there and how long it is."""
    count = len(source.lines)
    return Rendering(Mode.REFERENCE, f"{source.path} ({count} lines)\n", (), complement((), count))


def is_minified(source: SourceFile) -> bool:
    """Say whether the text is code whose lines are too long to be read or named, as the scan of a project does."""
    size = len(source.data) if len(source.text) >= _MINIFIED_BYTES // 4 else 0
    return size >= _MINIFIED_BYTES and size // source.line_count > _MINIFIED_LINE_BYTES


def _is_unreadable(source: SourceFile, texts: Sequence[str]) -> bool:
    """Say whether the outline of a minified file is empty or itself too long; one long line hides no definitions."""
    has_rows = 0 < len(source.parsed.definitions) <= _MINIFIED_ROWS
    return not (has_rows and all(len(text) <= _MINIFIED_TEXT for text in texts)) and is_minified(source)


def _short_outline(source: SourceFile, mode: Mode, imports: Sequence[ImportStatement] = ()) -> Rendering:
    """Return the outline of a minified file: some of what it offers; lines tell nothing and inner names are made up."""
    rows = [row for row in _rows(source, lambda _: "") if row.depth == 0]
    own = [definition for definition in source.parsed.definitions if definition.parent is None]
    listed = [row for row, definition in zip(rows, own, strict=True) if definition.exported and definition.name]
    listed = listed[:_MINIFIED_ROWS]
    texts = [
        text if len(text) <= _MINIFIED_TEXT else f"{text[:_MINIFIED_TEXT]}..." for text in _imports(source, imports)
    ]
    headers = [*texts, *(() if listed else ("exports: none",))]
    left = len(source.parsed.definitions) - len(listed)
    lines = source.line_count
    count = left + len(listed)
    reason = f"minified: {left} of {count} definitions on {lines} line{'s' * (lines != 1)} are not listed"
    return replace(_outline(source, mode, headers, listed), reason=reason)


def _outline(
    source: SourceFile, mode: Mode, headers: Sequence[str], rows: Sequence[OutlineRow], *, is_aligned: bool = False
) -> Rendering:
    separator = source.language.separator if source.language else "."
    lines = [*headers, *write_rows(rows, separator, is_aligned=is_aligned)]
    content = "\n".join(lines) + "\n" if lines else ""
    return Rendering(mode, content, (), complement((), len(source.lines)), count_tokens(content))


def _rows(source: SourceFile, text_of: Callable[[int], str]) -> list[OutlineRow]:
    """Return the definitions, each followed by what it holds, in source order otherwise."""
    separator = source.language.separator if source.language else "."
    definitions = source.parsed.definitions
    held: dict[int | None, list[int]] = {}
    for number, definition in enumerate(definitions):
        held.setdefault(definition.parent, []).append(number)
    rows: list[OutlineRow] = []
    pending = [(number, 0) for number in reversed(held.get(None, ()))]
    while pending:
        number, depth = pending.pop()
        definition = definitions[number]
        name = definition.qualified_name
        if definition.parent is not None:
            name = name.removeprefix(definitions[definition.parent].qualified_name + separator)
        span = LineRange(definition.first_line, definition.last_line)
        rows.append(OutlineRow(depth, definition.kind, name, span, text_of(number)))
        pending += [(inner, depth + 1) for inner in reversed(held.get(number, ()))]
    return rows


_KEYWORD = lazy_pattern(r"(?:import|from|use|using|package|#\s*include|require|mod)\b\s*")


# What a file says that it is part of, which only resolving its imports has to know.
_OWN_NAME = lazy_pattern(r"(?:package|namespace|module|defmodule|defprotocol)\s")
_QUOTED = lazy_pattern(r"([\w.]+\s+)?(?:\"([^\"]*)\"|`([^`]*)`)")


def _imports(source: SourceFile, statements: Sequence[ImportStatement]) -> list[str]:
    is_quoted = source.language is not None and source.language.name == "go"
    texts: dict[str, None] = {}
    for statement in statements:
        if _OWN_NAME.match(statement.text) is not None:
            continue
        if is_quoted:
            # One statement names many packages, each behind the name that it goes by in the file.
            found = _QUOTED.findall(statement.text.removeprefix("import"))
            texts.update(dict.fromkeys(f"{' '.join(name.split())} {path}{raw}".lstrip() for name, path, raw in found))
        else:
            texts[_KEYWORD.sub("", " ".join(statement.text.split()), count=1)] = None
    return [f"imports: {'; '.join(texts)}"] if texts else []


def _exports(definitions: Sequence[Definition]) -> list[str]:
    """Return what others see of the file's own level: all of it, or the shorter of what is seen and what is not."""
    own = [definition for definition in definitions if definition.parent is None and definition.name]
    seen = dict.fromkeys(_label(definition) for definition in own if definition.exported)
    hidden = dict.fromkeys(_label(definition) for definition in own if not definition.exported)
    if not own:
        return []
    if not hidden:
        return ["exports: all"]
    if not seen:
        return ["exports: none"]
    return [f"exports: all but {' '.join(hidden)}" if len(hidden) < len(seen) else f"exports: {' '.join(seen)}"]


def _label(definition: Definition) -> str:
    return "".join(definition.qualified_name.split())
