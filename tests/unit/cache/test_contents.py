import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxsieve.cache import SessionCache, hash_content
from ctxsieve.errors import InputError, StoreError
from ctxsieve.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite3") as opened:
        yield opened


def test_content_is_found_by_its_hash_in_another_process(store: Store) -> None:
    key = SessionCache(store).keep(b"\x00text\xff", size_tokens=3, now_seconds=1.0)
    assert key == hash_content(b"\x00text\xff")
    with Store(store.path) as other:
        assert SessionCache(other).find(key) == b"\x00text\xff"
    assert SessionCache(store).find(hash_content(b"other")) is None


def test_thousand_edits_within_one_second_and_size_are_told_apart(store: Store, tmp_path: Path) -> None:
    cache = SessionCache(store)
    path = tmp_path / "a.py"
    seen = set()
    with store.transaction():
        for number in range(1000):
            path.write_bytes(b"x = %04d\n" % number)
            os.utime(path, ns=(10**18, 10**18))
            key = cache.keep(path.read_bytes(), size_tokens=5, now_seconds=1.0)
            assert cache.find(key) == b"x = %04d\n" % number
            seen.add(key)
    assert len(seen) == 1000


def test_uses_are_counted_and_the_least_worth_leaves(store: Store) -> None:
    cache = SessionCache(store, capacity_tokens=100)
    often = cache.keep(b"often", size_tokens=40, now_seconds=1.0)
    cache.keep(b"often", size_tokens=40, now_seconds=2.0)
    rare = cache.keep(b"rare", size_tokens=40, now_seconds=1.5)
    new = cache.keep(b"new", size_tokens=50, now_seconds=3.0)
    assert cache.find(rare) is None
    assert {entry.key: entry.use_count for entry in cache.sizes(now_seconds=3.0)} == {often: 2, new: 1}


def test_content_larger_than_the_cache_pushes_nothing_out(store: Store) -> None:
    cache = SessionCache(store, capacity_tokens=100)
    small = cache.keep(b"small", size_tokens=100, now_seconds=1.0)
    huge = cache.keep(b"huge", size_tokens=101, now_seconds=2.0)
    assert cache.find(huge) is None
    assert cache.find(small) == b"small"


@pytest.mark.parametrize("data", [b"junk", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_damaged_content_is_never_returned(store: Store, data: bytes) -> None:
    key = SessionCache(store).keep(b"text", size_tokens=1, now_seconds=1.0)
    with store.transaction() as connection:
        connection.execute("UPDATE cache_contents SET data = ?", (data,))
    with pytest.raises(StoreError, match="is damaged"):
        SessionCache(store).find(key)
    assert SessionCache(store).clear() == 1


def test_capacity_must_not_be_negative(store: Store) -> None:
    with pytest.raises(InputError, match="capacity is -1 tokens"):
        SessionCache(store, capacity_tokens=-1)
