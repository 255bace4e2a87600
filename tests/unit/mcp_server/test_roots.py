import os
from pathlib import Path

import mcp_types as types
import pytest

from ctxsieve.errors import PathError
from ctxsieve.mcp_server.roots import choose_root, root_paths

OUTSIDE = Path("/somewhere/else")


def listed(*uris: str) -> types.ListRootsResult:
    return types.ListRootsResult.model_validate({"roots": [{"uri": uri} for uri in uris]})


def test_named_folder_inside_a_root_is_served(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert choose_root(inner, OUTSIDE, [tmp_path]) == inner
    assert choose_root(tmp_path, OUTSIDE, [tmp_path]) == tmp_path


def test_named_folder_outside_all_roots_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "a"
    for named in (tmp_path, tmp_path / "ab", OUTSIDE):
        with pytest.raises(PathError, match="outside the client's roots"):
            choose_root(named, root, [root])


def test_link_out_of_a_root_is_refused(tmp_path: Path) -> None:
    root, other = tmp_path / "root", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    (root / "link").symlink_to(other)
    with pytest.raises(PathError, match="outside"):
        choose_root(root / "link", OUTSIDE, [root])


def test_without_a_name_the_working_directory_or_the_first_root_is_served(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert choose_root(None, second / "x", [first, second]) == second / "x"
    assert choose_root(None, OUTSIDE, [first, second]) == first
    assert choose_root(None, tmp_path, []) == tmp_path


def test_home_and_the_whole_disk_are_no_projects(tmp_path: Path) -> None:
    for current in (tmp_path, Path("/")):
        with pytest.raises(PathError, match="start it with --path"):
            choose_root(None, current, [], home=tmp_path)
    assert choose_root(tmp_path, OUTSIDE, [], home=tmp_path) == tmp_path


def test_only_existing_folders_count_as_roots(tmp_path: Path) -> None:
    odd = tmp_path / "with space+ä%"
    odd.mkdir()
    (tmp_path / "file").touch()
    uris = [odd.as_uri(), (tmp_path / "file").as_uri(), (tmp_path / "missing").as_uri(), f"file://localhost{tmp_path}"]
    assert root_paths(listed(*uris)) == [odd, tmp_path]


@pytest.mark.skipif(os.name == "nt", reason="POSIX paths")
@pytest.mark.parametrize("uri", ["file://server/share", "file:///a%00b", "file:///nowhere/../nowhere"])
def test_odd_roots_say_nothing(uri: str) -> None:
    assert root_paths(listed(uri)) == []
