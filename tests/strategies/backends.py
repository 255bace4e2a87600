"""The two implementations, and how their answers and errors are compared."""

import os
from collections.abc import Callable
from typing import Any

import pytest

from ctxsieve._kernels import pure_arrays

try:
    from ctxsieve._kernels import _native
except ImportError:
    # Without a compiled core there is nothing to compare; where it is asked for, its absence is a failure.
    if os.environ.get("CTXSIEVE_BACKEND") == "rust":
        raise
    pytest.skip("the native core is not compiled", allow_module_level=True)

native: Any = _native
pure: Any = pure_arrays


def outcome(kernel: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return the bits of an answer, or the type and text of the error."""
    try:
        return bits(kernel(*arguments, **options))
    except (ValueError, TypeError, OverflowError) as error:
        return type(error), str(error), *getattr(error, "__notes__", [])


def bits(value: Any) -> Any:
    """Return a value with arrays as (dtype, bytes) and floats as exact text."""
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    if isinstance(value, float):
        return value.hex()
    if hasattr(value, "tobytes"):
        return str(value.dtype), value.shape, value.tobytes()
    return value


def assert_twins(kernel: str, *arguments: Any, **options: Any) -> Any:
    """Check that both implementations give the same bits or the same error, and return them."""
    ours = outcome(getattr(native, kernel), *arguments, **options)
    assert ours == outcome(getattr(pure, kernel), *arguments, **options)
    return ours


def assert_refused(kernel: str, text: str, *arguments: Any, **options: Any) -> None:
    """Check that both implementations raise ValueError with this text."""
    assert assert_twins(kernel, *arguments, **options) == (ValueError, text)
