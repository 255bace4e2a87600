"""The adapters where their frameworks are not installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "python"
SAY_WHAT_IS_WRONG = """
import sys
if sys.argv[2]:
    sys.modules[sys.argv[2]] = None
try:
    __import__(sys.argv[1])
except ModuleNotFoundError as error:
    print(error.name.partition(".")[0], error)
"""


def import_without(module: str, missing: str = "", folder: Path = SOURCE) -> str:
    found = subprocess.run(
        [sys.executable, "-c", SAY_WHAT_IS_WRONG, module, missing],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(SOURCE)))},
        capture_output=True,
        check=True,
        text=True,
    )
    return found.stdout.strip()


@pytest.mark.parametrize(
    ("module", "package", "distribution", "extra"),
    [
        ("langchain", "langchain_core", "langchain-core", "langchain"),
        ("llama_index", "llama_index", "llama-index-core", "llama-index"),
    ],
)
def test_an_adapter_without_its_framework_says_what_to_install(
    module: str, package: str, distribution: str, extra: str
) -> None:
    said = import_without(f"ctxsieve.adapters.{module}", package)
    expected = f"this adapter needs {distribution}, which is not installed: pip install 'ctxsieve[{extra}]'"
    assert said == f"{package} {expected}"


def test_what_else_is_missing_is_said_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "langchain_core.py").write_text("import absent_dependency\n")
    said = import_without("ctxsieve.adapters.langchain", folder=tmp_path)
    assert said == "absent_dependency No module named 'absent_dependency'"
