"""The order of chunks in an answer, and the marks that keep them addressable."""

from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.chunking import BRIDGE, Arrangement, Chunk, ChunkingOptions, ChunkKind
from ctxsieve.compress import compose, hide_lines, pieces_of_spans, read_source, shown_lines
from ctxsieve.compress.modes import merge_ranges
from ctxsieve.fragments import Definition, DefinitionKind, LineRange
from ctxsieve.languages import LANGUAGES

COUNT = 40
LINES = [f"line_{number} = {number}" for number in range(1, COUNT + 1)]
SOURCE = read_source("a.txt", "".join(f"{line}\n" for line in LINES).encode(), None)


def definition(first: int, last: int, parent: int | None = None) -> Definition:
    name = f"d{first}"
    return Definition(DefinitionKind.FUNCTION, name, name, 0, 1, first, last, 0, 1, None, True, parent)


def arrangement(scores: list[float], kinds: list[ChunkKind] | None = None, ordered: bool = True) -> Arrangement:
    """Four functions of ten lines, one chunk each."""
    kinds = kinds or [ChunkKind.FUNCTION] * 4
    spans = [LineRange(first, first + 9) for first in range(1, COUNT, 10)]
    chunks = tuple(
        Chunk(kind, f"d{span.first}", span, i) for i, (kind, span) in enumerate(zip(kinds, spans, strict=True))
    )
    definitions = [definition(span.first, span.last) for span in spans]
    return Arrangement(chunks, tuple(scores), definitions, ChunkingOptions(ordered=ordered))


spans = st.lists(
    st.tuples(st.integers(1, COUNT), st.integers(0, 6)).map(lambda p: LineRange(p[0], min(COUNT, sum(p)))), min_size=1
).map(merge_ranges)
scores = st.lists(st.floats(0, 1), min_size=4, max_size=4)


@given(spans, scores)
def test_sections_cover_every_line_once(shown: tuple[LineRange, ...], values: list[float]) -> None:
    sections = arrangement(values).order(shown, COUNT)
    covered = [line for section in sections for line in range(section.first, section.last + 1)]
    assert sorted(covered) == list(range(1, COUNT + 1))


@given(spans, scores)
def test_every_line_is_shown_or_marked_once(shown: tuple[LineRange, ...], values: list[float]) -> None:
    sections = arrangement(values).order(shown, COUNT)
    pieces = pieces_of_spans(SOURCE, shown, sections)
    lines = [line for piece in pieces for line in range(piece.span.first, piece.span.last + 1)]
    assert lines == list(range(1, COUNT + 1))
    assert shown_lines(pieces, COUNT)[0] == shown
    rows = compose(pieces, sections).split("\n")
    for piece in pieces:
        for row in piece.text.rstrip("\n").split("\n"):
            assert row in rows


@given(spans, scores)
def test_a_chunk_that_moved_says_where_it_begins(shown: tuple[LineRange, ...], values: list[float]) -> None:
    """What stands after a bridge begins at line 1 or after the lines that the mark before it names."""
    sections = arrangement(values).order(shown, COUNT)
    for text in compose(pieces_of_spans(SOURCE, shown, sections), sections).split(BRIDGE):
        first = text.split("\n")[0]
        if not first.startswith("..."):
            assert first == LINES[0]
            continue
        following = text.split("\n")[1]
        last_hidden = int(first.removeprefix("... ").split("-")[-1])
        assert following == LINES[last_hidden]


@given(spans, scores)
def test_inside_a_section_lines_ascend(shown: tuple[LineRange, ...], values: list[float]) -> None:
    sections = arrangement(values).order(shown, COUNT)
    for text in compose(pieces_of_spans(SOURCE, shown, sections), sections).split(BRIDGE):
        numbers = [LINES.index(row) for row in text.split("\n") if row in LINES]
        assert numbers == sorted(numbers)


def test_what_matches_comes_first_and_the_rest_by_kind() -> None:
    kinds = [ChunkKind.LOGIC, ChunkKind.FUNCTION, ChunkKind.TYPE, ChunkKind.IMPORTS]
    shown = tuple(LineRange(first, first + 3) for first in range(1, COUNT, 10))
    sections = arrangement([0.0, 0.9, 0.0, 0.1], kinds).order(shown, COUNT)
    assert [next(span.first for span in shown if span.first >= s.first) for s in sections] == [11, 31, 21, 1]


def test_what_matches_nothing_and_goes_on_in_the_file_needs_no_bridge() -> None:
    shown = tuple(LineRange(first, first + 3) for first in range(1, COUNT, 10))
    sections = arrangement([0.9, 0.1, 0.1, 0.8]).order(shown, COUNT)
    assert [(s.first, s.last) for s in sections] == [(1, 9), (30, 40), (10, 29)]


def test_equal_ones_keep_the_order_of_the_source_and_one_section_stays_whole() -> None:
    shown = tuple(LineRange(first, first + 3) for first in range(1, COUNT, 10))
    sections = arrangement([0.5] * 4).order(shown, COUNT)
    assert list(sections) == sorted(sections)
    assert arrangement([0.5] * 4).order(shown[:1], COUNT) == (LineRange(1, COUNT),)


def test_the_order_can_be_switched_off() -> None:
    shown = tuple(LineRange(first, first + 3) for first in range(1, COUNT, 10))
    assert arrangement([0.1, 0.2, 0.3, 0.9], ordered=False).order(shown, COUNT) == (LineRange(1, COUNT),)


def test_the_hidden_end_of_a_definition_stays_with_it() -> None:
    shown = (LineRange(1, 3), LineRange(11, 13), LineRange(21, 23))
    sections = arrangement([0.1, 0.0, 0.9, 0.0]).order(shown, COUNT)
    text = compose(pieces_of_spans(SOURCE, shown, sections), sections)
    assert "... 14-19\n" in text
    assert [part.split("\n")[0] for part in text.split(BRIDGE)] == ["... 20", LINES[0]]


def test_hidden_lines_become_one_mark() -> None:
    pieces = pieces_of_spans(SOURCE, (LineRange(5, 9),))
    changed = hide_lines(pieces, LineRange(6, 7), "# gone\n")
    assert compose(changed).split("\n")[1:6] == [LINES[4], "# gone", LINES[7], LINES[8], "... 10-40"]
    assert shown_lines(changed, COUNT)[0] == (LineRange(5, 5), LineRange(8, 9))


def test_marks_of_lines_that_end_in_carriage_returns_do_so_behind_the_comment() -> None:
    source = read_source("a.html", b"".join(b"<p>%d</p>\r\n" % number for number in range(9)), LANGUAGES["html"])
    text = compose(pieces_of_spans(source, (LineRange(4, 5),)))
    assert text == "<!-- ... 1-3 -->\r\n<p>3</p>\r\n<p>4</p>\r\n<!-- ... 6-9 -->\r\n"
