"""File contents by their hash, kept in the store so that other processes find them.

A content is only ever found by the hash of its bytes: an edit that keeps time and size of a file gives another
hash, and the old content is not mistaken for the new one.
"""

import zlib
from typing import TYPE_CHECKING

from ctxsieve._kernels import sha256
from ctxsieve.errors import InputError, StoreError
from ctxsieve.store import Store

if TYPE_CHECKING:
    from ctxsieve.cache.eviction import CachedSize

__all__ = ["DEFAULT_CAPACITY_TOKENS", "SessionCache", "hash_content"]

DEFAULT_CAPACITY_TOKENS = 2_000_000


def hash_content(content: bytes) -> str:
    """The SHA-256 of the bytes in hexadecimal: the identity of a content in ledger and cache."""
    return sha256(content).hex()


class SessionCache:
    """Contents that were sent, up to a capacity in tokens; what it forgets costs a diff, never a wrong answer."""

    def __init__(self, store: Store, *, capacity_tokens: int = DEFAULT_CAPACITY_TOKENS) -> None:
        if capacity_tokens < 0:
            raise InputError(f"capacity is {capacity_tokens} tokens: it must be 0 or more")
        self._store = store
        self.capacity_tokens = capacity_tokens

    def keep(self, content: bytes, *, size_tokens: int, now_seconds: float) -> str:
        """Keep a content, or count one more use of it, and return its hash; others leave where it gets full."""
        content_hash = hash_content(content)
        with self._store.transaction() as connection:
            used = connection.execute(
                "UPDATE cache_contents SET use_count = use_count + 1, last_used_at = max(last_used_at, ?) "
                "WHERE content_hash = ?",
                (now_seconds, content_hash),
            ).rowcount
            if not used and size_tokens <= self.capacity_tokens:
                connection.execute(
                    "INSERT INTO cache_contents VALUES (?, ?, ?, 1, ?)",
                    (content_hash, zlib.compress(content, 6), size_tokens, now_seconds),
                )
            (total,) = connection.execute("SELECT coalesce(sum(size_tokens), 0) FROM cache_contents").fetchone()
            if total > self.capacity_tokens:
                from ctxsieve.cache.eviction import plan_eviction

                leaving = plan_eviction(self.sizes(now_seconds=now_seconds), capacity_tokens=self.capacity_tokens)
                connection.executemany("DELETE FROM cache_contents WHERE content_hash = ?", [(key,) for key in leaving])
        return content_hash

    def find(self, content_hash: str) -> bytes | None:
        """The content with this hash, None when it was never kept or has left.

        Raises:
            StoreError: what is stored is not what the hash says.
        """
        rows = self._store.read("SELECT data FROM cache_contents WHERE content_hash = ?", (content_hash,))
        if not rows:
            return None
        try:
            content = zlib.decompress(rows[0][0])
        except zlib.error as error:
            raise StoreError(f"cached content {content_hash[:12]} is damaged ({error}): clear the cache") from error
        if hash_content(content) != content_hash:
            raise StoreError(f"cached content {content_hash[:12]} is damaged: clear the cache")
        return content

    def sizes(self, *, now_seconds: float) -> "list[CachedSize]":
        """What is kept, by hash."""
        from ctxsieve.cache.eviction import CachedSize

        rows = self._store.read(
            "SELECT content_hash, last_used_at, use_count, size_tokens FROM cache_contents ORDER BY content_hash"
        )
        return [CachedSize(key, max(0.0, now_seconds - used_at), count, size) for key, used_at, count, size in rows]

    def clear(self) -> int:
        """Forget everything and return how many contents that were."""
        with self._store.transaction() as connection:
            return connection.execute("DELETE FROM cache_contents").rowcount
