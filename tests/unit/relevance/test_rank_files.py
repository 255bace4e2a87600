"""Ranking on a small real tree: the example of the specification and what must hold for every task."""

from pathlib import Path

import pytest

from ctxsieve.graph import ProjectGraph, load_or_build
from ctxsieve.relevance import RelevanceOptions, rank_files

FIXTURE = Path(__file__).parents[2] / "fixtures" / "auth_example"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> ProjectGraph:
    return load_or_build(FIXTURE, cache_directory=tmp_path_factory.mktemp("cache"))


def test_authentication_bug_brings_five_files(graph: ProjectGraph) -> None:
    ranking = rank_files(graph, "fix authentication bug")
    names = [Path(file.path).name for file in ranking.files]
    assert set(names) == {"auth.ts", "login.ts", "middleware.ts", "session.ts", "db.ts"}
    assert set(names[:2]) == {"auth.ts", "login.ts"}


def test_neighbours_come_in_by_heat_and_the_hub_by_pagerank(graph: ProjectGraph) -> None:
    ranking = rank_files(graph, "fix authentication bug")
    found = {Path(file.path).name: ranking.explain(file.document) for file in ranking.files}
    assert found["session.ts"].seed == found["db.ts"].seed == 0
    assert found["session.ts"].heat > 0.04
    alone = rank_files(graph, "fix authentication bug", options=RelevanceOptions(heat_retention=1e9, threshold=0.0))
    heat_alone = {Path(file.path).name: alone.explain(file.document).heat for file in alone.files}
    assert found["middleware.ts"].heat > heat_alone["middleware.ts"] + 0.04
    others = [explained.pagerank for explained in found.values() if explained.seed == 0]
    assert found["db.ts"].pagerank == max(others)


def test_signals_add_up_to_the_score(graph: ProjectGraph) -> None:
    options = RelevanceOptions()
    ranking = rank_files(graph, "fix authentication bug in src/login.ts", options=options)
    for file in ranking.files:
        explained = ranking.explain(file.document)
        assert sum(explained.signals.values()) == pytest.approx(explained.seed)
        score = options.heat_share * explained.heat + (1 - options.heat_share) * explained.pagerank
        assert explained.score == pytest.approx(score)
        assert 0 <= explained.score <= 1


def test_tasks_before_and_their_options_leave_no_trace(graph: ProjectGraph, tmp_path: Path) -> None:
    asked = [
        ("fix authentication bug", RelevanceOptions()),
        ("tidy up src/mailer.ts", RelevanceOptions()),
        ("fix authentication bug", RelevanceOptions(heat_retention=0.5)),
        ("fix authentication bug", RelevanceOptions(hub_importers=1.0, community=3.0)),
        ("fix authentication bug", RelevanceOptions(community=3.0)),
        ("fix authentication bug", RelevanceOptions()),
    ]
    for number, (task, options) in enumerate(asked):
        fresh = load_or_build(FIXTURE, cache_directory=tmp_path / str(number))
        once = rank_files(fresh, task, options=options)
        again = rank_files(graph, task, options=options)
        assert again.scores.tobytes() == once.scores.tobytes()


def test_a_path_in_the_task_comes_first(graph: ProjectGraph) -> None:
    assert rank_files(graph, "tidy up src/mailer.ts").files[0].path == "src/mailer.ts"


def test_innermost_frame_of_a_stack_trace_comes_first(graph: ProjectGraph) -> None:
    frames = ("loadRow (/srv/app/src/reports.ts:4:11)", "Page (/srv/app/src/page.ts:2:1)")
    task = "TypeError: row is undefined\n    at " + "\n    at ".join(frames)
    ranking = rank_files(graph, task)
    assert [file.path for file in ranking.files[:2]] == ["src/reports.ts", "src/page.ts"]
    assert ranking.traced_lines[ranking.files[0].document] == (4,)


def test_task_without_match_gives_the_hubs_and_says_so(graph: ProjectGraph) -> None:
    ranking = rank_files(graph, "zzyzx qwertz")
    assert not ranking.has_match
    assert ranking.files[0].path == "src/db.ts"


@pytest.mark.parametrize(
    "task",
    [
        "исправь ошибку в createMailer",
        "corrige el error en createMailer",
        "createMailerのバグを修正",
        "修复createMailer的错误",
    ],
)
def test_tasks_in_other_languages_find_identifiers(graph: ProjectGraph, task: str) -> None:
    assert rank_files(graph, task).files[0].path == "src/mailer.ts"


def test_same_task_gives_same_bytes(graph: ProjectGraph) -> None:
    first, second = (rank_files(graph, "fix authentication bug") for _ in range(2))
    assert first.files == second.files
    assert first.scores.tobytes() == second.scores.tobytes()


def test_empty_task_gives_the_hubs(graph: ProjectGraph) -> None:
    assert not rank_files(graph, "").has_match
