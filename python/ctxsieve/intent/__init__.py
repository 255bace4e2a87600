"""Structured intent: what a task asks for, and how the layers after it serve that (docs/intent.md)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.intent.describe import describe_intent
    from ctxsieve.intent.model import Scope, StructuredIntent, TaskType
    from ctxsieve.intent.parse import parse_intent
    from ctxsieve.intent.policy import IntentPolicy, policy_for, suggested_mode, suggested_tests

__all__ = [
    "IntentPolicy",
    "Scope",
    "StructuredIntent",
    "TaskType",
    "describe_intent",
    "parse_intent",
    "policy_for",
    "suggested_mode",
    "suggested_tests",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "describe_intent": "ctxsieve.intent.describe",
        "Scope": "ctxsieve.intent.model",
        "StructuredIntent": "ctxsieve.intent.model",
        "TaskType": "ctxsieve.intent.model",
        "parse_intent": "ctxsieve.intent.parse",
        "IntentPolicy": "ctxsieve.intent.policy",
        "policy_for": "ctxsieve.intent.policy",
        "suggested_mode": "ctxsieve.intent.policy",
        "suggested_tests": "ctxsieve.intent.policy",
    },
)
