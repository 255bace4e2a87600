"""An intent and what follows from it as one record, for people and programs that ask."""

import dataclasses
from collections.abc import Callable
from typing import Any

from ctxsieve.intent.parse import parse_intent
from ctxsieve.intent.policy import policy_for, suggested_mode, suggested_tests

__all__ = ["describe_intent"]


def describe_intent(task: str, *, exists: Callable[[str], bool]) -> dict[str, Any]:
    """Return the intent of a task with the reading mode, the concentration and the tests that it suggests.

    Args:
        task: the task in plain words.
        exists: says whether the project has a file of that path; those that it has count as targets.
    """
    parsed = parse_intent(task, known_paths=exists)
    policy = policy_for(parsed)
    record = dataclasses.asdict(parsed)
    parts = record.pop("parts")
    return record | {
        "mode": suggested_mode(parsed),
        "beta": round(policy.beta, 4),
        "suggested_tests": suggested_tests(parsed, exists=exists),
        "parts": [{key: value for key, value in part.items() if key != "parts"} for part in parts],
    }
