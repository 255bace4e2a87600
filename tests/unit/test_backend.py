import os
import subprocess
import sys

import pytest


def run(code: str, backend: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "CTXSIEVE_BACKEND": backend}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)


def test_python_backend_is_python() -> None:
    done = run("from ctxsieve._kernels import BACKEND; print(BACKEND)", "python")
    assert (done.returncode, done.stdout) == (0, "python\n")


@pytest.mark.parametrize("value", ["rusty", "Python"])
def test_unknown_backend_names_the_value(value: str) -> None:
    done = run("import ctxsieve._kernels", value)
    assert done.returncode == 1
    assert f"CTXSIEVE_BACKEND is {value!r}: it must be auto, rust or python" in done.stderr
