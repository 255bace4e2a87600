"""How files are read where the reader leaves it open."""

from ctxsieve.compress import Mode, parse_mode
from ctxsieve.errors import InputError
from ctxsieve.values import dataclass, field

__all__ = ["AutoOptions", "ReadOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoOptions:
    """Attributes: `small_tokens` is the size up to which a file comes whole, whatever the task."""

    small_tokens: int = 200

    def __post_init__(self) -> None:
        if self.small_tokens < 0:
            raise InputError(f"small_tokens is {self.small_tokens}: it must be 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How files are read: the mode of a reader who names none, and what `auto` goes by."""

    mode: str = "full"
    auto: AutoOptions = field(default_factory=AutoOptions)

    def __post_init__(self) -> None:
        if self.mode not in (*Mode, "diff", "auto"):
            parse_mode(self.mode)
