"""How the layers serve an intent that was understood with confidence (docs/intent.md)."""

import dataclasses
from collections.abc import Callable

from ctxsieve.chunking import ChunkingOptions
from ctxsieve.graph import ProjectGraph
from ctxsieve.intent import IntentPolicy, StructuredIntent, policy_for
from ctxsieve.pipeline.blocks import Block
from ctxsieve.relevance import Ranking, RelevanceOptions

__all__ = ["confident_policy", "error_weight", "place_by_role", "weigh_roles"]

# Below this the type of a task is a guess: commit subjects without a verb come out near .1, plain requests near .9.
_CONFIDENT = 0.75


def confident_policy(intent: StructuredIntent) -> IntentPolicy | None:
    """Return what the intent asks of the layers, or None where its type is a guess."""
    return policy_for(intent) if intent.confidence >= _CONFIDENT else None


def weigh_roles(options: RelevanceOptions, policy: IntentPolicy | None) -> RelevanceOptions:
    """Return the options with the weights of file roles multiplied by the policy's."""
    if policy is None:
        return options
    known = {entry.name for entry in dataclasses.fields(options.roles)}
    changed = {
        role: getattr(options.roles, role) * weight for role, weight in policy.role_weights.items() if role in known
    }
    return dataclasses.replace(options, roles=dataclasses.replace(options.roles, **changed))


def error_weight(options: ChunkingOptions, policy: IntentPolicy | None) -> float:
    """Return the factor of the score of lines that handle errors: the options' for a bug fix, otherwise 1."""
    return options.error_weight if policy is not None and policy.keeps_error_lines_first else 1.0


def place_by_role(
    graph: ProjectGraph, policy: IntentPolicy | None, ranking: Ranking | None = None
) -> Callable[[Block], int]:
    """Return the place of a block in the text: roles in the policy's order, the others after them.

    For a bug fix, a test that a stack frame of the task stands in comes before all: it says what should happen.
    """
    order = {} if policy is None else {role: place for place, role in enumerate(policy.role_order)}
    roles = graph.index.roles
    is_bug = policy is not None and policy.keeps_error_lines_first
    traced = ranking.traced_lines if ranking is not None and is_bug else {}

    def place(block: Block) -> int:
        document = graph.index.document(block.path)
        if document is None:
            return len(order)
        if document in traced and roles[document] == "test":
            return -1
        return order.get(roles[document], len(order))

    return place
