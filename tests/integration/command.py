"""The real command line in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "python"


def ctxsieve(
    *arguments: str | Path, home: Path, environment: Mapping[str, str] | None = None, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run `ctxsieve` with caches and state below `home`; nothing of the caller's settings leaks in."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CTXSIEVE_")}
    if "CTXSIEVE_BACKEND" in os.environ:
        clean["CTXSIEVE_BACKEND"] = os.environ["CTXSIEVE_BACKEND"]
    places = {"CTXSIEVE_CACHE_DIR": str(home / "cache"), "CTXSIEVE_STATE_DIR": str(home / "state")}
    return subprocess.run(
        [sys.executable, "-m", "ctxsieve", *map(str, arguments)],
        env={**clean, **places, "PYTHONPATH": str(SOURCE), "NO_COLOR": "1", **(environment or {})},
        input=given,
        capture_output=True,
        check=False,
    )
