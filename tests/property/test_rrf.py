import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve._kernels import rrf

SIGNAL = st.lists(st.integers(-50, 50), min_size=12, max_size=12).map(lambda values: numpy.array(values, dtype=float))


@settings(max_examples=60, deadline=None)
@given(
    signals=st.lists(SIGNAL, min_size=1, max_size=4),
    factor=st.sampled_from([0.25, 3.0, 1e6]),
    data=st.data(),
)
def test_monotone_rescaling_changes_nothing(signals: list[numpy.ndarray], factor: float, data: st.DataObject) -> None:
    directions = data.draw(st.lists(st.booleans(), min_size=len(signals), max_size=len(signals)))
    plain = rrf(signals, largest_first=directions, k=60.0)
    for rescaled in ([values * factor for values in signals], [numpy.arctan(values) for values in signals]):
        assert rrf(rescaled, largest_first=directions, k=60.0).tobytes() == plain.tobytes()


@settings(max_examples=60, deadline=None)
@given(signals=st.lists(SIGNAL, min_size=1, max_size=4))
def test_equals_the_definition(signals: list[numpy.ndarray]) -> None:
    ranks = [[1 + int((values > value).sum()) for value in values] for values in signals]
    expected = [sum(1 / (60 + rank[entry]) for rank in ranks) for entry in range(12)]
    assert rrf(signals, largest_first=[True] * len(signals), k=60.0) == pytest.approx(expected, rel=1e-15)


def test_reversed_direction_of_negated_values_is_the_same() -> None:
    values = numpy.random.default_rng(0).normal(size=500)
    descending = rrf([values], largest_first=[True], k=60.0)
    assert rrf([-values], largest_first=[False], k=60.0).tobytes() == descending.tobytes()


def test_all_equal_values_share_rank_one() -> None:
    assert rrf([numpy.full(9, 3.5)], largest_first=[True], k=60.0).tolist() == [1 / 61] * 9
