"""Borrows and checks arguments, with the texts of the native border."""

from collections.abc import Sequence
from operator import index
from typing import Any

__all__ = [
    "Buffer",
    "borrow_bytes",
    "borrow_float64",
    "borrow_int64",
    "borrow_uint32",
    "read_flag",
    "read_float",
    "read_integer",
]

Buffer = Any  # anything with the buffer protocol; `collections.abc.Buffer` comes with Python 3.12


def borrow_float64(name: str, value: Buffer) -> Sequence[float]:
    """Return a view of a contiguous one-dimensional buffer of doubles."""
    return _borrow(name, value, "float64", ("d",), 8)


def borrow_int64(name: str, value: Buffer) -> Sequence[int]:
    """Return a view of a contiguous one-dimensional buffer of signed 64-bit integers."""
    return _borrow(name, value, "int64", ("l", "q"), 8)


def borrow_uint32(name: str, value: Buffer) -> Sequence[int]:
    """Return a view of a contiguous one-dimensional buffer of unsigned 32-bit integers."""
    return _borrow(name, value, "uint32", ("I", "L"), 4)


def borrow_bytes(name: str, value: Buffer) -> memoryview:
    """Return a view of a contiguous one-dimensional buffer of bytes."""
    return _borrow(name, value, "uint8", ("B",), 1)


def _borrow(name: str, value: Buffer, kind: str, formats: tuple[str, ...], item_bytes: int) -> memoryview:
    wanted = f"it must be a contiguous one-dimensional buffer of {kind}"
    try:
        view = memoryview(value)
    except (TypeError, BufferError, ValueError):
        raise ValueError(f"{name} is a {type(value).__name__}: {wanted}") from None
    if view.format not in formats or view.itemsize != item_bytes:
        raise ValueError(f"{name} holds items of format '{view.format}': {wanted}")
    if view.ndim != 1:
        raise ValueError(f"{name} has {view.ndim} dimensions: {wanted}")
    if not view.c_contiguous:
        raise ValueError(f"{name} is not contiguous: {wanted}")
    return view


def read_float(name: str, value: object) -> float:
    """Return a real number as the native border reads it: strings are refused."""
    if not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        error = TypeError(f"must be real number, not {type(value).__name__}")
        error.add_note(f"while processing '{name}'")
        raise error
    return float(value)  # type: ignore[arg-type]


def read_flag(name: str, value: object) -> bool:
    """Return a truth value as the native border reads it: nothing else counts as one."""
    kind = type(value)
    if kind is bool or (kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_")):
        return bool(value)
    shown = "'None'" if value is None else f"'{kind.__name__}' object"
    error = TypeError(f"{shown} is not an instance of 'bool'")
    error.add_note(f"while processing '{name}'")
    raise error


def read_integer(name: str, value: object, smallest: int, largest: int) -> int:
    """Return an integer within bounds."""
    number = index(value)  # type: ignore[arg-type]
    if not smallest <= number <= largest:
        raise ValueError(f"{name} is {number}: it must be from {smallest} to {largest}")
    return number
