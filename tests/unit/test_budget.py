import pytest

from ctxsieve.budget import (
    BudgetOptions,
    allocate_tokens,
    beta_of_specificity,
    boltzmann_shares,
    choose_mode,
    file_count_limit,
)
from ctxsieve.errors import InputError

EXAMPLE_RELEVANCES = [0.92, 0.78, 0.45, 0.31, 0.22]
OPTIONS = BudgetOptions()


def test_published_specificity_gives_published_beta() -> None:
    assert beta_of_specificity(0.85, OPTIONS) == pytest.approx(4.2)
    assert beta_of_specificity(0.0, OPTIONS) == 0.0


def test_worked_example_before_caps() -> None:
    shares = boltzmann_shares(EXAMPLE_RELEVANCES, beta=4.2)
    assert [round(8000 * share) for share in shares] == [4385, 2436, 609, 338, 232]


def test_worked_example_modes() -> None:
    """Sizes: (full, map, signatures) tokens per file; the needs are the full sizes."""
    sizes = [(3900, 400, 900), (2400, 300, 600), (2600, 420, 700), (2200, 520, 330), (1900, 480, 210)]
    allocation = allocate_tokens(
        EXAMPLE_RELEVANCES, [full for full, _, _ in sizes], total_tokens=8000, beta=4.2, options=OPTIONS
    )
    modes = [
        choose_mode(tokens, full_tokens=full, map_tokens=outline, signatures_tokens=signatures)
        for tokens, (full, outline, signatures) in zip(allocation.tokens, sizes, strict=True)
    ]
    assert modes == ["full", "full", "map", "signatures", "signatures"]


def test_cap_flows_to_the_others() -> None:
    allocation = allocate_tokens(EXAMPLE_RELEVANCES, [9999] * 5, total_tokens=8000, beta=4.2, options=OPTIONS)
    assert allocation.tokens[0] == 4096
    assert sum(allocation.tokens) == 8000
    assert allocation.tokens[1] > 2436


def test_floors_hold_for_a_cold_file() -> None:
    allocation = allocate_tokens([1.0, 0.0], [9999, 9999], total_tokens=4000, beta=20.0, options=OPTIONS)
    assert allocation.tokens == (3872, 128)


def test_small_file_takes_what_it_needs() -> None:
    allocation = allocate_tokens([1.0, 0.5], [10, 5000], total_tokens=1000, beta=4.2, options=OPTIONS)
    assert allocation.tokens == (10, 990)


@pytest.mark.parametrize(("total", "expected"), [(1, 1), (255, 1), (512, 2), (8000, 31)])
def test_one_file_for_each_256_tokens(total: int, expected: int) -> None:
    assert file_count_limit(total, OPTIONS) == expected


def test_a_budget_below_the_floor_goes_to_the_first_file() -> None:
    assert allocate_tokens([1.0, 0.9], [500, 500], total_tokens=50, beta=4.2, options=OPTIONS).tokens == (50, 0)


@pytest.mark.parametrize("total", [0, -5])
def test_bad_budget_names_the_value(total: int) -> None:
    with pytest.raises(InputError, match=f"budget is {total} tokens: it must be 1 or more"):
        allocate_tokens([1.0], [10], total_tokens=total, beta=1.0, options=OPTIONS)


@pytest.mark.parametrize(("field", "value"), [("floor_tokens", 0), ("cap_tokens", 5), ("reference_specificity", 0.0)])
def test_bad_options_are_refused(field: str, value: float) -> None:
    with pytest.raises(InputError, match=field):
        BudgetOptions(**{field: value})
