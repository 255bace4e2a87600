"""The seven roles and how deep a context each of them gets (docs/agents.md)."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["ROLES", "ContextDepthConfig", "Role", "RoleOptions", "depth_of", "richest_mode"]

_MODES = ("full", "map", "signatures")


class Role(StrEnum):
    """What an agent is there for."""

    CODER = "coder"
    REVIEWER = "reviewer"
    PLANNER = "planner"
    EXPLORER = "explorer"
    DEBUGGER = "debugger"
    TESTER = "tester"
    ORCHESTRATOR = "orchestrator"


@dataclass(frozen=True, slots=True)
class ContextDepthConfig:
    """How much a role sees.

    Attributes:
        full_files: how many of the most relevant files may come in full.
        preferred_mode: full, map or signatures: what the files after those come in at most (`full`: as budget allows).
        budget_ratio: share of the token budget that is used, above 0 and at most 1.
        graph_reach: factor on how far relevance spreads over the graph; 1 is the usual reach, 2 twice as far.
    """

    full_files: int
    preferred_mode: str
    budget_ratio: float
    graph_reach: float = 1.0

    def __post_init__(self) -> None:
        if self.full_files < 0:
            raise InputError(f"full_files is {self.full_files}: it must be 0 or more")
        if self.preferred_mode not in _MODES:
            raise InputError(f"preferred_mode is {self.preferred_mode!r}: it must be {', '.join(_MODES)}")
        if not 0.0 < self.budget_ratio <= 1.0:
            raise InputError(f"budget_ratio is {self.budget_ratio}: it must be above 0 and at most 1")
        if not 0.0 < self.graph_reach < float("inf"):
            raise InputError(f"graph_reach is {self.graph_reach}: it must be above 0")

    def budget_of(self, budget_tokens: int) -> int:
        """The part of a budget that the role uses, at least 1 token."""
        # Ratios are given in hundredths; whole numbers keep 0.8 of 10 at 8.
        return max(1, budget_tokens * round(self.budget_ratio * 10_000) // 10_000)


ROLES: Mapping[Role, ContextDepthConfig] = MappingProxyType(
    {
        # Published values: coder, reviewer; explorer is published as "wider graph".
        Role.CODER: ContextDepthConfig(8, "full", 0.80),
        Role.REVIEWER: ContextDepthConfig(3, "signatures", 0.60),
        Role.EXPLORER: ContextDepthConfig(2, "map", 0.60, graph_reach=2.0),
        # A plan needs the shape of much and the text of little.
        Role.PLANNER: ContextDepthConfig(1, "map", 0.50, graph_reach=1.5),
        # A bug sits in few files, which have to be read closely.
        Role.DEBUGGER: ContextDepthConfig(5, "full", 0.80),
        # A test needs the code under test in full, and of the rest how it is called.
        Role.TESTER: ContextDepthConfig(4, "signatures", 0.70),
        # Who hands out work needs to know what there is.
        Role.ORCHESTRATOR: ContextDepthConfig(0, "map", 0.30, graph_reach=1.5),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleOptions:
    """How much each role sees."""

    coder: ContextDepthConfig = ROLES[Role.CODER]
    reviewer: ContextDepthConfig = ROLES[Role.REVIEWER]
    planner: ContextDepthConfig = ROLES[Role.PLANNER]
    explorer: ContextDepthConfig = ROLES[Role.EXPLORER]
    debugger: ContextDepthConfig = ROLES[Role.DEBUGGER]
    tester: ContextDepthConfig = ROLES[Role.TESTER]
    orchestrator: ContextDepthConfig = ROLES[Role.ORCHESTRATOR]

    def depth_of(self, role: Role | str) -> ContextDepthConfig:
        """The depth of a role by its name."""
        depth_of(role)
        depth: ContextDepthConfig = getattr(self, Role(role).value)
        return depth


def depth_of(role: Role | str) -> ContextDepthConfig:
    """The depth of a role by its name."""
    try:
        return ROLES[Role(role)]
    except ValueError:
        raise InputError(f"role is {role!r}: it must be {', '.join(Role)}") from None


def richest_mode(depth: ContextDepthConfig, rank: int) -> str:
    """The richest mode that the file of a rank (from 0, by relevance) may have.

    Above the number of full files a preference for full leaves the map.
    """
    if rank < depth.full_files:
        return "full"
    return "map" if depth.preferred_mode == "full" else depth.preferred_mode
