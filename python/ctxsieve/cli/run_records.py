"""The full outputs of `ctxsieve run`, kept on disk so that everything omitted can be fetched back."""

import json
import os
import re
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["RunRecord", "list_runs", "open_record", "run_directory", "stored_output"]

_IDENTIFIER = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")
_MOST_RUNS = 100
_MOST_BYTES = 512 << 20


@dataclass(slots=True)
class RunRecord:
    """One recorded run: `identifier` fetches it, `stream` takes the raw output."""

    identifier: str
    path: Path
    stream: BinaryIO

    def finish(self, command: list[str], exit_code: int) -> None:
        """Close the output and write what was run beside it."""
        self.stream.close()
        facts = {"command": command, "exit_code": exit_code, "bytes": self.path.stat().st_size}
        descriptor = os.open(self.path.with_suffix(".json"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump(facts, file)


def run_directory(environment: Mapping[str, str]) -> Path:
    """Where outputs are kept: below CTXSIEVE_STATE_DIR or the platform's directory for state."""
    from ctxsieve.store import default_state_directory

    return Path(environment.get("CTXSIEVE_STATE_DIR") or default_state_directory()) / "runs"


def open_record(directory: Path) -> RunRecord:
    """A new record that only its owner can read; the oldest beyond 100 runs or 512 MiB are deleted.

    Raises:
        OSError: The directory cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    _prune(directory)
    while True:
        identifier = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(3)}"
        path = directory / f"{identifier}.out"
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            return RunRecord(identifier, path, os.fdopen(descriptor, "wb", buffering=0))


def stored_output(directory: Path, identifier: str) -> Path:
    """The file with the raw output of a run; `last` names the newest.

    Raises:
        InputError: There is no such run.
    """
    paths = _outputs(directory)
    if identifier == "last" and paths:
        return paths[-1]
    if _IDENTIFIER.fullmatch(identifier) and (path := directory / f"{identifier}.out") in paths:
        return path
    newest = ", ".join(path.stem for path in paths[:-4:-1]) or "none"
    raise InputError(f"run {identifier!r} is not kept: the newest are {newest}; `ctxsieve run --list` shows all")


def list_runs(directory: Path) -> Iterator[dict[str, object]]:
    """The kept runs, newest first, each as a record."""
    for path in reversed(_outputs(directory)):
        facts: dict[str, object] = {}
        with suppress(OSError, ValueError, RecursionError):
            facts = json.loads(path.with_suffix(".json").read_text(encoding="utf-8", errors="surrogateescape"))
        command = facts.get("command")
        yield {
            "run": path.stem,
            "exit_code": facts.get("exit_code", "unfinished"),
            "bytes": path.stat().st_size,
            "command": " ".join(map(str, command)) if isinstance(command, list) else "",
        }


def _outputs(directory: Path) -> list[Path]:
    return sorted(path for path in directory.glob("*.out") if _IDENTIFIER.fullmatch(path.stem))


def _prune(directory: Path) -> None:
    paths = _outputs(directory)
    sizes = [path.stat().st_size for path in paths]
    while paths and (len(paths) >= _MOST_RUNS or sum(sizes) > _MOST_BYTES):
        oldest, _ = paths.pop(0), sizes.pop(0)
        for path in (oldest, oldest.with_suffix(".json")):
            path.unlink(missing_ok=True)
