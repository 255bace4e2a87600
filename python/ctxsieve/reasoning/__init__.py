"""Deterministic aids for agent loops: tool profiles, progress, pre-hydration, conventions, and a small loop."""

from ctxsieve.reasoning.gate import ToolGate
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
from ctxsieve.reasoning.tool_adapters import ToolFacts, describe_tool, hash_definition

__all__ = [
    "Attempt",
    "LimitAction",
    "Outcome",
    "ProfileRule",
    "ProgressDecision",
    "ProgressTracker",
    "StepIterationConfig",
    "StopReason",
    "ToolFacts",
    "ToolGate",
    "ToolProfile",
    "ToolVerdict",
    "Verdict",
    "describe_tool",
    "find_idle_rules",
    "hash_definition",
]
