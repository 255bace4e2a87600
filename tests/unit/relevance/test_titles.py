"""How much of a file's name the task says, whatever the file holds."""

from pathlib import Path

import pytest

from ctxsieve.graph import ProjectGraph, load_or_build
from ctxsieve.relevance import RelevanceOptions, rank_files

NAMES = ("cookie_jar.py", "cookie_store.py", "jar.py", "cookiejar_old.py", "banana.py", "deep/cookie/banana2.py")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> ProjectGraph:
    root = tmp_path_factory.mktemp("tree")
    for name in NAMES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("VALUE = 1\n")
    return load_or_build(root, cache_directory=tmp_path_factory.mktemp("cache"))


def _titles(graph: ProjectGraph, task: str) -> dict[str, float]:
    ranking = rank_files(graph, task)
    signals = [ranking.explain(document).signals["title"] for document in range(len(NAMES))]
    return {path: signal / max(signals) for path, signal in zip(graph.index.paths, signals, strict=True)}


def test_whole_name_counts_in_full_and_half_a_name_by_its_share(graph: ProjectGraph) -> None:
    titles = _titles(graph, "empty the cookie_jar")
    assert titles["cookie_jar.py"] == 1.0
    assert 0 < titles["cookie_store.py"] < titles["jar.py"] < 1
    assert titles["banana.py"] == 0.0


def test_folders_are_no_part_of_the_name(graph: ProjectGraph) -> None:
    assert _titles(graph, "empty the cookie_jar")["deep/cookie/banana2.py"] == 0.0


def test_name_counts_however_long_the_file_is(tmp_path: Path) -> None:
    (tmp_path / "throttle.py").write_text("VALUE = 1\n" * 2_000)
    (tmp_path / "engine.py").write_text("throttle = 1\n" * 5)
    graph = load_or_build(tmp_path, cache_directory=tmp_path / "cache")
    ranking = rank_files(graph, "throttle")
    explained = {file.path: ranking.explain(file.document) for file in ranking.files}
    assert ranking.files[0].path == "throttle.py"
    assert explained["throttle.py"].signals["title"] > explained["engine.py"].signals["title"] == 0


def test_without_weight_there_is_no_signal(graph: ProjectGraph) -> None:
    ranking = rank_files(graph, "empty the cookie_jar", options=RelevanceOptions(title=0.0))
    assert all(ranking.explain(file.document).signals["title"] == 0.0 for file in ranking.files)
