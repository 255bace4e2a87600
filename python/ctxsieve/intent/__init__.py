"""Structured intent: what a task asks for, and how the layers after it serve that (SPEC 9)."""

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
