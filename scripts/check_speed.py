"""Time the command as a whole process on a tree, and fail above the limits: `make speed-check REPO=path`.

The tree is copied first where it has few files, so that one of them can be edited; caches and state are temporary. The
median of several runs counts, after one that is not counted; processor seconds tell how busy the machine was.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

MOST_COPIED_FILES = 20_000


def main() -> int:
    """Print a table of durations and limits; return 1 where one is above its limit."""
    arguments = _arguments()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CTXSIEVE_")}
    # An installed package has its bytecode.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="ctxsieve-speed-") as folder:
        home = Path(folder)
        environment |= {"CTXSIEVE_CACHE_DIR": str(home / "cache"), "CTXSIEVE_STATE_DIR": str(home / "state")}
        root = arguments.repository.resolve()
        is_copied = sum(len(files) for _, _, files in os.walk(root)) <= MOST_COPIED_FILES
        if is_copied:
            root = shutil.copytree(root, home / "tree", symlinks=True)
        preload = [sys.executable, "-m", "ctxsieve", "preload", arguments.task, "--path", str(root)]
        timer = _Timer(environment, arguments.runs)
        timer.run("import ctxsieve", [sys.executable, "-c", "import ctxsieve"], limit_seconds=arguments.import_seconds)
        version = [sys.executable, "-m", "ctxsieve", "--version"]
        timer.run("--version", version, limit_seconds=arguments.version_seconds)
        timer.run("first preload", preload, limit_seconds=arguments.first_seconds, is_first=True)
        timer.run("next preload", preload, limit_seconds=arguments.next_seconds)
        if is_copied:
            edited = next(path for path in sorted(root.rglob("*.py")) if path.is_file())
            timer.run("one file edited", preload, limit_seconds=arguments.edited_seconds, edited=edited)
    return 1 if timer.is_too_slow else 0


class _Timer:
    def __init__(self, environment: dict[str, str], runs: int) -> None:
        self.environment = environment
        self.runs = runs
        self.is_too_slow = False
        print(f"{'':<18}{'median s':>10}{'min':>8}{'max':>8}{'cpu s':>8}{'limit':>8}")

    def run(
        self,
        name: str,
        command: Sequence[str],
        *,
        limit_seconds: float,
        is_first: bool = False,
        edited: Path | None = None,
    ) -> None:
        """Time a command; a first run is one run, before an edited one the file is changed again."""
        durations, processor = [], []
        for _ in range(1 if is_first else self.runs + 1):
            if edited is not None:
                with edited.open("a", encoding="utf-8") as file:
                    file.write("# edited\n")
            started, used = time.perf_counter(), _processor_seconds()
            subprocess.run(command, env=self.environment, check=True, capture_output=True)
            durations.append(time.perf_counter() - started)
            processor.append(_processor_seconds() - used)
        counted = durations if is_first else durations[1:]
        median = statistics.median(counted)
        verdict = "" if median <= limit_seconds else "  too slow"
        self.is_too_slow |= bool(verdict)
        cells = (min(counted), max(counted), statistics.median(processor[len(processor) - len(counted) :]))
        print(f"{name:<18}{median:>10.3f}" + "".join(f"{cell:>8.3f}" for cell in cells), end="")
        print(f"{limit_seconds:>8.2f}{verdict}", flush=True)


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--task", default="fix the QuerySet.bulk_create ignore_conflicts bug on sqlite")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--import-seconds", type=float, default=0.06)
    parser.add_argument("--version-seconds", type=float, default=0.15)
    parser.add_argument("--first-seconds", type=float, default=5.0)
    parser.add_argument("--next-seconds", type=float, default=0.5)
    parser.add_argument("--edited-seconds", type=float, default=0.6)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
