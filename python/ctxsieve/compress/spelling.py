"""Which lines of a source may be spelled with other white space, checked where its syntax tree is not certain."""

from collections.abc import Sequence
from dataclasses import replace

from ctxsieve._kernels import PARSE_LIMIT, syntax_nodes
from ctxsieve.align import align_lines
from ctxsieve.compress.source import SourceFile
from ctxsieve.languages import Language, find_layouts

__all__ = ["find_line_layouts", "spell_source"]


def spell_source(source: SourceFile) -> SourceFile:
    """Return the source with its shortest spelling (SPEC 8)."""
    (layout,) = find_line_layouts([source], threads=1)
    return replace(source, spelling=align_lines(source.lines, layout))


def find_line_layouts(sources: Sequence[SourceFile], *, threads: int) -> list[bytes]:
    """Return one byte per line of each source; none where its lines stay as they are.

    A source with syntax errors is spelled and parsed again: where that gives another tree, its lines stay.
    """
    files = [(source.data, source.language) for source in sources if source.language is not None]
    layouts = iter(find_layouts(files, threads=threads))
    found: list[bytes] = []
    for source in sources:
        if source.language is None:
            found.append(b"")
            continue
        layout = next(layouts)
        is_safe = layout.is_certain or _keeps_tree(source, layout.lines, source.language)
        found.append(layout.lines if is_safe else b"")
    return found


def _keeps_tree(source: SourceFile, layout: bytes, language: Language) -> bool:
    spelled = replace(source, spelling=align_lines(source.lines, layout))
    if spelled.spelling is None or language.grammar is None:
        return False
    texts = [source.data, spelled.spelled_text.encode("utf-8", "surrogatepass")]
    nodes = syntax_nodes(texts, language.grammar, parse_limit=PARSE_LIMIT, threads=1)
    before, after = (slice(int(nodes.indptr[i]), int(nodes.indptr[i + 1])) for i in (0, 1))
    return all(
        column[before].tobytes() == column[after].tobytes()
        for column in (nodes.kind, nodes.field, nodes.parent, nodes.flags)
    )
