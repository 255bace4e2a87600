"""How much an overview shows."""

from dataclasses import fields

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["OverviewOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewOptions:
    """Limits of an overview; the token budget bounds the text as a whole.

    Attributes:
        budget_tokens: what the text may cost when the caller names no budget.
        languages: most languages that are listed.
        folders: most folders.
        entry_points: most entry points.
        hubs: most hubs.
        communities: most communities.
        related: most files that are close to a task.
        outline_percent: share of the budget that is kept for definitions, while there is room for both.
    """

    budget_tokens: int = 2000
    languages: int = 8
    folders: int = 12
    entry_points: int = 12
    hubs: int = 15
    communities: int = 20
    related: int = 15
    outline_percent: int = 40

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            least = 1 if entry.name == "budget_tokens" else 0
            if value < least:
                raise InputError(f"{entry.name} is {value}: it must be {least} or more")
        if self.outline_percent > 100:
            raise InputError(f"outline_percent is {self.outline_percent}: it must be at most 100")
