"""How much a report shows."""

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["ReportOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """How much a report shows.

    Attributes:
        maximum_files: of more files the most relevant or, without a task, the most important are drawn.
        smells: at most so many smells are listed.
        deliveries: the ledger's chart shows so many of the latest deliveries.
    """

    maximum_files: int = 1000
    smells: int = 150
    deliveries: int = 500

    def __post_init__(self) -> None:
        for name in ("maximum_files", "smells", "deliveries"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}: it must be 1 or more")
