"""One profile for all property tests, and one place where child processes find the package."""

import os
from pathlib import Path

from hypothesis import settings

# Time limits are no business of tests, and continuous integration must not depend on luck.
settings.register_profile("ctxsieve", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("ctxsieve")

SOURCE = Path(__file__).resolve().parents[1] / "python"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))
