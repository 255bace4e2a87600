"""An authentication bug: two direct matches, two files by heat, one by PageRank."""

import json
from pathlib import Path

from integration.command import ctxsieve

PROJECT = Path(__file__).resolve().parents[1] / "fixtures" / "auth_example"


def test_five_files_instead_of_two(tmp_path: Path) -> None:
    done = ctxsieve("preload", "fix authentication bug", "--path", PROJECT, "--format", "json", home=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    paths = [Path(file["path"]).name for file in json.loads(done.stdout)["files"]]
    assert set(paths[:2]) == {"auth.ts", "login.ts"}
    assert set(paths) == {"auth.ts", "login.ts", "middleware.ts", "session.ts", "db.ts"}
