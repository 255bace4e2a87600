from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxsieve.errors import InputError
from ctxsieve.ledger import ContextLedger, SentItem, ledger_consumers
from ctxsieve.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite3") as opened:
        yield opened


@pytest.fixture
def ledger(store: Store) -> ContextLedger:
    return ContextLedger(store, session="s", consumer="coder")


def item(path: str, tokens: int, mode: str = "full", content: str = "h1") -> SentItem:
    return SentItem(path, mode, 1000, tokens, content)


def test_entry_holds_what_was_sent(ledger: ContextLedger) -> None:
    ledger.record([item("a.py", 300)], kind="read", sent_tokens=300, now_seconds=7.0)
    (entry,) = ledger.entries()
    assert (entry.path, entry.mode, entry.original_tokens, entry.sent_tokens) == ("a.py", "full", 1000, 300)
    assert (entry.content_hash, entry.recorded_at, entry.consumer, entry.is_resident) == ("h1", 7.0, "coder", True)


def test_framing_makes_the_sums_exact(ledger: ContextLedger) -> None:
    ledger.record([item("a.py", 300), item("b.py", 100)], kind="preload", sent_tokens=420, now_seconds=1.0)
    ledger.record([item("c.py", 50)], kind="read", sent_tokens=49, now_seconds=1.0)
    totals = ledger.totals()
    assert totals.emitted_tokens == totals.resident_tokens == 469
    assert totals.original_tokens == 3000
    assert ledger.evict(["a.py"], now_seconds=2.0) == 300
    assert ledger.evict(["b.py"], now_seconds=2.0) == 120
    assert ledger.totals().resident_tokens == 49


def test_emitted_only_grows_and_resident_shrinks(ledger: ContextLedger) -> None:
    ledger.record([item("a.py", 300)], kind="read", sent_tokens=300, now_seconds=1.0)
    ledger.record([item("a.py", 300)], kind="read", sent_tokens=300, now_seconds=2.0)
    assert ledger.totals().resident_tokens == 600
    assert ledger.evict(["a.py"], now_seconds=3.0) == 600
    assert (ledger.totals().emitted_tokens, ledger.totals().resident_tokens) == (600, 0)
    ledger.record([item("b.py", 10)], kind="read", sent_tokens=10, now_seconds=4.0)
    assert ledger.reset(now_seconds=5.0) == 10
    assert (ledger.totals().emitted_tokens, ledger.totals().resident_tokens) == (610, 0)
    assert [entry.end_reason for entry in ledger.entries(resident_only=False)] == ["evicted", "evicted", "reset"]


def test_evicting_what_is_not_held_changes_nothing(ledger: ContextLedger) -> None:
    ledger.record([item("a.py", 300)], kind="read", sent_tokens=320, now_seconds=1.0)
    for path in ("b.py", ""):
        with pytest.raises(InputError, match="is not in the window of consumer 'coder'"):
            ledger.evict(["a.py", path], now_seconds=2.0)
    assert ledger.totals().resident_tokens == 320


def test_consumers_and_sessions_have_windows_of_their_own(store: Store, ledger: ContextLedger) -> None:
    other = ContextLedger(store, session="s", consumer="tester")
    later = ContextLedger(store, session="t", consumer="coder")
    ledger.set_window(1000)
    ledger.record([item("a.py", 800)], kind="read", sent_tokens=800, now_seconds=1.0)
    other.record([item("a.py", 1)], kind="read", sent_tokens=1, now_seconds=2.0)
    assert (ledger.totals().utilisation, ledger.totals().pressure) == (0.8, "compress")
    assert (other.window_tokens, other.totals().resident_tokens) == (128_000, 1)
    assert later.totals().emitted_tokens == 0
    assert ledger_consumers(store) == [("s", "coder"), ("s", "tester")]
    ledger.set_window(2000)
    assert ledger.totals().pressure == "none"


def test_only_what_was_received_and_is_held_counts_as_known(store: Store, ledger: ContextLedger) -> None:
    delivery = ledger.record([item("a.py", 300)], kind="read", sent_tokens=300, now_seconds=1.0, was_received=False)
    assert ledger.received_entry("a.py") is None
    with pytest.raises(InputError, match="does not belong to consumer 'tester'"):
        ContextLedger(store, session="s", consumer="tester").confirm(delivery)
    ledger.confirm(delivery)
    entry = ledger.received_entry("a.py", mode="full")
    assert entry is not None
    assert entry.content_hash == "h1"
    assert ledger.received_entry("a.py", mode="map") is None
    assert ContextLedger(store, session="s", consumer="tester").received_entry("a.py") is None
    ledger.evict(["a.py"], now_seconds=2.0)
    assert ledger.received_entry("a.py") is None


def test_entry_is_found_by_the_text_that_was_shown(ledger: ContextLedger) -> None:
    shown = SentItem("a.py", "task", 1000, 300, "h1", "t1")
    ledger.record([shown, item("b.py", 5)], kind="read", sent_tokens=305, now_seconds=1.0)
    assert ledger.received_entry("a.py", text_hash="t1") is not None
    assert ledger.received_entry("a.py", text_hash="t2") is None
    assert ledger.received_entry("b.py", text_hash="") is None


def test_name_that_is_no_utf8_is_recorded(ledger: ContextLedger) -> None:
    ledger.record([item("a\udcff.py", 5)], kind="read", sent_tokens=5, now_seconds=1.0)
    assert [entry.path for entry in ledger.entries(path="a\udcff.py")] == ["a\\udcff.py"]
    assert ledger.received_entry("a\udcff.py") is not None
    assert ledger.evict(["a\udcff.py"], now_seconds=2.0) == 5


def test_latest_received_entry_wins(ledger: ContextLedger) -> None:
    for number, content in enumerate(["h1", "h2"]):
        ledger.record([item("a.py", 300, content=content)], kind="read", sent_tokens=300, now_seconds=float(-number))
    entry = ledger.received_entry("a.py")
    assert entry is not None
    assert entry.content_hash == "h2"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda ledger: ledger.set_window(0), "window is 0 tokens"),
        (lambda ledger: ledger.record([], kind="read", sent_tokens=-1, now_seconds=0.0), "sent_tokens is -1"),
        (lambda ledger: SentItem("a", "full", -1, 0, ""), "original_tokens of a is -1"),
        (lambda ledger: SentItem("", "full", 1, 0, ""), "path of a sent file is empty"),
        (lambda ledger: SentItem("a", "framing", 1, 0, ""), "mode of a is 'framing'"),
        (lambda ledger: ContextLedger(ledger._store, consumer=""), "consumer is ''"),
    ],
)
def test_bad_values_are_named(ledger: ContextLedger, call: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(ledger)  # type: ignore[operator]
