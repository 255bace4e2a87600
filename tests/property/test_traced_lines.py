"""A line that the task names is shown, whatever stands there."""

import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ctxsieve
from compression_rules import CODE
from ctxsieve import Project
from ctxsieve.chunking import ChunkingOptions
from ctxsieve.compress import ScoredFile, nearest_lines, read_source
from ctxsieve.fragments import LineRange
from ctxsieve.languages import LANGUAGES
from ctxsieve.tokens import count_tokens
from strategies.programs import programs

PACKAGE = Path(ctxsieve.__file__).parent
FILES = ("chunking/arrangement.py", "chunking/source.py", "pipeline/rendering.py", "compress/composition.py")
FORMS = ("fix {path}:{line}", "{path}:{line}: error: TypeError: bad value", 'File "{path}", line {line}, in x')
relaxed = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def is_shown(line: int, shown: Iterable[LineRange]) -> bool:
    return any(span.first <= line <= span.last for span in shown)


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(st.data())
def test_named_lines_are_shown_within_the_budget(name: str, data: st.DataObject) -> None:
    source = read_source(f"file.{name}", data.draw(programs(name)), LANGUAGES[name])
    count = len(source.lines)
    line = data.draw(st.integers(1, count))
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    scores = np.where(random.random(count) < 0.5, random.random(count), 0.0)
    nearest = nearest_lines(source.lines, [line])
    budget = 60 + 2 * max([count_tokens(source.lines[number - 1]) for number in nearest], default=0)
    budget += data.draw(st.integers(0, 200))
    file = ScoredFile(source, scores, frozenset(), ChunkingOptions(), [line, count + 7])
    rendering = file.render(budget_tokens=budget, structure_first=data.draw(st.booleans()))
    assert count_tokens(rendering.content) <= budget
    assert all(is_shown(number, rendering.shown) for number in nearest)
    assert nearest or not any(text.strip() for text in source.lines)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    root = tmp_path_factory.mktemp("named")
    for folder in ("chunking", "pipeline", "compress", "dedup"):
        shutil.copytree(PACKAGE / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return Project.open(root, environment={"XDG_CACHE_HOME": str(root.parent / "cache")})


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(FILES), st.integers(1, 400), st.sampled_from(FORMS), st.sampled_from([250, 600, 1500, 4000]))
def test_preload_shows_the_line_that_the_task_names(
    project: Project, path: str, place: int, form: str, budget: int
) -> None:
    lines = (PACKAGE / path).read_text(encoding="utf-8").split("\n")[:-1]
    line = 1 + place % len(lines)
    answer = project.preload(form.format(path=path, line=line), budget_tokens=budget)
    (file,) = [file for file in answer.files if file.path == path]
    assert answer.tokens <= budget
    assert all(is_shown(number, file.lines) for number in nearest_lines(lines, [line]))
    for number in nearest_lines(lines, [line]):
        assert lines[number - 1].strip() in answer.text


def test_a_blank_line_stands_for_the_nearest_one() -> None:
    assert nearest_lines(["a", "", "", "b", ""], [2, 3, 5, 6, 0]) == [1, 4]
    assert nearest_lines(["", " "], [1]) == []


def test_the_heads_around_a_named_line_and_its_neighbours_are_shown() -> None:
    body = "".join(f"        step_{number}(value)\n" for number in range(40))
    text = f"import os\n\n\nclass Machine:\n    speed = 1\n\n    def run(self, value):\n{body}"
    source = read_source("machine.py", text.encode(), LANGUAGES["python"])
    scores = np.zeros(len(source.lines))
    rendering = ScoredFile(source, scores, frozenset(), ChunkingOptions(), [30]).render(budget_tokens=80)
    for line in (4, 7, 29, 30, 31):
        assert is_shown(line, rendering.shown)
    assert not is_shown(10, rendering.shown)
