"""Boltzmann allocation: a soft maximum over relevance, with floors, caps and redistribution (docs/budget.md)."""

import math
from collections.abc import Sequence

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = [
    "Allocation",
    "BudgetOptions",
    "allocate_tokens",
    "beta_of_specificity",
    "boltzmann_shares",
    "file_count_limit",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetOptions:
    """The constants of the allocation.

    Attributes:
        total_tokens: what an answer may cost when the caller names no budget.
        floor_tokens: what a file in the softmax gets at least, unless it needs less.
        cap_tokens: what a file gets at most.
        tokens_per_file: one file enters the softmax for each so many tokens; twice the floor, so that
            floors take at most half of the budget.
        reference_beta: the inverse temperature at the reference specificity.
        reference_specificity: the specificity of a task that names its place.
    """

    total_tokens: int = 8000
    floor_tokens: int = 128
    cap_tokens: int = 4096
    tokens_per_file: int = 256
    reference_beta: float = 4.2
    reference_specificity: float = 0.85

    def __post_init__(self) -> None:
        for name in ("total_tokens", "floor_tokens", "cap_tokens", "tokens_per_file"):
            value = getattr(self, name)
            if value < 1:
                raise InputError(f"{name} is {value}: it must be 1 or more")
        if self.cap_tokens < self.floor_tokens:
            raise InputError(f"cap_tokens is {self.cap_tokens}: it must be floor_tokens ({self.floor_tokens}) or more")
        if not self.reference_beta >= 0:
            raise InputError(f"reference_beta is {self.reference_beta}: it must be 0 or more")
        if not self.reference_specificity > 0:
            raise InputError(f"reference_specificity is {self.reference_specificity}: it must be above 0")


@dataclass(frozen=True, slots=True)
class Allocation:
    """Tokens per file, in the order of the relevances; their sum never exceeds the total."""

    tokens: tuple[int, ...]
    beta: float


def beta_of_specificity(specificity: float, options: BudgetOptions) -> float:
    """Return the inverse temperature: a specific task concentrates the budget, a broad one spreads it."""
    if not 0.0 <= specificity <= 1.0:
        raise InputError(f"specificity is {specificity}: it must be within 0 and 1")
    return options.reference_beta * specificity / options.reference_specificity


def file_count_limit(total_tokens: int, options: BudgetOptions) -> int:
    """Return how many files may enter the softmax."""
    return max(1, total_tokens // options.tokens_per_file)


def boltzmann_shares(relevances: Sequence[float], *, beta: float) -> list[float]:
    """Return exp(beta * E_i) / sum_j exp(beta * E_j), shifted by the maximum so that nothing overflows."""
    if not relevances:
        return []
    highest = max(relevances)
    weights = [math.exp(beta * (relevance - highest)) for relevance in relevances]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def allocate_tokens(
    relevances: Sequence[float], needs: Sequence[int], *, total_tokens: int, beta: float, options: BudgetOptions
) -> Allocation:
    """Divide `total_tokens` over files by the Boltzmann distribution of their relevance.

    Every file gets between its floor and its cap, and never more than it needs; what caps and small
    files leave over flows to the others in the proportion of their shares.

    Args:
        relevances: relevance per file, 0..1.
        needs: tokens that show the whole file, framing included.
        total_tokens: what there is to divide; 1 or more.
        beta: inverse temperature, see `beta_of_specificity`.
        options: floors and caps.

    Returns:
        Whole tokens per file. Remainders of rounding go to the largest fractions, ties to the earlier file.
        When even the floors do not fit, later files go without.
    """
    if total_tokens < 1:
        raise InputError(f"budget is {total_tokens} tokens: it must be 1 or more")
    if len(relevances) != len(needs):
        raise InputError(f"{len(relevances)} relevances but {len(needs)} needs: one each per file")
    shares = boltzmann_shares(relevances, beta=beta)
    upper = [min(options.cap_tokens, max(0, need)) for need in needs]
    lower = [min(options.floor_tokens, most) for most in upper]
    lower = _affordable(lower, total_tokens)
    upper = [most if least else 0 for least, most in zip(lower, upper, strict=True)]
    exact = _proportional_within_bounds(shares, lower, upper, min(total_tokens, sum(upper)))
    return Allocation(tokens=tuple(_rounded(exact, upper, min(total_tokens, sum(upper)))), beta=beta)


def _affordable(lower: list[int], total_tokens: int) -> list[int]:
    """Return the floors of the leading files that fit together; the first file shrinks rather than vanish."""
    kept, left = [], total_tokens
    for position, least in enumerate(lower):
        fits = least if least <= left else (left if position == 0 else 0)
        kept.append(fits)
        left -= fits
    return kept


def _proportional_within_bounds(shares: list[float], lower: list[int], upper: list[int], target: int) -> list[float]:
    """Return x_i = clip(scale * share_i, lower_i, upper_i) with the scale for which the sum is `target`.

    The sum is a non-decreasing, piecewise linear function of the scale, so the scale lies between two
    neighbouring break points, where the set of files that move freely is known.
    """
    if sum(upper) <= target:
        return [float(most) for most in upper]

    def clipped(scale: float) -> list[float]:
        return [min(max(scale * share, least), most) for share, least, most in zip(shares, lower, upper, strict=True)]

    bounds = zip(shares, lower, upper, strict=True)
    points = [0.0, *sorted({bound / share for share, *pair in bounds if share > 0.0 for bound in pair})]
    low, high = 0, len(points) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if math.fsum(clipped(points[middle])) < target:
            low = middle
        else:
            high = middle
    below, above = math.fsum(clipped(points[low])), math.fsum(clipped(points[high]))
    if above <= below:
        return clipped(points[low])
    return clipped(points[low] + (points[high] - points[low]) * (target - below) / (above - below))


def _rounded(exact: list[float], upper: list[int], target: int) -> list[int]:
    """Return whole tokens with the sum `target`, by largest remainder within the upper bounds."""
    whole = [min(int(value), most) for value, most in zip(exact, upper, strict=True)]
    order = sorted(range(len(exact)), key=lambda i: (whole[i] - exact[i], i))
    left = target - sum(whole)
    while left > 0:
        granted = 0
        for i in order:
            if left == granted:
                break
            if whole[i] < upper[i]:
                whole[i] += 1
                granted += 1
        if not granted:
            break
        left -= granted
    return whole
