import os
from pathlib import Path

import numpy as np
import pytest

from ctxsieve._kernels.pure.segment import build_segment as build_pure
from ctxsieve._kernels.pure.walk_tree import walk_tree
from ctxsieve.graph.tables import languages_of, load_scan_tables
from project_trees import FILES, write_tree

native = pytest.importorskip("ctxsieve._kernels._native")

PROJECTS = Path(__file__).parents[1] / "fixtures" / "projects"


def build_both(root: Path, paths: list[bytes], tmp_path: Path, *, threads: int, max_bytes: int = 100_000) -> bytes:
    tables = load_scan_tables()
    languages = languages_of(os.fsencode(root), paths, tables)
    arguments = (os.fsencode(root), paths, languages, list(tables.compiled), max_bytes)
    build_pure(*arguments, 1, os.fsencode(tmp_path / "pure"))
    native.build_segment(*arguments, threads, os.fsencode(tmp_path / "native"))
    content = (tmp_path / "native").read_bytes()
    assert content == (tmp_path / "pure").read_bytes()
    return content


@pytest.mark.parametrize("project", sorted(path.name for path in PROJECTS.iterdir()))
def test_segments_of_every_language_are_the_same_bytes(project: str, tmp_path: Path) -> None:
    root = PROJECTS / project
    paths = walk_tree(os.fsencode(root), with_git_rules=True, threads=1).paths
    assert paths
    build_both(root, paths, tmp_path, threads=2)


def test_threads_do_not_change_the_bytes(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    write_tree(root, {f"f{number}.py": f"def name_{number}(): return {number % 7}\n" for number in range(300)})
    paths = sorted(os.fsencode(path.name) for path in root.iterdir())
    assert build_both(root, paths, tmp_path, threads=1) == build_both(root, paths, tmp_path, threads=3)


def test_files_that_cannot_be_read_are_the_same_bytes(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    write_tree(root, {**FILES, "huge.c": "int x;\n" * 1000, "wide.txt": "words".encode("utf-16"), "bin": b"\0\1"})
    (root / "link.py").symlink_to("pkg/core.py")
    (root / "folder.py").mkdir()
    os.mkfifo(root / "pipe.py")
    paths = sorted([*(os.fsencode(name) for name in FILES), b"huge.c", b"wide.txt", b"bin"])
    build_both(root, [*paths, b"folder.py", b"gone.py", b"link.py", b"pipe.py"], tmp_path, threads=2, max_bytes=5000)


def test_no_files_make_an_empty_segment(tmp_path: Path) -> None:
    assert build_both(tmp_path, [], tmp_path, threads=2)


def test_lengths_must_agree(tmp_path: Path) -> None:
    for build in (build_pure, native.build_segment):
        with pytest.raises(ValueError, match="languages has 0 entries for 1 paths: they must be equal"):
            build(b"/", [b"a"], np.zeros(0, np.int16), [], 1, 1, os.fsencode(tmp_path / "out"))
