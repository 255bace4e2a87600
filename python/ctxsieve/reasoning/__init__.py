"""Deterministic aids for agent loops: tool profiles, progress, pre-hydration, conventions, and a small loop."""

from ctxsieve.reasoning.configuration_schema import json_schema_of
from ctxsieve.reasoning.convention_files import ConventionFiles, ConventionLine, read_convention_files
from ctxsieve.reasoning.conventions import RecalledConventions, RecalledLine, recall_knowledge
from ctxsieve.reasoning.coordinator import Coordinator, ToolCoordinator
from ctxsieve.reasoning.events import (
    ActionFinished,
    ActionStarted,
    ContextAdded,
    Event,
    Gated,
    LoopConfig,
    PreHydrationComplete,
    Reasoned,
    RequestedCall,
    RunStarted,
    StepLimitReached,
    Terminated,
    TerminationReason,
    read_event,
)
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
from ctxsieve.reasoning.journal import Journal, MemoryJournal, StoreJournal
from ctxsieve.reasoning.loop import LoopResult, ModelReply, ModelTurn, ReasoningLoopRunner, ReplyCall
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
from ctxsieve.reasoning.provider_messages import (
    read_anthropic_reply,
    read_openai_reply,
    to_anthropic_messages,
    to_openai_messages,
)
from ctxsieve.reasoning.references import CustomPattern, find_mentions, scan_references
from ctxsieve.reasoning.resolvers import FileReader, ToolTable
from ctxsieve.reasoning.run_state import Message, Role, RunState, replay_run
from ctxsieve.reasoning.tool_adapters import ToolFacts, describe_tool, hash_definition
from ctxsieve.reasoning.tool_results import read_result
from ctxsieve.reasoning.web import WebFetcher

__all__ = [
    "ActionFinished",
    "ActionStarted",
    "Attempt",
    "ContextAdded",
    "ConventionFiles",
    "ConventionLine",
    "Coordinator",
    "CustomPattern",
    "Event",
    "FileReader",
    "Gated",
    "HydrationPlan",
    "HydrationResult",
    "Journal",
    "LimitAction",
    "LoopConfig",
    "LoopResult",
    "MemoryJournal",
    "Message",
    "ModelReply",
    "ModelTurn",
    "Outcome",
    "PlannedReference",
    "PreHydrationComplete",
    "PreHydrationConfig",
    "ProfileRule",
    "ProgressDecision",
    "ProgressTracker",
    "Reasoned",
    "ReasoningLoopRunner",
    "RecalledConventions",
    "RecalledLine",
    "Reference",
    "ReferenceOutcome",
    "ReferenceState",
    "RenderedHydration",
    "ReplyCall",
    "RequestedCall",
    "Role",
    "RunStarted",
    "RunState",
    "StepIterationConfig",
    "StepLimitReached",
    "StopReason",
    "StoreJournal",
    "Terminated",
    "TerminationReason",
    "ToolAnswer",
    "ToolCall",
    "ToolCoordinator",
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
    "json_schema_of",
    "plan_hydration",
    "read_anthropic_reply",
    "read_convention_files",
    "read_event",
    "read_openai_reply",
    "read_result",
    "recall_knowledge",
    "render_hydration",
    "replay_run",
    "resolve_in_batch",
    "resolve_references",
    "scan_references",
    "to_anthropic_messages",
    "to_openai_messages",
]
