"""How communities are found: apart from the search, so that settings are read without it."""

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["CommunityOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityOptions:
    """How communities are found.

    Attributes:
        resolution: above 1 gives more and smaller communities, below 1 fewer and larger ones.
        minimum_files: smaller groups are not listed.
    """

    resolution: float = 1.0
    minimum_files: int = 3

    def __post_init__(self) -> None:
        if not 1e-100 <= self.resolution <= 1e100:
            raise InputError(f"resolution is {self.resolution}: it must be from 1e-100 to 1e+100")
        if self.minimum_files < 1:
            raise InputError(f"minimum_files is {self.minimum_files}: it must be 1 or more")
