"""Which mode a file gets: full where it fits, then map, then signatures (docs/budget.md)."""

__all__ = ["choose_mode"]


def choose_mode(budget_tokens: int, *, full_tokens: int, map_tokens: int, signatures_tokens: int) -> str:
    """Return the richest of `full`, `map`, `signatures` and `reference` that fits the budget.

    The order is by what a reader learns, not by size: a file whose map does not fit may still fit its signatures.
    """
    if full_tokens <= budget_tokens:
        return "full"
    if map_tokens <= budget_tokens:
        return "map"
    if signatures_tokens <= budget_tokens:
        return "signatures"
    return "reference"
