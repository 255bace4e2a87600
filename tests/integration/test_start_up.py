"""What a command loads decides how fast it starts: times are checked by `make speed-check`, what is loaded here."""

import os
import subprocess
import sys
from pathlib import Path

from ctxsieve._kernels import BACKEND
from ctxsieve.store import Store
from integration.command import SOURCE, ctxsieve

PRINT_MODULES = """
import sys
from ctxsieve.__main__ import main
sys.argv = ["ctxsieve", *sys.argv[1:]]
code = main()
sys.stderr.write("\\n".join(sorted(sys.modules)))
sys.exit(code)
"""
COMMAND_LINE_LIBRARY = {"click", "pydantic", "rich", "typer"}
OTHER_COMMANDS = {
    "ctxsieve.benchmark",
    "ctxsieve.compress.aggressive",
    "ctxsieve.compress.prose",
    "ctxsieve.knowledge",
    "ctxsieve.ledger.reinjection",
    "ctxsieve.overview",
    "ctxsieve.pipeline.read",
    "ctxsieve.reasoning",
    "ctxsieve.report",
    "ctxsieve.smells",
    "ctxsieve.terse.engine",
}
FIRST_RUN_ONLY = {
    "ctxsieve.languages.definitions",
    "ctxsieve.languages.resolution",
    "tree_sitter",
    "tempfile",
    "subprocess",
}


def modules_of(*arguments: str, home: Path) -> set[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CTXSIEVE_")}
    places = {"CTXSIEVE_CACHE_DIR": str(home / "cache"), "CTXSIEVE_STATE_DIR": str(home / "state")}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_MODULES, *arguments],
        env={**environment, **places, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines())


def test_a_second_preload_loads_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "app.py").write_text("def answer():\n    return 42\n")
    call = ("preload", "fix the answer", "--path", str(root))
    modules_of(*call, home=tmp_path)
    loaded = modules_of(*call, home=tmp_path)
    assert loaded & (COMMAND_LINE_LIBRARY | OTHER_COMMANDS | FIRST_RUN_ONLY) == set()
    assert "ctxsieve.pipeline.preload" in loaded
    if BACKEND == "rust":
        # It loads a library of ciphers.
        assert "hashlib" not in loaded


def test_what_a_command_leaves_open_is_recorded(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "app.py").write_text("def answer():\n    return 42\n")
    for _ in range(2):
        assert ctxsieve("preload", "fix the answer", "--path", root, home=tmp_path).returncode == 0
    (store,) = (tmp_path / "state").rglob("store.sqlite3")
    with Store(store) as opened:
        opened.check()
        assert opened.read("SELECT count(*) FROM ledger_deliveries") == [(2,)]
    assert [path.name for path in store.parent.iterdir()] == [store.name]


def test_the_version_loads_no_numpy(tmp_path: Path) -> None:
    assert not modules_of("--version", home=tmp_path) & {"numpy", "ctxsieve.cli", *COMMAND_LINE_LIBRARY}


def test_importing_the_package_loads_none_of_its_parts() -> None:
    code = "import sys, ctxsieve; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert {name for name in done.stdout.split() if name.startswith("ctxsieve")} == {"ctxsieve", "ctxsieve.exports"}


def test_opening_a_project_loads_no_numpy(tmp_path: Path) -> None:
    # The walk of a command begins right after, and runs while numpy loads.
    code = "import sys; from ctxsieve import Project; Project.open(sys.argv[1]); sys.exit('numpy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], env=environment, check=False).returncode == 0
