import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ctxsieve._kernels import BACKEND
from ctxsieve.graph import load_or_build
from ctxsieve.graph.manifest import MANIFEST_NAME
from project_trees import FILES, all_facts, write_tree

BUILD = """
import sys
from pathlib import Path
from ctxsieve.graph import load_or_build
graph = load_or_build(sys.argv[1], cache_directory=Path(sys.argv[2]))
print(len(graph.index), len(graph.edges.source), graph.rescanned, graph.notices)
"""


def start(tree: Path, cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "CTXSIEVE_BACKEND": BACKEND}
    return subprocess.Popen(
        [sys.executable, "-c", BUILD, str(tree), str(cache)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    write_tree(root, {**FILES, **{f"many/file{number}.py": f"import os\nvalue_{number} = 1\n" for number in range(60)}})
    return root


def cache_files(cache: Path, pattern: str) -> list[Path]:
    return sorted(cache.glob(f"*/{pattern}"))


def test_second_load_scans_nothing(tree: Path, tmp_path: Path) -> None:
    first = load_or_build(tree, cache_directory=tmp_path / "cache")
    segments = cache_files(tmp_path / "cache", "segment-*")
    second = load_or_build(tree, cache_directory=tmp_path / "cache")
    assert (first.rescanned, second.rescanned) == (len(first.index), 0)
    assert cache_files(tmp_path / "cache", "segment-*") == segments
    assert all_facts(first) == all_facts(second)


def test_one_edit_scans_one_file(tree: Path, tmp_path: Path) -> None:
    load_or_build(tree, cache_directory=tmp_path / "cache")
    for number in range(12):
        write_tree(tree, {"pkg/core.py": f"def edited_{number}(): pass\n"})
        graph = load_or_build(tree, cache_directory=tmp_path / "cache")
        assert 1 <= graph.rescanned <= 2
        assert graph.index.documents_defining(f"edited_{number}").tolist() == [graph.index.document("pkg/core.py")]
        assert graph.index.documents_defining(f"edited_{number - 1}").tolist() == []
    assert len(cache_files(tmp_path / "cache", "segment-*")) <= 6


def test_edits_that_keep_size_and_times_are_seen(tree: Path, tmp_path: Path) -> None:
    path = tree / "pkg" / "core.py"
    path.write_text("name_0000 = 1\n")
    status = path.stat()
    for number in range(1, 200):
        load_or_build(tree, cache_directory=tmp_path / "cache")
        with path.open("r+") as file:
            file.write(f"name_{number:04} = 1\n")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        graph = load_or_build(tree, cache_directory=tmp_path / "cache")
        assert graph.index.postings(f"name_{number:04}")[0].tolist() == [graph.index.document("pkg/core.py")]


@pytest.mark.parametrize("damage", ["truncate", "garbage", "empty", "flip", "remove", "foreign"])
@pytest.mark.parametrize("pattern", ["segment-*", MANIFEST_NAME])
def test_damaged_cache_is_rebuilt_and_said_so(tree: Path, tmp_path: Path, pattern: str, damage: str) -> None:
    expected = all_facts(load_or_build(tree, cache_directory=tmp_path / "cache"))
    path = cache_files(tmp_path / "cache", pattern)[0]
    content = bytearray(path.read_bytes())
    if damage == "remove":
        path.unlink()
    else:
        content[len(content) // 2] ^= 0xFF
        damaged = {
            "truncate": bytes(content[: len(content) // 2]),
            "garbage": random.Random(7).randbytes(len(content)),
            "empty": b"",
            "flip": bytes(content),
            "foreign": b"SQLite format 3\0" + bytes(4096),
        }
        path.write_bytes(damaged[damage])
    rebuilt = load_or_build(tree, cache_directory=tmp_path / "cache")
    assert all_facts(rebuilt) == expected
    if not (pattern == MANIFEST_NAME and damage == "remove"):
        assert len(rebuilt.notices) == 1
        assert "it was rebuilt" in rebuilt.notices[0]
    assert load_or_build(tree, cache_directory=tmp_path / "cache").notices == ()


def test_damaged_edges_are_resolved_again(tree: Path, tmp_path: Path) -> None:
    fresh = load_or_build(tree, cache_directory=tmp_path / "cache")
    cache_files(tmp_path / "cache", "edges.bin")[0].write_bytes(b"CTXSVEDG" + bytes(100))
    assert all_facts(load_or_build(tree, cache_directory=tmp_path / "cache")) == all_facts(fresh)


def test_changed_manifest_file_resolves_again(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    write_tree(
        root,
        {
            "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@a/*": ["one/*"]}}}',
            "one/x.ts": "export const x = 1\n",
            "two/x.ts": "export const x = 2\n",
            "main.ts": 'import {x} from "@a/x"\n',
        },
    )

    def target() -> list[str]:
        graph = load_or_build(root, cache_directory=tmp_path / "cache")
        main = graph.index.document("main.ts")
        assert main is not None
        return [graph.index.paths[document] for document in graph.edges.targets_of(main)]

    assert target() == ["one/x.ts"]
    write_tree(root, {"tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@a/*": ["two/*"]}}}'})
    assert target() == ["two/x.ts"]


@pytest.mark.parametrize(
    ("edit", "is_resolved_again"),
    [
        ("import os\nvalue_3 = 'other'\n", False),
        ("import os\nimport many.file4\nvalue_3 = 1\n", True),
        ("import os\nother_3 = 1\n\n\ndef value_3(): pass\n", True),
    ],
)
def test_edges_stay_where_imports_and_names_do(
    tree: Path, tmp_path: Path, edit: str, *, is_resolved_again: bool
) -> None:
    load_or_build(tree, cache_directory=tmp_path / "cache")
    (edges,) = cache_files(tmp_path / "cache", "edges.bin")
    before = edges.stat().st_ino
    write_tree(tree, {"many/file3.py": edit})
    graph = load_or_build(tree, cache_directory=tmp_path / "cache")
    # A kept file is left alone, a new one replaces it.
    assert (edges.stat().st_ino != before) == is_resolved_again
    assert all_facts(graph) == all_facts(load_or_build(tree, cache_directory=tmp_path / "fresh"))


def test_many_processes_at_once_agree(tree: Path, tmp_path: Path) -> None:
    processes = [start(tree, tmp_path / "cache") for _ in range(4)]
    outputs = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, outputs
    assert len({tuple(out.split()[:2]) for out, _ in outputs}) == 1
    assert len(cache_files(tmp_path / "cache", "segment-*")) == 1
    assert all_facts(load_or_build(tree, cache_directory=tmp_path / "cache")) == all_facts(
        load_or_build(tree, cache_directory=tmp_path / "other")
    )


def test_killed_builds_leave_a_usable_cache(tree: Path, tmp_path: Path) -> None:
    moments = random.Random(3)
    expected = all_facts(load_or_build(tree, cache_directory=tmp_path / "other"))
    for number in range(12):
        write_tree(tree, {"pkg/core.py": f"def edited_{number}(): pass\n"})
        process = start(tree, tmp_path / "cache")
        time.sleep(moments.uniform(0.05, 0.6))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    write_tree(tree, {"pkg/core.py": FILES["pkg/core.py"]})
    graph = load_or_build(tree, cache_directory=tmp_path / "cache")
    assert all_facts(graph) == expected
    assert [path.name for path in cache_files(tmp_path / "cache", "*.tmp")] == []
