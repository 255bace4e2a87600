"""Which family of formats a file belongs to, and its outline and compression."""

from collections.abc import Callable, Mapping, Sequence

from ctxsieve.compress.modes import Mode, Rendering
from ctxsieve.compress.options import CompressionOptions
from ctxsieve.compress.prose.choice import dull_blocks, unrelated_blocks
from ctxsieve.compress.prose.diffs import find_context_lines, outline_diff
from ctxsieve.compress.prose.entries import Entry, hide_lines, worth_marks, write_outline
from ctxsieve.compress.prose.lockfiles import find_details, outline_lockfile
from ctxsieve.compress.prose.logs import find_routine_lines, outline_log
from ctxsieve.compress.prose.markup import find_later_paragraphs, find_section_marks, outline_sections
from ctxsieve.compress.prose.nesting import find_structure, without_structure
from ctxsieve.compress.prose.notebooks import outline_notebook, render_cells
from ctxsieve.compress.prose.tables import find_ini_comments, find_middle_rows, outline_ini, outline_table
from ctxsieve.compress.prose.trees import TREE_LANGUAGES, find_repetitions, outline_tree
from ctxsieve.compress.removal import Removal
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange
from ctxsieve.languages import LanguageKind
from ctxsieve.values import dataclass

__all__ = ["find_lines", "is_code", "render_prose", "render_prose_outline"]


@dataclass(frozen=True, slots=True)
class _Family:
    outline: Callable[[SourceFile], Sequence[Entry]]
    dull_lines: Callable[[SourceFile], Sequence[LineRange]]


_TREE = _Family(outline_tree, find_repetitions)
_SECTIONS = _Family(outline_sections, find_later_paragraphs)
_FAMILIES: Mapping[str, _Family] = {
    **dict.fromkeys(TREE_LANGUAGES, _TREE),
    "markdown": _SECTIONS,
    "restructuredtext": _SECTIONS,
    "text": _SECTIONS,
    "csv": _Family(outline_table, find_middle_rows),
    "ini": _Family(outline_ini, find_ini_comments),
    "log": _Family(outline_log, find_routine_lines),
    "lockfile": _Family(outline_lockfile, find_details),
    "diff": _Family(outline_diff, find_context_lines),
    "notebook": _Family(outline_notebook, lambda _source: ()),
}


def is_code(source: SourceFile) -> bool:
    """Say whether the file has definitions, so that the modes for code serve it."""
    language = source.language
    return language is not None and language.kind is LanguageKind.CODE and bool(language.query("compress"))


def find_lines(source: SourceFile) -> list[LineRange]:
    """Return each line with text of a file that is no code, but not what other lines stand below or end with."""
    name = source.language.name if source.language else ""
    marks = find_section_marks(source) if _FAMILIES.get(name, _SECTIONS) is _SECTIONS else find_structure(source)
    with_text = [line for line, text in enumerate(source.lines, start=1) if text.strip()]
    return [LineRange(line, line) for line in with_text if line not in marks]


def render_prose_outline(source: SourceFile, mode: Mode) -> Rendering:
    """Return the outline that fits the file's format, in `map` or `signatures`."""
    family = _FAMILIES.get(source.language.name if source.language else "", _SECTIONS)
    return write_outline(source, family.outline(source), mode)


def render_prose(
    source: SourceFile,
    mode: Mode,
    *,
    share: float | None = None,
    relevance: Sequence[float] = (),
    options: CompressionOptions | None = None,
) -> Removal:
    """Return the file without what its format repeats or tells least; whole lines go, each gap is marked.

    Args:
        source: a file that is no code.
        mode: `aggressive` goes by the format; `entropy` and `task` by blocks of lines, whatever the format.
        share: of the tokens that `entropy` keeps.
        relevance: one number per line, for `task`.
        options: limits.
    """
    options = options or CompressionOptions()
    name = source.language.name if source.language else ""
    if name == "notebook":
        cells = render_cells(source, mode)
        return Removal(cells, "outputs are dropped" if cells else "it is no notebook that can be read")

    def may_go(spans: Sequence[LineRange]) -> Sequence[LineRange]:
        return _that_may_go(source, spans)

    if mode is Mode.ENTROPY:
        hidden: Sequence[LineRange] = dull_blocks(source, options.entropy_share if share is None else share, may_go)
    elif mode is Mode.TASK:
        hidden = unrelated_blocks(source, relevance, options.task_share)
    elif name in _FAMILIES:
        hidden = _FAMILIES[name].dull_lines(source)
    else:
        hidden = dull_blocks(source, options.aggressive_share, may_go)
    rendering = hide_lines(source, may_go(hidden), mode)
    return Removal(rendering, "" if rendering else "nothing in it may be left out at a gain")


def _that_may_go(source: SourceFile, hidden: Sequence[LineRange]) -> Sequence[LineRange]:
    """Return what can go of the lines to hide: what is worth a mark, and nothing that what stays needs around it."""
    spans = worth_marks(source, hidden)
    while spans != (left := worth_marks(source, without_structure(source, spans))):
        spans = left
    return spans
