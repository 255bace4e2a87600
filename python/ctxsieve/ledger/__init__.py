"""The context ledger: what was sent to whom, how full the window is, and what to do about it (docs/ledger.md)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.ledger.chronicle import DeliveryRecord, list_deliveries
    from ctxsieve.ledger.context_ledger import (
        DEFAULT_CONSUMER,
        DEFAULT_SESSION,
        DEFAULT_WINDOW_TOKENS,
        ContextLedger,
        ledger_consumers,
    )
    from ctxsieve.ledger.deficits import Deficit, DeficitKind, find_deficits
    from ctxsieve.ledger.entries import Delivery, LedgerEntry, LedgerTotals, SentItem
    from ctxsieve.ledger.options import LedgerOptions
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
    "DeliveryRecord",
    "Downgrade",
    "Eviction",
    "LedgerEntry",
    "LedgerOptions",
    "LedgerTotals",
    "Pressure",
    "ReinjectionPlan",
    "Renderer",
    "Rendering",
    "SentItem",
    "find_deficits",
    "is_target",
    "ledger_consumers",
    "list_deliveries",
    "plan_reinjection",
    "pressure_of",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "DEFAULT_CONSUMER": "ctxsieve.ledger.context_ledger",
        "DEFAULT_SESSION": "ctxsieve.ledger.context_ledger",
        "DEFAULT_WINDOW_TOKENS": "ctxsieve.ledger.context_ledger",
        "DeliveryRecord": "ctxsieve.ledger.chronicle",
        "list_deliveries": "ctxsieve.ledger.chronicle",
        "ContextLedger": "ctxsieve.ledger.context_ledger",
        "ledger_consumers": "ctxsieve.ledger.context_ledger",
        "Deficit": "ctxsieve.ledger.deficits",
        "DeficitKind": "ctxsieve.ledger.deficits",
        "find_deficits": "ctxsieve.ledger.deficits",
        "Delivery": "ctxsieve.ledger.entries",
        "LedgerEntry": "ctxsieve.ledger.entries",
        "LedgerTotals": "ctxsieve.ledger.entries",
        "SentItem": "ctxsieve.ledger.entries",
        "LedgerOptions": "ctxsieve.ledger.options",
        "Pressure": "ctxsieve.ledger.pressure",
        "pressure_of": "ctxsieve.ledger.pressure",
        "AppliedReinjection": "ctxsieve.ledger.reinjection",
        "Downgrade": "ctxsieve.ledger.reinjection",
        "Eviction": "ctxsieve.ledger.reinjection",
        "ReinjectionPlan": "ctxsieve.ledger.reinjection",
        "Renderer": "ctxsieve.ledger.reinjection",
        "Rendering": "ctxsieve.ledger.reinjection",
        "is_target": "ctxsieve.ledger.reinjection",
        "plan_reinjection": "ctxsieve.ledger.reinjection",
    },
)
