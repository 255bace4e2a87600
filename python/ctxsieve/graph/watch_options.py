"""When a watched tree is walked all the same."""

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["WatchOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """When a watched tree is walked all the same.

    Attributes:
        walk_interval_seconds: after so long it is walked again, since a system may lose events without saying so.
        event_timeout_seconds: events that take longer count as lost.
        maximum_changes: of more changed paths at once, a walk is cheaper.
    """

    walk_interval_seconds: float = 300.0
    event_timeout_seconds: float = 2.0
    maximum_changes: int = 1000

    def __post_init__(self) -> None:
        for name in ("walk_interval_seconds", "event_timeout_seconds"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} is {getattr(self, name)}: it must be above 0")
        if self.maximum_changes < 0:
            raise InputError(f"maximum_changes is {self.maximum_changes}: it must be 0 or more")
