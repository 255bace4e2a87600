from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.cache import CachedSize, order_for_eviction, plan_eviction
from ctxsieve.errors import InputError

entries = st.lists(
    st.builds(
        CachedSize,
        st.integers(0, 999).map(lambda number: f"k{number:03}"),
        st.integers(0, 5).map(float),
        st.integers(1, 5),
        st.integers(0, 5),
    ),
    max_size=20,
    unique_by=lambda entry: entry.key,
)


def exact_scores(items: list[CachedSize]) -> dict[str, Fraction]:
    scores = {}
    for entry in items:
        ranks = (
            1 + sum(other.idle_seconds < entry.idle_seconds for other in items),
            1 + sum(other.use_count > entry.use_count for other in items),
            1 + sum(other.size_tokens > entry.size_tokens for other in items),
        )
        scores[entry.key] = sum((Fraction(1, 60 + rank) for rank in ranks), Fraction(0))
    return scores


def test_published_ranks() -> None:
    items = [
        CachedSize("old-small", 900.0, 1, 100),
        CachedSize("old-large", 900.0, 1, 4000),
        CachedSize("fresh", 5.0, 1, 100),
        CachedSize("often", 900.0, 9, 100),
    ]
    assert order_for_eviction(items) == ["old-small", "fresh", "often", "old-large"]


@given(entries)
def test_order_follows_the_exact_scores(items: list[CachedSize]) -> None:
    scores = exact_scores(items)
    order = order_for_eviction(items)
    assert sorted(order) == sorted(scores)
    # Sums in floating point may tell apart what is equal in fractions; what differs is never turned round.
    for first, second in pairwise(order):
        assert scores[first] <= scores[second]


def test_equal_scores_go_by_key() -> None:
    items = [CachedSize(key, 1.0, 1, 1) for key in ("c", "a", "b")]
    assert order_for_eviction(items) == ["a", "b", "c"]


@given(entries, st.sampled_from([2.0, 0.5, 8.0]))
def test_multiplying_a_signal_changes_nothing(items: list[CachedSize], factor: float) -> None:
    scaled = [CachedSize(e.key, e.idle_seconds * factor, e.use_count * 3, e.size_tokens * 7) for e in items]
    assert order_for_eviction(items) == order_for_eviction(scaled)


@given(entries, st.randoms())
def test_order_of_entries_does_not_matter(items: list[CachedSize], random: object) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert order_for_eviction(items) == order_for_eviction(shuffled)


@given(entries, st.integers(0, 60))
def test_only_as_many_leave_as_must(items: list[CachedSize], capacity: int) -> None:
    leaving = plan_eviction(items, capacity_tokens=capacity)
    sizes = {entry.key: entry.size_tokens for entry in items}
    kept = sum(sizes.values()) - sum(sizes[key] for key in leaving)
    assert kept <= capacity
    if leaving:
        assert kept + sizes[leaving[-1]] > capacity
    assert list(leaving) == order_for_eviction(items)[: len(leaving)]


def test_capacity_must_not_be_negative() -> None:
    with pytest.raises(InputError, match="capacity is -1 tokens"):
        plan_eviction([], capacity_tokens=-1)
