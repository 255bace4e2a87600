"""Several agents on one project: roles, and the package that hands a session over (SPEC.md 12)."""

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
from ctxsieve.agents.roles import ROLES, ContextDepthConfig, Role, depth_of, richest_mode
from ctxsieve.agents.snapshot import pack_handoff

__all__ = [
    "HANDOFF_VERSION",
    "ROLES",
    "ContextDepthConfig",
    "HandoffPackage",
    "LedgerSnapshot",
    "ReceivedHandoff",
    "Role",
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
