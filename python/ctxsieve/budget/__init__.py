"""How many tokens each file gets."""

from ctxsieve.budget.allocation import (
    Allocation,
    BudgetOptions,
    allocate_tokens,
    beta_of_specificity,
    boltzmann_shares,
    file_count_limit,
)
from ctxsieve.budget.modes import choose_mode

__all__ = [
    "Allocation",
    "BudgetOptions",
    "allocate_tokens",
    "beta_of_specificity",
    "boltzmann_shares",
    "choose_mode",
    "file_count_limit",
]
