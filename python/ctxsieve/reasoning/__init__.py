"""Deterministic aids for agent loops: tool profiles, progress, pre-hydration, conventions, and a small loop."""

from ctxsieve.reasoning.gate import ToolGate
from ctxsieve.reasoning.hydration import (
    ReferenceOutcome,
    ReferenceState,
    ToolAnswer,
    resolve_in_batch,
    resolve_references,
)
from ctxsieve.reasoning.hydration_block import RenderedHydration, render_hydration
from ctxsieve.reasoning.hydration_plan import (
    HydrationPlan,
    PlannedReference,
    PreHydrationConfig,
    ToolCall,
    plan_hydration,
)
from ctxsieve.reasoning.mentions import Reference
from ctxsieve.reasoning.prehydration import HydrationResult, hydrate_task
from ctxsieve.reasoning.profiles import ProfileRule, ToolProfile, ToolVerdict, find_idle_rules
from ctxsieve.reasoning.progress import (
    Attempt,
    LimitAction,
    Outcome,
    ProgressDecision,
    ProgressTracker,
    StepIterationConfig,
    StopReason,
    Verdict,
)
from ctxsieve.reasoning.references import CustomPattern, find_mentions, scan_references
from ctxsieve.reasoning.resolvers import FileReader, ToolTable
from ctxsieve.reasoning.tool_adapters import ToolFacts, describe_tool, hash_definition
from ctxsieve.reasoning.web import WebFetcher

__all__ = [
    "Attempt",
    "CustomPattern",
    "FileReader",
    "HydrationPlan",
    "HydrationResult",
    "LimitAction",
    "Outcome",
    "PlannedReference",
    "PreHydrationConfig",
    "ProfileRule",
    "ProgressDecision",
    "ProgressTracker",
    "Reference",
    "ReferenceOutcome",
    "ReferenceState",
    "RenderedHydration",
    "StepIterationConfig",
    "StopReason",
    "ToolAnswer",
    "ToolCall",
    "ToolFacts",
    "ToolGate",
    "ToolProfile",
    "ToolTable",
    "ToolVerdict",
    "Verdict",
    "WebFetcher",
    "describe_tool",
    "find_idle_rules",
    "find_mentions",
    "hash_definition",
    "hydrate_task",
    "plan_hydration",
    "render_hydration",
    "resolve_in_batch",
    "resolve_references",
    "scan_references",
]
