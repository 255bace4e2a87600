"""In which order the chunks of one file are presented (docs/assembly.md)."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from ctxsieve.chunking.source import Chunk, ChunkingOptions, ChunkKind, ChunkTable
from ctxsieve.fragments import Definition, DefinitionTable, LineRange
from ctxsieve.values import dataclass

__all__ = ["BRIDGE", "Arrangement", "TopChunk"]

# The line between two chunks that do not follow each other in the file.
BRIDGE = "---\n"
_PRIORITY = {kind: place for place, kind in enumerate(ChunkKind)}


@dataclass(frozen=True, slots=True)
class TopChunk:
    """The chunk that a file is shown for; `name` is empty where it belongs to no definition."""

    name: str
    span: LineRange


@dataclass(slots=True)
class _Section:
    """Shown lines that stay together, and how well the best chunk in them matches."""

    span: LineRange
    root: int | None
    score: float
    priority: int


@dataclass(frozen=True)
class Arrangement:
    """The chunks of a file with their scores, and the order that follows for any choice of lines.

    Attributes:
        chunks: all chunks, in source order.
        scores: one per chunk; 0 where nothing in it is about the task.
        definitions: those that the chunks belong to.
        options: whether chunks are ordered at all, and from which share of the best score on one matches.
        is_code: text without definitions keeps the order of the source.
    """

    chunks: Sequence[Chunk]
    scores: Sequence[float]
    definitions: Sequence[Definition]
    options: ChunkingOptions
    is_code: bool = True

    def order(self, shown: Sequence[LineRange], line_count: int) -> tuple[LineRange, ...]:
        """Return sections that cover the file's lines, in the order of presentation.

        A section is what is shown of one definition at file level, with everything inside it, or a run of lines outside
        of all. Hidden lines go with the section after them, so that it says where it begins; only what is hidden of a
        definition's end stays with the definition when another section follows. Sections that match the task come
        first, then the others by the priority of their kind, each in the order of the source; what matches nothing and
        follows in the file, too, is one section.
        """
        sections = self._sections(shown) if self.options.ordered and self.is_code else []
        if len(sections) < 2:
            return (LineRange(1, line_count),) if line_count else ()
        order = self._ranked(sections)
        follows = dict(pairwise(order))
        ends = [
            section.span.last if follows.get(i) == i + 1 else self._end(section, before=sections[i + 1])
            for i, section in enumerate(sections[:-1])
        ]
        starts = [1, *(end + 1 for end in ends)]
        ends.append(line_count)
        # Sections that match nothing and follow each other in the file need no bridge.
        joined: list[LineRange] = []
        for before, i in zip([None, *order], order, strict=False):
            if before is not None and before + 1 == i and not any(map(self._matches, sections[before : i + 1])):
                joined[-1] = LineRange(joined[-1].first, ends[i])
            else:
                joined.append(LineRange(starts[i], ends[i]))
        return tuple(joined)

    def sections_of_text(self, shown: Sequence[LineRange], lines: Sequence[str]) -> tuple[LineRange, ...]:
        """Return sections that cover the file's lines, in the order of presentation, for a text that shows most of it.

        A section is a definition at file level, or the lines between two of them; blank lines go with what they follow.
        Their order is that of `order`.
        """
        sections = list(self._definition_sections(shown, lines))
        if len(sections) < 2 or not (self.options.ordered and self.is_code):
            return (LineRange(1, len(lines)),) if lines else ()
        return tuple(sections[i].span for i in self._ranked(sections))

    def top_chunk(self, shown: Sequence[LineRange]) -> TopChunk | None:
        """Return the best chunk that is shown whole; ties go to the earlier one."""
        best = None
        for i, (first, last) in enumerate(zip(self._table.first_lines, self._table.last_lines, strict=True)):
            if best is not None and self.scores[i] <= self.scores[best]:
                continue
            if any(span.first <= first and last <= span.last for span in shown):
                best = i
        return None if best is None else TopChunk(self.chunks[best].name, self.chunks[best].span)

    def _ranked(self, sections: Sequence[_Section]) -> list[int]:
        def key(i: int) -> tuple[int, int]:
            return (-1 if self._matches(sections[i]) else sections[i].priority, i)

        return sorted(range(len(sections)), key=key)

    def _matches(self, section: _Section) -> bool:
        return section.score > 0 and section.score >= self._least_match

    def _definition_sections(self, shown: Sequence[LineRange], lines: Sequence[str]) -> Iterator[_Section]:
        waiting: _Section | None = None
        for chunk, root, score in zip(self.chunks, self._roots, self.scores, strict=True):
            is_shown = any(span.first <= chunk.span.last and chunk.span.first <= span.last for span in shown)
            found = _Section(chunk.span, root, score if is_shown else 0.0, _PRIORITY[chunk.kind])
            is_blank = not any(line.strip() for line in lines[chunk.span.first - 1 : chunk.span.last])
            if waiting is not None and (is_blank or waiting.root == root):
                span = LineRange(waiting.span.first, chunk.span.last)
                best, first = max(waiting.score, found.score), min(waiting.priority, found.priority)
                waiting = _Section(span, waiting.root, best, waiting.priority if is_blank else first)
            else:
                if waiting is not None:
                    yield waiting
                waiting = found
        if waiting is not None:
            yield waiting

    def _sections(self, shown: Sequence[LineRange]) -> list[_Section]:
        sections: list[_Section] = []
        for span in shown:
            first, last = self._chunk_at(span.first), self._chunk_at(span.last)
            score = max(self.scores[first : last + 1])
            priority = min([_PRIORITY[kind] for kind in self._table.kinds[first : last + 1]])
            before = sections[-1] if sections else None
            if before is not None and before.root is not None and before.root == self._roots[first]:
                before.span = LineRange(before.span.first, span.last)
                before.root = self._roots[last]
                before.score, before.priority = max(before.score, score), min(before.priority, priority)
            else:
                sections.append(_Section(span, self._roots[last], score, priority))
        return sections

    def _end(self, section: _Section, *, before: _Section) -> int:
        """Return the last line of the definition in which a section ends; one hidden line is left to the next one."""
        last = section.span.last
        if section.root is None:
            return last
        return max(last, min(self._definitions.last_lines[section.root], before.span.first - 2))

    def _chunk_at(self, line: int) -> int:
        return max(0, bisect_right(self._table.first_lines, line) - 1)

    @cached_property
    def _table(self) -> ChunkTable:
        return ChunkTable.of(self.chunks)

    @cached_property
    def _definitions(self) -> DefinitionTable:
        return DefinitionTable.of(self.definitions)

    @cached_property
    def _least_match(self) -> float:
        return max(self.scores) * self.options.match_share

    @cached_property
    def _roots(self) -> list[int | None]:
        """The definition at file level that each chunk stands in."""
        parents = self._definitions.parents
        roots: list[int] = []
        for i, parent in enumerate(parents):
            # Parents stand before what they hold.
            roots.append(i if parent < 0 else roots[parent])
        return [None if owner is None else roots[owner] for owner in self._table.definitions]
