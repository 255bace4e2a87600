import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import walk_entry, walk_folders, walk_tree
from ctxsieve.graph import LiveGraph, WatchOptions, load_or_build
from ctxsieve.graph.file_events import relative_path
from project_trees import FILES, all_facts, write_tree

pytest.importorskip("watchfiles")

NAMES = sorted([*FILES, "pkg/new.py", "pkg/sub/deep.py", "web/extra.js", "zz.txt", "ignored/a.py", "pkg/out.log"])
FOLDERS = ["pkg", "web", "src", "moved", "pkg/sub", "ignored", "stable", "web/inner/pkg"]
RULES = [".gitignore", "pkg/.gitignore", ".ctxsieveignore", "web/.ignore", ".git/info/exclude", "moved/.gitignore"]
CONTENTS = [
    "",
    "import os\n",
    "import os \n",
    "from pkg import helpers, core\n\ndef fresh_name(): pass\n",
    "class HTTPServer:\n    pass\n",
    'import {render} from "./view.js";\n',
    "\0binary",
]
PATTERNS = ["", "*.js\n", "/pkg/\n!/pkg/core.py\n", "ignored/\n*.log\n", "*\n", "*.py\n!core.py\n"]
edit = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(CONTENTS)),
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(CONTENTS)),
    st.tuples(st.just("write"), st.sampled_from(RULES), st.sampled_from(PATTERNS)),
    st.tuples(st.just("delete"), st.sampled_from([*NAMES, *RULES]), st.just("")),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("rename"), st.sampled_from(FOLDERS), st.sampled_from(FOLDERS)),
    st.tuples(st.just("remove"), st.sampled_from(FOLDERS), st.just("")),
    st.tuples(st.just("make"), st.sampled_from(FOLDERS), st.just("")),
    st.tuples(st.just("link"), st.sampled_from(["web/link", "pkg/core.py", "link"]), st.sampled_from(FOLDERS)),
    st.tuples(st.just("mode"), st.sampled_from(NAMES), st.just("")),
)


def apply(root: Path, action: str, name: str, value: str) -> None:
    """Carry an edit out where the tree allows it."""
    path = root / name
    try:
        if action == "write":
            write_tree(root, {name: value})
        elif action == "delete":
            path.unlink()
        elif action == "rename":
            (root / value).parent.mkdir(parents=True, exist_ok=True)
            path.rename(root / value)
        elif action == "remove":
            shutil.rmtree(path)
        elif action == "make":
            path.mkdir(parents=True)
        elif action == "link":
            path.unlink(missing_ok=True)
            path.symlink_to(root / value, target_is_directory=True)
        else:
            path.chmod(0o640)
    except OSError:
        pass


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp())
    yield made
    shutil.rmtree(made)


@settings(max_examples=30)
@given(st.lists(st.lists(edit, max_size=4), min_size=1, max_size=6))
def test_followed_tree_equals_a_fresh_build(rounds: list[list[tuple[str, str, str]]]) -> None:
    place = Path(tempfile.mkdtemp())
    root = place / "tree"
    write_tree(root, {**FILES, **{f"stable/file{number}.py": f"value_{number} = 1\n" for number in range(30)}})
    try:
        with LiveGraph(root, cache_directory=place / "kept") as live:
            live.graph()
            for number, edits in enumerate(rounds):
                for action, name, value in edits:
                    apply(root, action, name, value)
                followed = live.graph()
                fresh = load_or_build(root, cache_directory=place / f"fresh{number}")
                assert all_facts(followed) == all_facts(fresh)
                assert followed.notices == fresh.notices
                assert live.graph().index is followed.index or not followed.index.paths
    finally:
        shutil.rmtree(place)


@settings(max_examples=60)
@given(st.lists(edit, max_size=12), st.booleans())
def test_entries_and_folders_are_those_of_the_walk(edits: list[tuple[str, str, str]], with_git_rules: bool) -> None:
    root = Path(tempfile.mkdtemp())
    try:
        write_tree(root, FILES)
        for action, name, value in edits:
            apply(root, action, name, value)
        place = os.fsencode(root)
        tree = walk_tree(place, with_git_rules=with_git_rules, threads=1)
        folders = walk_folders(place, with_git_rules=with_git_rules)
        assert {path.rpartition(b"/")[0] for path in tree.paths} <= set(folders)
        found, skipped, inner = [], [], [b""]
        for folder in folders:
            for name in os.listdir(os.path.join(place, folder)):
                path = os.path.join(folder, name)
                entry = walk_entry(place, path, with_git_rules=with_git_rules)
                if entry.status is not None:
                    found.append((path, entry.status.st_size, entry.status.st_mtime_ns, entry.status.st_ino))
                if entry.skip is not None:
                    skipped.append((path, entry.skip))
                if entry.is_folder:
                    inner.append(path)
        columns = (tree.paths, tree.sizes.tolist(), tree.mtimes_ns.tolist(), tree.inodes.tolist())
        assert sorted(found) == list(zip(*columns, strict=True))
        assert sorted(skipped) == tree.skipped
        assert sorted(inner) == folders
    finally:
        shutil.rmtree(root)


@pytest.mark.parametrize(
    ("root", "changed", "separator", "expected"),
    [
        (b"/home/tree", "/home/tree/a/b.py", "/", b"a/b.py"),
        (b"/home/tree", "/home/tree", "/", b""),
        (b"/home/tree", "/home/trees/a.py", "/", None),
        (b"/", "/a.py", "/", b"a.py"),
        (b"/home/tree", "/home/tree/a\\b.py", "/", b"a\\b.py"),
        (rb"C:\tree", "C:\\tree\\a\\b.py", "\\", b"a/b.py"),
        (rb"C:\tree", "C:\\tree", "\\", b""),
    ],
)
def test_changed_path_is_relative_with_slashes(
    root: bytes, changed: str, separator: str, expected: bytes | None
) -> None:
    assert relative_path(root, changed, separator=separator) == expected


def test_quiet_tree_is_not_walked_again(folder: Path) -> None:
    write_tree(folder / "tree", FILES)
    with LiveGraph(folder / "tree", cache_directory=folder / "cache") as live:
        first = live.graph()
        walks = live.walks
        for _ in range(5):
            again = live.graph()
        assert again.index is live.graph().index
        assert live.walks == walks
        assert list(first.index.paths) == list(again.index.paths)


def test_changed_file_alone_is_read_again(folder: Path) -> None:
    write_tree(folder / "tree", {**FILES, **{f"stable/file{number}.py": f"x_{number} = 1\n" for number in range(30)}})
    with LiveGraph(folder / "tree", cache_directory=folder / "cache") as live:
        live.graph()
        walks = live.walks
        write_tree(folder / "tree", {"pkg/core.py": "def walked_alone(): pass\n"})
        graph = live.graph()
        assert graph.rescanned == 1
        assert live.walks == walks
        assert graph.index.documents_defining("walked_alone").tolist() == [graph.index.document("pkg/core.py")]


def test_write_within_the_same_tick_is_seen(folder: Path) -> None:
    write_tree(folder / "tree", FILES)
    with LiveGraph(folder / "tree", cache_directory=folder / "cache") as live:
        for number in range(40):
            write_tree(folder / "tree", {"pkg/core.py": f"name_{number % 10} = 1\n"})
            assert live.graph().index.postings(f"name_{number % 10}")[0].size == 1, number


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        pytest.param(WatchOptions(maximum_changes=1), ("pkg/core.py", "web/app.js"), id="many changes"),
        pytest.param(WatchOptions(walk_interval_seconds=1e-9), ("pkg/core.py",), id="long ago"),
        pytest.param(WatchOptions(event_timeout_seconds=1e-9), ("pkg/core.py",), id="late events"),
        pytest.param(WatchOptions(), (".gitignore",), id="ignore file"),
        pytest.param(WatchOptions(), ("pkg/a/b/c.py",), id="new folder"),
    ],
)
def test_walks_again_where_events_do_not_tell(folder: Path, options: WatchOptions, changed: tuple[str, ...]) -> None:
    write_tree(folder / "tree", FILES)
    with LiveGraph(folder / "tree", cache_directory=folder / "cache", watch_options=options) as live:
        live.graph()
        walks = live.walks
        write_tree(folder / "tree", dict.fromkeys(changed, "import json\n"))
        followed = live.graph()
        assert live.walks > walks
        assert all_facts(followed) == all_facts(load_or_build(folder / "tree", cache_directory=folder / "fresh"))


def test_root_that_was_replaced_is_seen(folder: Path) -> None:
    write_tree(folder / "tree", FILES)
    write_tree(folder / "other", {"only.py": "x = 1\n"})
    with LiveGraph(folder / "tree", cache_directory=folder / "cache") as live:
        live.graph()
        (folder / "tree").rename(folder / "old")
        (folder / "other").rename(folder / "tree")
        assert live.graph().index.paths == ["only.py"]


def test_links_into_the_tree_do_not_hide_changes(folder: Path) -> None:
    write_tree(folder / "tree", FILES)
    link = folder / "tree" / "web" / "link"
    link.symlink_to(folder / "tree" / "pkg", target_is_directory=True)
    with LiveGraph(folder / "tree", cache_directory=folder / "cache") as live:
        live.graph()
        (link / "core.py").write_text("def through_the_link(): pass\n")
        link.unlink()
        graph = live.graph()
        assert graph.index.documents_defining("through_the_link").size == 1
        write_tree(folder / "tree", {"pkg/core.py": "def afterwards(): pass\n"})
        assert live.graph().index.documents_defining("afterwards").size == 1
