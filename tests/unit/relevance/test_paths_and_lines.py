"""Words in paths, named paths, and the lines that a task is about."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.graph import load_or_build
from ctxsieve.languages import LANGUAGES, parse
from ctxsieve.relevance import rank_files, score_lines
from ctxsieve.relevance.paths import find_named_paths, match_paths
from ctxsieve.relevance.words import split_identifier

_PATHS = ["README", "lib/HTTPServer.js", "src/click/shell_completion.py", "src/pkg-tools/.eslintrc.js", "src/x.test.ts"]


def _matches(word: str) -> list[tuple[str, str]]:
    found = match_paths(_PATHS, {word: [(0, 1.0)]})
    fields = ("name", "folder")
    return [(_PATHS[d], fields[f]) for d, f in zip(found.documents.tolist(), found.fields.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("word", "path", "field"),
    [
        ("server", "lib/HTTPServer.js", "name"),
        ("http", "lib/HTTPServer.js", "name"),
        ("httpserver", "lib/HTTPServer.js", "name"),
        ("shell_completion", "src/click/shell_completion.py", "name"),
        ("pkgtools", "src/pkg-tools/.eslintrc.js", "folder"),
        ("click", "src/click/shell_completion.py", "folder"),
        ("readme", "README", "name"),
        ("test", "src/x.test.ts", "name"),
    ],
)
def test_words_of_paths_are_found(word: str, path: str, field: str) -> None:
    assert (path, field) in _matches(word)


@pytest.mark.parametrize("word", ["js", "py", "ell", "serve"])
def test_extensions_and_pieces_of_words_do_not_count(word: str) -> None:
    assert _matches(word) == []


def test_number_at_the_end_of_a_word_is_optional() -> None:
    for word in ("sqlite", "sqlite3"):
        found = match_paths(["db/sqlite3/base.py"], {word: [(0, 1.0)]})
        assert found.documents.tolist() == [0]
        assert found.fields.tolist() == [1]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.from_regex(r"([a-zA-Z][a-z0-9_]{0,6}/){0,2}[a-zA-Z][a-zA-Z0-9_]{0,8}\.py", fullmatch=True)))
def test_every_part_of_every_file_name_is_found(paths: list[str]) -> None:
    for document, path in enumerate(paths):
        name = path.rpartition("/")[2].removesuffix(".py")
        for part in split_identifier(name):
            found = match_paths(paths, {part: [(0, 1.0)]})
            if not any(letter.isdigit() for letter in name):
                assert document in found.documents.tolist()


def test_no_paths_and_no_words() -> None:
    assert len(match_paths([], {"a": [(0, 1.0)]}).documents) == 0
    assert len(match_paths(_PATHS, {}).documents) == 0


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("src/click/shell_completion.py", {2: 1.0}),
        ("shell_completion.py", {2: 1.0}),
        ("/srv/build/src/click/shell_completion.py", {2: 1.0}),
        ("lib/httpserver.js", {1: 1.0}),
        ("other.py", {}),
    ],
)
def test_named_paths_fit_by_their_ends(name: str, found: dict[int, float]) -> None:
    assert find_named_paths(_PATHS, [name]) == [found]


def test_name_of_two_files_is_shared_and_of_many_says_nothing() -> None:
    assert find_named_paths(["a/m.py", "b/m.py"], ["m.py"]) == [{0: 0.5, 1: 0.5}]
    assert find_named_paths(["a/m.py", "b/m.py"], ["b/m.py"]) == [{1: 1.0}]
    assert find_named_paths([f"d{n}/m.py" for n in range(9)], ["m.py"]) == [{}]


_SOURCE = '''import os


def open_door(key):
    """Turn the key."""
    return key


def feed_cat(bowl):
    amount = os.cpu_count()
    bowl.fill(amount)
    return bowl
'''


def test_lines_of_the_definition_that_the_task_names_score_highest(tmp_path: Path) -> None:
    (tmp_path / "home.py").write_text(_SOURCE)
    (tmp_path / "other.py").write_text("def sleep():\n    pass\n")
    graph = load_or_build(tmp_path, cache_directory=tmp_path / "cache")
    ranking = rank_files(graph, "the cat gets too little from feed_cat")
    lines = _SOURCE.splitlines()
    parsed = parse(_SOURCE.encode(), LANGUAGES["python"])
    scores = score_lines(lines, parsed.definitions, ranking, import_lines={1})
    assert scores.argmax() + 1 == 9
    assert scores[8:12].min() > scores[3:6].max()
    traced = score_lines(lines, parsed.definitions, ranking, traced_lines=[6])
    assert traced.argmax() + 1 == 6


def test_lines_without_any_word_score_nothing(tmp_path: Path) -> None:
    (tmp_path / "home.py").write_text(_SOURCE)
    graph = load_or_build(tmp_path, cache_directory=tmp_path / "cache")
    ranking = rank_files(graph, "zzyzx")
    assert not np.any(score_lines(_SOURCE.splitlines(), (), ranking))
    assert len(score_lines([], (), ranking)) == 0
