"""The context ledger: what was sent to whom, how full the window is, and what to do about it (SPEC.md 11)."""

from ctxsieve.ledger.context_ledger import (
    DEFAULT_CONSUMER,
    DEFAULT_SESSION,
    DEFAULT_WINDOW_TOKENS,
    ContextLedger,
    ledger_consumers,
)
from ctxsieve.ledger.deficits import Deficit, DeficitKind, find_deficits
from ctxsieve.ledger.entries import Delivery, LedgerEntry, LedgerTotals, SentItem
from ctxsieve.ledger.pressure import Pressure, pressure_of
from ctxsieve.ledger.reinjection import (
    AppliedReinjection,
    Downgrade,
    Eviction,
    ReinjectionPlan,
    Renderer,
    Rendering,
    is_target,
    plan_reinjection,
)

__all__ = [
    "DEFAULT_CONSUMER",
    "DEFAULT_SESSION",
    "DEFAULT_WINDOW_TOKENS",
    "AppliedReinjection",
    "ContextLedger",
    "Deficit",
    "DeficitKind",
    "Delivery",
    "Downgrade",
    "Eviction",
    "LedgerEntry",
    "LedgerTotals",
    "Pressure",
    "ReinjectionPlan",
    "Renderer",
    "Rendering",
    "SentItem",
    "find_deficits",
    "is_target",
    "ledger_consumers",
    "plan_reinjection",
    "pressure_of",
]
