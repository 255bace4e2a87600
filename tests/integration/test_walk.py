import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import SKIP_REASONS, WalkedTree
from ctxsieve._kernels.pure.walk_tree import walk_tree as walk_pure
from ctxsieve.graph import load_or_build
from project_trees import FILES, all_facts, write_tree


def walk_native(root: bytes, *, with_git_rules: bool, threads: int) -> WalkedTree:
    module = pytest.importorskip("ctxsieve._kernels.native_walk")
    found: WalkedTree = module.walk_tree(root, with_git_rules=with_git_rules, threads=threads)
    return found


WALKS = [pytest.param(walk_native, id="native"), pytest.param(walk_pure, id="pure")]


def paths_of(walk: Callable[..., WalkedTree], root: Path, *, with_git_rules: bool = True) -> list[str]:
    found = walk(os.fsencode(root), with_git_rules=with_git_rules, threads=2)
    return [os.fsdecode(path) for path in found.paths]


def git_paths(root: Path) -> list[str]:
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"],
        check=True,
        capture_output=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
    )
    return sorted(os.fsdecode(path) for path in listed.stdout.split(b"\0") if path)


IGNORED = {
    ".gitignore": "*.log\nbuild/\n/root-only.txt\n!keep.log\ndoc/**/*.tmp\n\\#odd\ntrail\\ \n[ab].x\n"
    "nested/**\n!nested/kept/\n",
    "a.x": "",
    "c.x": "",
    "#odd": "",
    "trail ": "",
    "one.log": "",
    "keep.log": "",
    "root-only.txt": "",
    "sub/root-only.txt": "",
    "build/out.o": "",
    "sub/build/out.o": "",
    "sub/buildfile": "",
    "doc/a.tmp": "",
    "doc/x/y/a.tmp": "",
    "doc/x/y/a.txt": "",
    "nested/gone": "",
    "nested/kept/gone": "",
    "deep/.gitignore": "*\n!*/\n!*.py\n",
    "deep/a.py": "",
    "deep/b.txt": "",
    "deep/er/c.py": "",
    "deep/er/d.txt": "",
    ".github/workflows/ci.yml": "",
    ".hidden": "",
}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("walk", WALKS)
def test_walk_lists_what_git_lists(tmp_path: Path, walk: Callable[..., WalkedTree]) -> None:
    write_tree(tmp_path, IGNORED)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".git" / "info").mkdir(exist_ok=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("*.x\n!c.x\n")
    assert paths_of(walk, tmp_path) == git_paths(tmp_path)


LINES = st.sampled_from(
    ["*", "*.py", "!*.py", "a", "a/", "!a", "/a", "a/b", "a/**", "**/b", "!**/b/", "a/*/c", "?", "[a-b]", "[!a]", "[",
     "\\a", "#x", "!", "/", "b/ ", "*.txt", "**", "a**", "/**/c", "[]a]", "[[:alpha:]]", "[^b].py"]
)  # fmt: skip
SEGMENT = st.sampled_from(["a", "b", "c", "a.py", "b.txt"])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(SEGMENT, min_size=1, max_size=4).map("/".join), max_size=8),
    st.lists(LINES, max_size=5),
    st.lists(LINES, max_size=3),
    st.sampled_from([".gitignore", ".ignore", ".ctxsieveignore"]),
)
def test_twins_agree_on_ignore_rules(
    tmp_path_factory: pytest.TempPathFactory, paths: list[str], top: list[str], inner: list[str], name: str
) -> None:
    root = tmp_path_factory.mktemp("walk")
    for path in paths:
        is_below_file = any((root / parent).is_file() for parent in Path(path).parents)
        if not is_below_file and not (root / path).exists():
            write_tree(root, {path: ""})
    (root / ".gitignore").write_text("\n".join(top))
    if (root / "a").is_dir():
        (root / "a" / name).write_text("\n".join(inner))
    for with_git_rules in (True, False):
        assert paths_of(walk_native, root, with_git_rules=with_git_rules) == paths_of(
            walk_pure, root, with_git_rules=with_git_rules
        )
    shutil.rmtree(root)


@pytest.mark.parametrize("walk", WALKS)
def test_stronger_ignore_files_win(tmp_path: Path, walk: Callable[..., WalkedTree]) -> None:
    write_tree(
        tmp_path,
        {
            "x.py": "",
            "y.py": "",
            "z.py": "",
            ".gitignore": "*.py\n",
            ".ignore": "!y.py\n",
            ".ctxsieveignore": "!z.py\ny.py\n",
        },
    )
    assert [path for path in paths_of(walk, tmp_path) if path.endswith(".py")] == ["z.py"]


@pytest.mark.parametrize("walk", WALKS)
def test_parents_of_the_root_have_no_say(tmp_path: Path, walk: Callable[..., WalkedTree]) -> None:
    write_tree(tmp_path, {".gitignore": "*\n", ".ignore": "*\n", "root/a.py": ""})
    assert paths_of(walk, tmp_path / "root") == ["a.py"]


@pytest.mark.parametrize("walk", WALKS)
def test_special_files_are_never_opened(tmp_path: Path, walk: Callable[..., WalkedTree]) -> None:
    root = tmp_path / "tree"
    write_tree(root, FILES)
    os.mkfifo(root / "pipe.py")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "link.py").symlink_to(root / "pkg" / "core.py")
    (root / "outside").symlink_to("/etc", target_is_directory=True)
    (root / "dangling").symlink_to(root / "nowhere")
    with socket.socket(socket.AF_UNIX) as server:
        folder = os.getcwd()
        try:
            os.chdir(root)
            server.bind("socket")
        finally:
            os.chdir(folder)
    found = walk(os.fsencode(root), with_git_rules=True, threads=2)
    assert [os.fsdecode(path) for path in found.paths] == sorted(FILES)
    reasons = {os.fsdecode(path): SKIP_REASONS[reason] for path, reason in found.skipped}
    link, special = "symbolic link: not followed", "special file: not opened"
    assert reasons == {
        "dangling": link, "link.py": link, "loop": link, "outside": link, "pipe.py": special, "socket": special,
    }  # fmt: skip
    assert len(load_or_build(root, cache_directory=tmp_path / "cache").index) == len(FILES)


@pytest.mark.parametrize("walk", WALKS)
def test_pipe_named_like_an_ignore_file_is_not_waited_for(tmp_path: Path, walk: Callable[..., WalkedTree]) -> None:
    write_tree(tmp_path, {"a.py": "", "sub/b.py": ""})
    os.mkfifo(tmp_path / ".gitignore")
    (tmp_path / "sub" / ".ignore").mkdir()
    assert paths_of(walk, tmp_path) == ["a.py", "sub/b.py"]


@pytest.mark.parametrize("walk", WALKS)
def test_any_file_name_is_kept(tmp_path: Path, walk: Callable[..., WalkedTree]) -> None:
    root = tmp_path / "tree"
    names = [b"line\nbreak.py", b"\xff\xfe.py", b"tab\t.py", "é.py".encode(), b" .py", b"-n.py", b"back\\slash.py"]
    root.mkdir()
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(root), name))).write_bytes(b"import os\n")
    assert walk(os.fsencode(root), with_git_rules=True, threads=1).paths == sorted(names)
    for _ in range(2):
        graph = load_or_build(root, cache_directory=tmp_path / "cache")
        assert [os.fsencode(path) for path in graph.index.paths] == sorted(names)
        assert graph.index.postings("os")[0].tolist() == list(range(len(names)))


@pytest.mark.parametrize("walk", WALKS)
def test_nested_repositories_are_recognised(tmp_path: Path, walk: Callable[..., WalkedTree]) -> None:
    write_tree(
        tmp_path,
        {"a.py": "", "module/.git": "gitdir: ../.git/modules/module\n", "module/b.py": "", "clone/.git/HEAD": ""},
    )
    write_tree(tmp_path, {"clone/c.py": ""})
    found = walk(os.fsencode(tmp_path), with_git_rules=True, threads=1)
    assert found.repositories == [b"clone", b"module"]
    assert found.paths == [b"a.py", b"clone/c.py", b"module/b.py"]


def test_files_that_change_during_the_scan_do_no_harm(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    write_tree(root, {f"file{number}.py": "x = 1\n" * 50 for number in range(200)})
    stop = threading.Event()

    def churn() -> None:
        number = 0
        while not stop.is_set():
            path = root / f"file{number % 200}.py"
            if number % 3 == 0:
                path.unlink(missing_ok=True)
            else:
                with path.open("a") as file:
                    file.write("grown = 1\n" * 20)
            number += 7

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(5):
            load_or_build(root, cache_directory=tmp_path / "cache")
    finally:
        stop.set()
        thread.join()
    settled = load_or_build(root, cache_directory=tmp_path / "cache")
    assert all_facts(settled) == all_facts(load_or_build(root, cache_directory=tmp_path / "fresh"))
