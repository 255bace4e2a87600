"""Completion in the shells themselves, where they are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from integration.command import SOURCE

# What asks a shell for the completions of a line, once the script of ctxsieve is loaded from `$script`.
ASK = {
    "bash": 'source "$script"; read -ra COMP_WORDS <<< "$line"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
    '_ctxsieve_completion ctxsieve; printf "%s\\n" "${COMPREPLY[@]}"',
    "zsh": "compdef() { }; _arguments() { print -r -- $@ }; source $script; words=(${=line}); CURRENT=${#words}; "
    "_ctxsieve_completion",
    "fish": "source $script; complete -C $line",
}
LINES = [
    ("ctxsieve pre", "preload", "graph"),
    ("ctxsieve graph nei", "neighbors", "export"),
    ("ctxsieve preload --bud", "--budget", "--format"),
    ("ctxsieve preload --format mark", "markdown", "json"),
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    command = tmp_path / "ctxsieve"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ctxsieve "$@"\n')
    command.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(SOURCE), "HOME": str(tmp_path), "TERM": "dumb"}


@pytest.mark.parametrize("shell", sorted(ASK))
def test_shell_completes_commands_options_and_values(shell: str, environment: dict[str, str], tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / f"completion.{shell}"
    made = subprocess.run(
        ["ctxsieve"], env={**environment, "_CTXSIEVE_COMPLETE": f"source_{shell}"}, capture_output=True, check=True
    )
    script.write_bytes(made.stdout)
    subprocess.run([shell, "-n", script], check=True)
    for line, offered, other in LINES:
        asked = subprocess.run(
            [shell, "-c", ASK[shell]],
            env={**environment, "script": str(script), "line": line},
            capture_output=True,
            text=True,
            check=False,
        )
        assert offered in asked.stdout, (line, asked)
        assert other not in asked.stdout, (line, asked)


def test_completion_scripts_are_printed_for_the_shell_in_use(environment: dict[str, str]) -> None:
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("bash is not installed")
    # A command after it keeps the shell from replacing itself.
    asked = subprocess.run(
        [shell, "-c", "ctxsieve --show-completion; true"], env=environment, capture_output=True, text=True, check=False
    )
    assert "_CTXSIEVE_COMPLETE=complete_bash" in asked.stdout
