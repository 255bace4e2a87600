"""The outlines: map, signatures and reference."""

from collections.abc import Iterator

from ctxsieve.compress.modes import Mode, Rendering, complement
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import Definition, DefinitionKind, LineRange

__all__ = ["VALUE_KINDS", "render_map", "render_reference", "render_signatures", "signature_lines"]

VALUE_KINDS = frozenset({DefinitionKind.CONSTANT, DefinitionKind.VARIABLE, DefinitionKind.FIELD})


def render_map(source: SourceFile, imports: tuple[str, ...] = ()) -> Rendering:
    """Return the imports and the outline: one line per definition, nested by indentation, with its line span.

    Args:
        source: the file.
        imports: what it imports, in source order.
    """
    rows = [f"imports: {', '.join(imports)}"] if imports else []
    rows += [
        f"{'  ' * depth}{definition.kind} {definition.name} {_span(definition)}"
        for definition, depth in _outline(source)
        if definition.kind is not DefinitionKind.FIELD
    ]
    content = "\n".join(rows) + "\n" if rows else ""
    return Rendering(Mode.MAP, content, (), complement((), len(source.lines)))


def render_signatures(source: SourceFile) -> Rendering:
    """Return the text before each body, with the span of the whole definition."""
    rows = []
    for definition, depth in _outline(source):
        if definition.kind in VALUE_KINDS and not definition.exported:
            continue
        text = source.data[definition.head_byte : definition.signature_end_byte].decode("utf-8", "replace")
        if definition.kind in VALUE_KINDS:
            text = text.split("\n", 1)[0]
        rows.append(f"{'  ' * depth}{' '.join(text.split())} {_span(definition)}")
    content = "\n".join(rows) + "\n" if rows else ""
    return Rendering(Mode.SIGNATURES, content, (), complement((), len(source.lines)))


def render_reference(source: SourceFile) -> Rendering:
    """Return one line that says the file is there and how long it is."""
    count = len(source.lines)
    return Rendering(Mode.REFERENCE, f"{source.path} ({count} lines)\n", (), complement((), count))


def signature_lines(source: SourceFile, definition: Definition) -> LineRange:
    """Return the source lines from the definition's head to the end of its signature."""
    return LineRange(source.line_of(definition.head_byte), source.line_of(max(0, definition.signature_end_byte - 1)))


def _outline(source: SourceFile) -> Iterator[tuple[Definition, int]]:
    depths: list[int] = []
    for definition in source.parsed.definitions:
        depth = 0 if definition.parent is None else depths[definition.parent] + 1
        depths.append(depth)
        yield definition, depth


def _span(definition: Definition) -> str:
    if definition.first_line == definition.last_line:
        return str(definition.first_line)
    return f"{definition.first_line}-{definition.last_line}"
