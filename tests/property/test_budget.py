import itertools

from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.budget import BudgetOptions, allocate_tokens

FILES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20_000)), min_size=1, max_size=40)
OPTIONS = BudgetOptions()


@given(files=FILES, total=st.integers(1, 40_000), beta=st.floats(0, 8))
def test_bounds_always_hold(files: list[tuple[float, int]], total: int, beta: float) -> None:
    relevances, needs = [e for e, _ in files], [n for _, n in files]
    tokens = allocate_tokens(relevances, needs, total_tokens=total, beta=beta, options=OPTIONS).tokens
    assert sum(tokens) <= total
    for given_tokens, need in zip(tokens, needs, strict=True):
        assert 0 <= given_tokens <= min(need, OPTIONS.cap_tokens)


@given(files=FILES, total=st.integers(1, 40_000), beta=st.floats(0, 8))
def test_nothing_is_left_while_a_file_with_a_floor_wants_more(
    files: list[tuple[float, int]], total: int, beta: float
) -> None:
    files = files[: max(1, total // OPTIONS.tokens_per_file)]
    relevances, needs = [e for e, _ in files], [n for _, n in files]
    tokens = allocate_tokens(relevances, needs, total_tokens=total, beta=beta, options=OPTIONS).tokens
    assert sum(tokens) == min(total, sum(min(need, OPTIONS.cap_tokens) for need in needs))


@given(files=FILES, total=st.integers(256, 40_000), beta=st.floats(0, 8))
def test_more_relevance_never_gets_less_at_equal_need(files: list[tuple[float, int]], total: int, beta: float) -> None:
    relevances = sorted((e for e, _ in files), reverse=True)[: max(1, total // OPTIONS.tokens_per_file)]
    tokens = allocate_tokens(
        relevances, [5000] * len(relevances), total_tokens=total, beta=beta, options=OPTIONS
    ).tokens
    assert all(earlier >= later for earlier, later in itertools.pairwise(tokens))
