"""Pre-hydration as one call: scan the task, fetch what it names, render the block."""

from collections.abc import Callable, Collection
from typing import Any

from ctxsieve.reasoning.gate import ToolGate
from ctxsieve.reasoning.hydration import ReferenceOutcome, ReferenceState, resolve_references
from ctxsieve.reasoning.hydration_block import render_hydration
from ctxsieve.reasoning.hydration_plan import PreHydrationConfig, ToolCall, plan_hydration
from ctxsieve.values import dataclass

__all__ = ["HydrationResult", "hydrate_task"]


@dataclass(frozen=True, slots=True)
class HydrationResult:
    """The block for the model (empty when there is nothing to show), its tokens, and how every reference ended."""

    text: str
    tokens: int
    outcomes: tuple[ReferenceOutcome, ...]

    def count(self, state: ReferenceState) -> int:
        """Return how many references ended so."""
        return sum(outcome.state is state for outcome in self.outcomes)


async def hydrate_task(
    task: str,
    config: PreHydrationConfig,
    execute: Callable[[ToolCall], Any],
    *,
    tools: Collection[str],
    gate: ToolGate | None = None,
) -> HydrationResult:
    """Fetch what the task names and render it; arguments as in `plan_hydration` and `resolve_references`."""
    plan = plan_hydration(task, config, tools=tools, gate=gate)
    outcomes = await resolve_references(plan, execute, config=config)
    rendered = render_hydration(outcomes, config.max_context_tokens)
    return HydrationResult(rendered.text, rendered.tokens, rendered.outcomes)
