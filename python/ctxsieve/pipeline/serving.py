"""How the layers serve an intent that was understood with confidence (SPEC 9)."""

import dataclasses
from collections.abc import Callable

from ctxsieve.graph import ProjectGraph
from ctxsieve.intent import IntentPolicy, StructuredIntent, policy_for
from ctxsieve.pipeline.blocks import Block
from ctxsieve.relevance import RelevanceOptions

__all__ = ["confident_policy", "place_by_role", "weigh_roles"]

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


def place_by_role(graph: ProjectGraph, policy: IntentPolicy | None) -> Callable[[Block], int]:
    """Return the place of a block in the text: roles in the policy's order, the others after them."""
    order = {} if policy is None else {role: place for place, role in enumerate(policy.role_order)}
    roles = graph.index.roles

    def place(block: Block) -> int:
        document = graph.index.document(block.path)
        return len(order) if document is None else order.get(roles[document], len(order))

    return place
