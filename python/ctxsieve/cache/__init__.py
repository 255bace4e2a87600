"""The session cache: contents that were sent, for stubs and diffs, evicted by reciprocal rank fusion (SPEC.md 4)."""

from ctxsieve.cache.changes import diff_contents
from ctxsieve.cache.contents import SessionCache, hash_content
from ctxsieve.cache.eviction import RRF_K, CachedSize, order_for_eviction, plan_eviction
from ctxsieve.cache.stubs import reread_stub

__all__ = [
    "RRF_K",
    "CachedSize",
    "SessionCache",
    "diff_contents",
    "hash_content",
    "order_for_eviction",
    "plan_eviction",
    "reread_stub",
]
