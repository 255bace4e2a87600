import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.errors import InputError
from ctxsieve.ledger import Pressure, pressure_of


@pytest.mark.parametrize(
    ("resident", "expected"),
    [
        (0, "none"),
        (89_600, "none"),
        (89_601, "compress"),
        (115_200, "compress"),
        (115_201, "evict"),
        (128_000, "evict"),
        (200_000, "evict"),
    ],
)
def test_published_limits(resident: int, expected: str) -> None:
    assert pressure_of(resident, 128_000) == expected


@given(st.integers(0, 10**12), st.integers(1, 10**12))
def test_limits_are_exact_for_any_window(resident: int, window: int) -> None:
    exact = Pressure.NONE if 10 * resident <= 7 * window else Pressure.COMPRESS
    assert pressure_of(resident, window) == (exact if 10 * resident <= 9 * window else Pressure.EVICT)


def test_window_must_be_positive() -> None:
    with pytest.raises(InputError, match="window is 0 tokens"):
        pressure_of(1, 0)
