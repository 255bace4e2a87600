"""Shared knowledge: facts that agents record once and others find again (docs/agents.md)."""

from ctxsieve.knowledge.base import Conflict, FactRevision, KnowledgeBase
from ctxsieve.knowledge.exchange import (
    export_facts,
    facts_from_json,
    facts_to_json,
    fitting_facts,
    import_facts,
    render_facts,
)
from ctxsieve.knowledge.facts import CONVENTIONS, Fact, format_fact, normalise_directory, parse_fact, parse_fact_name
from ctxsieve.knowledge.recall import RecalledFact, RecallScope, recall_facts

__all__ = [
    "CONVENTIONS",
    "Conflict",
    "Fact",
    "FactRevision",
    "KnowledgeBase",
    "RecallScope",
    "RecalledFact",
    "export_facts",
    "facts_from_json",
    "facts_to_json",
    "fitting_facts",
    "format_fact",
    "import_facts",
    "normalise_directory",
    "parse_fact",
    "parse_fact_name",
    "recall_facts",
    "render_facts",
]
