"""Lines are scored, cut in chunks and chosen alike by the native core and by its twins in Python."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compression_rules import CODE, fixture_sources
from ctxsieve import _kernels
from ctxsieve._kernels.pure.chunk_file import chunk_file as leave_it_to_the_twin
from ctxsieve._kernels.pure.score_lines import score_lines as pure_scores
from ctxsieve.chunking import ChunkingOptions
from ctxsieve.compress import ScoredFile, SourceFile, parse_sources, read_source, recall_line_facts
from ctxsieve.fragments import KEPT_LINE
from ctxsieve.languages import LANGUAGES
from ctxsieve.tokens import count_tokens
from strategies.backends import native
from strategies.programs import programs

relaxed = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FACTORS = st.floats(0, 3, allow_subnormal=False)


@st.composite
def scored_lines(draw: st.DrawFn) -> tuple[int, dict[str, object]]:
    """Arguments of `score_lines`: nested definitions, some beyond the end, and terms on lines."""
    count = draw(st.integers(1, 60))
    term_count = draw(st.integers(1, 5))
    places = sorted(
        draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, term_count - 1)), min_size=1, max_size=40))
    )
    first, last, parents = [], [], []
    for number in range(draw(st.integers(0, 8))):
        parent = draw(st.integers(-1, number - 1))
        start, end = (1, count + 2) if parent < 0 else (first[parent], last[parent])
        first.append(draw(st.integers(start, end)))
        last.append(draw(st.integers(first[-1], end)))
        parents.append(parent)
    shares = st.sampled_from([0.5, 1.0])
    return count, {
        "lines": np.array([line for line, _ in places], dtype=np.int64),
        "terms": np.array([term for _, term in places], dtype=np.int64),
        "shares": np.array([draw(shares) for _ in places], dtype=np.float64),
        "weights": np.array(draw(st.lists(FACTORS, min_size=term_count, max_size=term_count)), dtype=np.float64),
        "spans": (first, last, parents),
        "named": draw(st.lists(FACTORS, min_size=len(first), max_size=len(first))),
        "options": (
            *(draw(st.floats(0, 0.99)), draw(FACTORS), draw(st.floats(0.5, 50)), draw(st.floats(0, 1))),
            *(draw(FACTORS), draw(FACTORS)),
        ),
    }


@settings(deadline=None)
@given(scored_lines())
def test_scores_have_the_same_bits(given_lines: tuple[int, dict[str, object]]) -> None:
    count, arguments = given_lines
    ours = native.score_lines(count, **arguments)
    assert len(ours) == count
    assert ours.tobytes() == pure_scores(count, **arguments).tobytes()


def test_hits_beyond_the_lines_are_refused() -> None:
    arguments = {
        "terms": np.array([0]),
        "shares": np.array([1.0]),
        "weights": np.array([1.0]),
        "spans": ([], [], []),
        "named": [],
        "options": (0.5, 1.0, 20.0, 0.3, 0.5, 0.2),
    }
    assert len(native.score_lines(2, lines=np.array([1]), **arguments)) == 2
    with pytest.raises(ValueError, match="do not belong together"):
        native.score_lines(2, lines=np.array([2]), **arguments)


def test_spans_that_are_no_lines_are_refused() -> None:
    nothing = {
        "lines": np.array([], dtype=np.int64),
        "terms": np.array([], dtype=np.int64),
        "shares": np.array([]),
        "weights": np.array([1.0]),
        "named": [0.0],
        "options": (0.5, 1.0, 20.0, 0.3, 0.5, 0.2),
    }
    least, most = -(2**63), 2**63 - 1
    for first, last, parent in [(least, 1, -1), (0, 1, -1), (1, least, -1), (1, 1, 1), (1, 1, most)]:
        with pytest.raises(ValueError, match="do not belong together"):
            native.score_lines(2, spans=([first], [last], [parent]), **nothing)
    with pytest.raises(ValueError, match="count is 9223372036854775807: it must be from 0 to 4294967295"):
        native.score_lines(most, spans=([1], [1], [-1]), **nothing)


def test_runs_of_no_lines_and_impossible_budgets_end() -> None:
    arguments = {
        "line_tokens": [1, 1],
        "tokens": 3,
        "scores": np.array([1.0, 0.0]),
        "roles": b"",
        "spans": ([], [], []),
        "signatures": ([], []),
        "import_lines": [],
        "is_ordered": True,
        "match_share": 0.25,
        "comment": ("# ", ""),
    }
    assert native.chunk_file("a\nb\n", None, limits=(0, 0, 0), **arguments) is None
    file = native.chunk_file("a\nb\n", None, limits=(1, 2**63, 1), **arguments)
    assert file is not None
    assert file.choose(-(2**63), False) == ("", [], 0)
    assert file.choose(2**63 - 1, True)[0] == "a\nb\n"


def known(name: str, data: bytes, memory: Path, *, is_aligned: bool) -> SourceFile:
    source = read_source(f"file.{name}", data, LANGUAGES[name])
    (parsed,) = parse_sources([source], memory=memory, threads=1, is_aligned=is_aligned)
    return recall_line_facts(parsed, memory=memory)


def outcomes(file: ScoredFile, tokens: int) -> list[object]:
    arrangement = file.arrangement
    found: list[object] = [tuple(arrangement.chunks), list(arrangement.scores)]
    for share in (0.0, 0.1, 0.3, 0.6, 0.9, 1.2):
        for structure_first in (False, True):
            rendering = file.render(budget_tokens=int(tokens * share) - 1, structure_first=structure_first)
            assert rendering.counted_tokens == count_tokens(rendering.content)
            found += [rendering, rendering.counted_tokens]
    return found


def assert_same(source: SourceFile, seed: int, options: ChunkingOptions) -> None:
    random = np.random.default_rng(seed)
    count = len(source.lines)
    scores = np.where(random.random(count) < random.random(), random.random(count) ** 3, 0.0)
    imports = frozenset(random.integers(1, max(2, count // 2), 3).tolist())
    ours = ScoredFile(source, scores, imports, options)
    assert ours._native is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_kernels, "chunk_file", leave_it_to_the_twin)
        twin = ScoredFile(replace(source), scores, imports, options)
        assert twin._native is None
        expected = outcomes(twin, source.tokens)
    assert outcomes(ours, source.tokens) == expected


OPTIONS = [
    ChunkingOptions(),
    ChunkingOptions(maximum_lines=5, part_lines=3, own_value_lines=1, match_share=0.9),
    ChunkingOptions(ordered=False, maximum_lines=9, part_lines=20),
]


@pytest.mark.parametrize("is_aligned", [False, True])
@pytest.mark.parametrize("name", CODE)
def test_fixtures_are_chosen_alike(name: str, is_aligned: bool, tmp_path: Path) -> None:
    data = b"\n".join(fixture_sources(name))
    for seed, text in enumerate(
        [data, data.replace(b"\n", b"\r\n").rstrip(), data * 3, b"\n\n", b"", data + b"\n    "]
    ):
        assert_same(known(name, text, tmp_path, is_aligned=is_aligned), seed, OPTIONS[seed % 3])


@relaxed
@given(data=st.data(), seed=st.integers(0, 1000), options=st.sampled_from(OPTIONS), is_aligned=st.booleans())
def test_programs_are_chosen_alike(
    data: st.DataObject,
    seed: int,
    options: ChunkingOptions,
    is_aligned: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    name = data.draw(st.sampled_from(CODE))
    text = data.draw(programs(name))
    source = known(name, text, tmp_path_factory.mktemp("memory"), is_aligned=is_aligned)
    assert_same(source, seed, options)


def test_text_of_no_language_is_left_to_the_twin() -> None:
    source = read_source("notes", b"one\n\ntwo\n", None)
    file = ScoredFile(source, np.array([0.0, 0.0, 1.0]), (), ChunkingOptions())
    assert file._native is None
    assert file.render(budget_tokens=100).content == "one\n\ntwo\n"


@st.composite
def literal_heavy_programs(draw: st.DrawFn) -> str:
    """Functions of many lines, with doc strings, comments and blank lines in them and strings that go over lines."""
    parts = []
    for number in range(draw(st.integers(1, 4))):
        words = st.sampled_from(["", "some words", "    indented", "more. And more."])
        inner = "\n".join(draw(st.lists(words, min_size=1, max_size=50)))
        before = "".join(f"    a{n} = {n}\n\n" * draw(st.booleans()) for n in range(draw(st.integers(0, 15))))
        after = "".join(f"    b{n} = {n}\n" for n in range(draw(st.integers(0, 15))))
        parts.append(f"def f{number}(x):\n{before}    t = '''{inner}\n'''\n{after}    return x\n")
    return "\n".join(draw(st.permutations([*parts, "import os\nX = '''\n\n\n\n\n\n\n\n\n\n\n'''\n"])))


@relaxed
@given(text=literal_heavy_programs(), seed=st.integers(0, 1000), options=st.sampled_from(OPTIONS))
def test_what_is_shown_opens_no_literal_that_it_does_not_close(
    text: str, seed: int, options: ChunkingOptions, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = known("python", text.encode(), tmp_path_factory.mktemp("memory"), is_aligned=True)
    assert_same(source, seed, options)
    scores = np.random.default_rng(seed).random(len(source.lines))
    file = ScoredFile(source, scores, frozenset([1]), options)
    inside = [number for number, layout in enumerate(source.parsed.layout, start=1) if layout == KEPT_LINE]
    assert not {chunk.span.first for chunk in file.arrangement.chunks} & set(inside)
    for share in (0.2, 0.5, 0.8):
        shown = file.render(budget_tokens=int(source.tokens * share)).shown
        lines = {line for span in shown for line in range(span.first, span.last + 1)}
        # Blank lines at the ends of what is shown are no loss.
        cut = [n for n in inside if source.lines[n - 1].strip() and (n in lines) != (n - 1 in lines)]
        assert all(not source.lines[n - 2].strip() for n in cut), (shown, cut)
