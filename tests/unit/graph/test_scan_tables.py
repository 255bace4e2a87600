"""Compiled scan tables that a cache folder keeps: always those of the shipped tables."""

import os
import subprocess
import sys
from pathlib import Path

from ctxsieve.graph.tables import load_scan_tables, recall_scan_tables
from ctxsieve.languages import LANGUAGES
from integration.command import SOURCE

PATHS = ["a.py", "b.tsx", "c/Makefile", "d.HPP", "e.d.ts", "Dockerfile", "f.unknown", "g", "poetry.lock"]
RECALL = f"""
import sys
from pathlib import Path
from ctxsieve.graph.tables import recall_scan_tables
from ctxsieve.languages import LANGUAGES, language_of
tables = recall_scan_tables(Path(sys.argv[1]), "fingerprint")
read = sorted(LANGUAGES._read)
found = [language_of(path) for path in {PATHS!r}]
print([language and language.name for language in found], len(tables.compiled), read)
"""


def recalled_elsewhere(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RECALL, str(folder)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_kept_tables_are_the_compiled_ones(tmp_path: Path) -> None:
    claims = LANGUAGES.claims
    assert recall_scan_tables(tmp_path, "fingerprint") == load_scan_tables()
    assert recall_scan_tables(tmp_path, "fingerprint") == load_scan_tables()
    assert tuple(map(dict, LANGUAGES.claims)) == tuple(map(dict, claims))


def test_kept_tables_spare_the_reading_of_all_languages(tmp_path: Path) -> None:
    first, second = recalled_elsewhere(tmp_path), recalled_elsewhere(tmp_path)
    names, _, read = first.rpartition(" [")
    assert "'python'" in read
    assert second == f"{names} []\n"
    assert names.startswith("['python', 'tsx', 'make', 'cpp', 'typescript', 'dockerfile', None, None, 'lockfile']")


def test_damaged_and_foreign_tables_are_made_again(tmp_path: Path) -> None:
    recall_scan_tables(tmp_path, "fingerprint")
    (place,) = tmp_path.iterdir()
    content = place.read_bytes()
    head, _, text = content.partition(b"\n")
    damages = [b"", head, text, content[:-9], content.replace(b"fingerprint", b"another", 1), b"2" + content[1:]]
    for damage in (*damages, head + b"\n" + text.replace(b"a", b"b"), head + b"\n[]"):
        place.write_bytes(damage)
        assert recall_scan_tables(tmp_path, "fingerprint") == load_scan_tables()
        assert place.read_bytes() == content
    assert list(tmp_path.iterdir()) == [place]


def test_tables_of_another_fingerprint_replace_the_kept_ones(tmp_path: Path) -> None:
    recall_scan_tables(tmp_path, "one")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert recall_scan_tables(tmp_path, "two") == load_scan_tables()
    assert before != {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_a_folder_that_cannot_be_written_has_tables_all_the_same(tmp_path: Path) -> None:
    assert recall_scan_tables(tmp_path / "missing", "fingerprint") == load_scan_tables()
