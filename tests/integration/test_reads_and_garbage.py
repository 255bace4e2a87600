"""A read leaves the search for garbage in cycles as it was, however it ends."""

import gc
from pathlib import Path

import pytest

from ctxsieve.errors import PathError
from ctxsieve.pipeline import read_files


@pytest.mark.parametrize("is_enabled", [True, False])
def test_collections_are_as_before_after_a_read_and_after_an_error(tmp_path: Path, is_enabled: bool) -> None:
    (tmp_path / "a.py").write_text("# why\nx = 1\n")
    was_enabled = gc.isenabled()
    try:
        (gc.enable if is_enabled else gc.disable)()
        read_files(tmp_path, ["a.py"], "aggressive")
        assert gc.isenabled() == is_enabled
        with pytest.raises(PathError):
            read_files(tmp_path, ["missing.py"], "aggressive")
        assert gc.isenabled() == is_enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()
