"""Several agents on one project: roles, and the package that hands a session over (docs/agents.md)."""

from typing import TYPE_CHECKING

from ctxsieve.agents.roles import ROLES, ContextDepthConfig, Role, RoleOptions, depth_of, richest_mode
from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.agents.handoff import (
        HANDOFF_VERSION,
        HandoffPackage,
        LedgerSnapshot,
        SnapshotEntry,
        SnapshotFile,
        decode_handoff,
        encode_handoff,
    )
    from ctxsieve.agents.receive import ReceivedHandoff, read_handoff, receive_handoff, received_handoffs, write_handoff
    from ctxsieve.agents.snapshot import pack_handoff

__all__ = [
    "HANDOFF_VERSION",
    "ROLES",
    "ContextDepthConfig",
    "HandoffPackage",
    "LedgerSnapshot",
    "ReceivedHandoff",
    "Role",
    "RoleOptions",
    "SnapshotEntry",
    "SnapshotFile",
    "decode_handoff",
    "depth_of",
    "encode_handoff",
    "pack_handoff",
    "read_handoff",
    "receive_handoff",
    "received_handoffs",
    "richest_mode",
    "write_handoff",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "HANDOFF_VERSION": "ctxsieve.agents.handoff",
        "HandoffPackage": "ctxsieve.agents.handoff",
        "LedgerSnapshot": "ctxsieve.agents.handoff",
        "SnapshotEntry": "ctxsieve.agents.handoff",
        "SnapshotFile": "ctxsieve.agents.handoff",
        "decode_handoff": "ctxsieve.agents.handoff",
        "encode_handoff": "ctxsieve.agents.handoff",
        "ReceivedHandoff": "ctxsieve.agents.receive",
        "read_handoff": "ctxsieve.agents.receive",
        "receive_handoff": "ctxsieve.agents.receive",
        "received_handoffs": "ctxsieve.agents.receive",
        "write_handoff": "ctxsieve.agents.receive",
        "pack_handoff": "ctxsieve.agents.snapshot",
    },
)
