"""What a benchmark counts as preserved, and what it says where nothing can be."""

import json
from pathlib import Path

import pytest

from ctxsieve import Project
from ctxsieve.benchmark import BenchmarkOptions, as_mapping, as_markdown, as_text
from ctxsieve.benchmark.preservation import measure_preservation
from ctxsieve.benchmark.together import FILES_TOGETHER, choose_neighbours, choose_related
from ctxsieve.compress import SourceFile, read_source, render_map, render_signatures
from ctxsieve.errors import InputError
from ctxsieve.fragments import LineRange
from ctxsieve.languages import LANGUAGES

CODE = """def first(alpha):
    return alpha


def second(beta):
    return first(beta)
"""


SHARED = """

def third(gamma, delta):
    # Aggressive leaves this comment out: it is long enough to be worth a mark of its own, and says nothing at all.
    # It goes on for a second line, since one line might cost as much as the mark.
    if gamma is None:
        raise ValueError("gamma is missing: name one of the letters")
    return delta(gamma)
"""


# Says every name of what is shared once more, so that none is lost where it goes.
OWN = """

def fourth(alpha, gamma, delta):
    if alpha is None and third(gamma, delta) is missing:
        raise ValueError("name one of the letters")
    return name
"""


@pytest.fixture
def source() -> SourceFile:
    return read_source("a.py", CODE.encode(), LANGUAGES["python"])


def test_the_whole_file_preserves_everything(source: SourceFile) -> None:
    kept = measure_preservation(source, CODE, "full", (LineRange(1, 6),))
    assert (kept.definitions, kept.identifiers, kept.lines, kept.is_valid) == (1.0, 1.0, 1.0, True)


def test_what_is_missing_is_counted(source: SourceFile) -> None:
    half = "".join(f"{line}\n" for line in source.lines[:2])
    kept = measure_preservation(source, half, "aggressive", (LineRange(1, 2),))
    assert (kept.definitions, kept.identifiers, kept.lines) == (0.5, 0.5, 0.5)


def test_broken_text_is_invalid(source: SourceFile) -> None:
    assert measure_preservation(source, "def first(:\n", "aggressive", ()).is_valid is False


def test_a_name_inside_another_word_does_not_count(source: SourceFile) -> None:
    kept = measure_preservation(source, "firsts = alphabet\n", "aggressive", ())
    assert kept.identifiers == 0.0


def test_outlines_are_checked_by_name_and_span(source: SourceFile) -> None:
    for rendering in (render_map(source), render_signatures(source)):
        kept = measure_preservation(source, rendering.content, rendering.mode.value, ())
        assert kept.definitions == 1.0
        shifted = rendering.content.replace("5-6", "5-7")
        assert measure_preservation(source, shifted, rendering.mode.value, ()).definitions == 0.5


def test_nothing_to_track_is_not_a_hundred_percent() -> None:
    prose = read_source("a.md", b"# Title\n", LANGUAGES["markdown"])
    kept = measure_preservation(prose, "", "map", ())
    assert (kept.definitions, kept.identifiers, kept.is_valid) == (None, None, None)
    empty = read_source("a.py", b"", LANGUAGES["python"])
    assert measure_preservation(empty, "", "full", ()).lines is None


@pytest.mark.parametrize("mode", ["task", "lines:1-2", "nonsense"])
def test_modes_that_need_more_are_refused(mode: str) -> None:
    with pytest.raises(InputError, match="mode is"):
        BenchmarkOptions(modes=(mode,))


def test_a_tree_is_added_up_by_mode_and_language(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "b.py").write_text(CODE * 3 + SHARED + OWN)
    (root / "a.py").write_text(CODE + SHARED)
    (root / "notes.md").write_text("# Title\n\nText.\n")
    places = {"CTXSIEVE_CACHE_DIR": str(tmp_path / "cache"), "CTXSIEVE_STATE_DIR": str(tmp_path / "state")}
    report = Project.open(root, environment=places).benchmark(modes=("full", "map"))
    assert report.files == 3
    assert report.modes["full"].saved == 0
    assert report.modes["full"].tokens == report.original_tokens
    assert report.modes["full"].checked == 2
    assert report.modes["full"].invalid == ()
    assert report.languages["python"]["map"].files == 2
    assert report.languages["markdown"]["map"].definitions is None
    assert set(as_mapping(report)["algorithms"]) == {
        "predictive surprise (aggressive)",
        "BPE alignment (aggressive)",
        "BPE alignment (signatures)",
        "MMR de-duplication (8 neighbours, aggressive)",
        "MMR de-duplication (8 files of a task, aggressive)",
    }
    without, whole = report.algorithms["MMR de-duplication (8 neighbours, aggressive)"]
    assert without.files == whole.files == 3
    assert without.tokens < whole.tokens
    json.dumps(as_mapping(report))
    assert "n/a" in as_text(report)
    assert "| mode | files |" in as_markdown(report)


def test_loads_are_neighbours_or_what_a_task_is_about() -> None:
    paths = [f"{folder}/{n}.py" for folder in "ab" for n in range(10)]
    assert [load[0] for load in choose_neighbours(paths, 3)] == ["a/0.py", "a/6.py", "b/2.py"]
    assert all(len(load) == FILES_TOGETHER for load in choose_neighbours(paths, 9))
    assert list(choose_neighbours(paths[:3], 1)) == [paths[:3]]
    asked: list[str] = []

    def rank(task: str) -> list[str]:
        asked.append(task)
        return ["skipped.bin", *paths[5:]]

    assert list(choose_related(paths, 2, rank)) == [paths[5:13]] * 2
    assert asked == ["change a/0.py", "change b/0.py"]


def test_a_sample_is_spread_over_the_paths(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(9):
        (root / f"m{number}.py").write_text("x = 1\n" * (number + 1))
    places = {"CTXSIEVE_CACHE_DIR": str(tmp_path / "cache"), "CTXSIEVE_STATE_DIR": str(tmp_path / "state")}
    report = Project.open(root, environment=places).benchmark(modes=("full",), maximum_files=3)
    assert report.files == 3
    assert report.modes["full"].lines == 1.0
