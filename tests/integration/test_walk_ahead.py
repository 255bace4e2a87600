"""A walk that begins before its graph is asked for changes nothing about the answers."""

import shutil
from pathlib import Path

import pytest

from ctxsieve import Project
from ctxsieve.errors import PathError


def project_at(root: Path) -> Project:
    root.mkdir(exist_ok=True)
    (root / "cart.py").write_text("def total(prices):\n    return sum(prices)\n")
    (root / "shop.py").write_text("import cart\n\n\ndef checkout(prices):\n    return cart.total(prices)\n")
    home = root.parent
    return Project.open(
        root, environment={"CTXSIEVE_CACHE_DIR": str(home / "cache"), "CTXSIEVE_STATE_DIR": str(home / "state")}
    )


def test_an_answer_from_a_walk_ahead_is_the_same(tmp_path: Path) -> None:
    project = project_at(tmp_path / "shop")
    first = project.walk_ahead().preload("fix the total of the cart")
    assert first.text == project.preload("fix the total of the cart").text
    assert first.text == project.walk_ahead().preload("fix the total of the cart").text
    assert "sum(prices)" in first.text


def test_every_later_call_sees_the_tree_as_it_is_then(tmp_path: Path) -> None:
    project = project_at(tmp_path / "shop").walk_ahead()
    assert project.graph().index.paths == ["cart.py", "shop.py"]
    (project.root / "stock.py").write_text("def stock():\n    return 3\n")
    assert project.graph().index.paths == ["cart.py", "shop.py", "stock.py"]


def test_a_file_that_changes_after_the_walk_is_served_as_it_is(tmp_path: Path) -> None:
    project = project_at(tmp_path / "shop")
    project.preload("fix the total of the cart")
    ahead = project.walk_ahead()
    (project.root / "cart.py").write_text("def total(prices):\n    return max(prices)\n")
    assert "max(prices)" in ahead.preload("fix the total of the cart").text
    assert "max(prices)" in project.preload("fix the total of the cart").text


def test_a_tree_that_is_gone_is_an_error_where_it_is_needed(tmp_path: Path) -> None:
    project = project_at(tmp_path / "shop")
    shutil.rmtree(project.root)
    ahead = project.walk_ahead()
    with pytest.raises(PathError, match="does not exist"):
        ahead.graph()
