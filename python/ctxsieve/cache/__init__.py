"""The session cache: contents that were sent, for stubs and diffs, evicted by reciprocal rank fusion."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
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

__getattr__ = lazy_exports(
    __name__,
    {
        "diff_contents": "ctxsieve.cache.changes",
        "SessionCache": "ctxsieve.cache.contents",
        "hash_content": "ctxsieve.cache.contents",
        "RRF_K": "ctxsieve.cache.eviction",
        "CachedSize": "ctxsieve.cache.eviction",
        "order_for_eviction": "ctxsieve.cache.eviction",
        "plan_eviction": "ctxsieve.cache.eviction",
        "reread_stub": "ctxsieve.cache.stubs",
    },
)
