import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ctxsieve.agents import (
    HandoffPackage,
    SnapshotFile,
    decode_handoff,
    encode_handoff,
    pack_handoff,
    read_handoff,
    receive_handoff,
    received_handoffs,
    write_handoff,
)
from ctxsieve.agents.handoff import _canonical, _digest
from ctxsieve.errors import InputError, PathError
from ctxsieve.intent import parse_intent
from ctxsieve.knowledge import Fact, KnowledgeBase
from ctxsieve.ledger import ContextLedger, LedgerEntry, SentItem
from ctxsieve.store import Store
from ctxsieve.tokens import count_tokens

FACT = Fact("discovery", "auth_bug", "null check missing in line 42", agent="debugger", confidence=0.9, recorded_at=1.0)


def snapshot(entry: LedgerEntry) -> SnapshotFile | None:
    path, now = entry.path, f"hash of {entry.path}"
    if path == "gone.py":
        return None
    text = f"=== {path} ({entry.mode})\ndef f() -> None: ...\n"
    return SnapshotFile(path, entry.mode, 500, now, text, f"text of {path}", was_changed=entry.content_hash != now)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite3") as opened:
        yield opened


@pytest.fixture
def package(store: Store) -> HandoffPackage:
    ledger = ContextLedger(store, session="s1", consumer="debugger")
    ledger.set_window(64_000)
    items = [
        SentItem("src/auth.py", "full", 500, 20, "hash of src/auth.py"),
        SentItem("src/old.py", "map", 500, 20, "hash of then"),
        SentItem("gone.py", "full", 500, 20, "h"),
    ]
    ledger.record(items, kind="read", sent_tokens=61, now_seconds=1.0)
    ledger.record([SentItem("src/out.py", "full", 500, 20, "h")], kind="read", sent_tokens=20, now_seconds=2.0)
    ledger.evict(["src/out.py"], now_seconds=3.0)
    return pack_handoff(
        ledger,
        snapshot=snapshot,
        now_seconds=4.0,
        project="shop",
        sender_role="debugger",
        task="fix the JWT validation",
        note="stopped at line 42",
        intent=parse_intent("fix the NaN bug in entropy.rs and write tests"),
        facts=[FACT],
    )


def test_package_holds_ledger_intent_context_and_facts(package: HandoffPackage) -> None:
    assert (package.ledger.window_tokens, package.ledger.emitted_tokens, package.ledger.resident_tokens) == (
        64_000,
        81,
        61,
    )
    assert [(entry.path, entry.is_resident) for entry in package.ledger.entries] == [
        ("src/auth.py", True),
        ("src/old.py", True),
        ("gone.py", True),
        ("src/out.py", False),
    ]
    assert [(file.path, file.mode, file.was_changed) for file in package.files] == [
        ("src/auth.py", "full", False),
        ("src/old.py", "map", True),
    ]
    assert package.text.startswith("=== src/auth.py (full)\n")
    assert package.intent is not None
    assert package.facts == (FACT,)


def test_encoding_is_canonical_and_comes_back_whole(package: HandoffPackage) -> None:
    text = encode_handoff(package)
    assert decode_handoff(text) == package
    assert encode_handoff(decode_handoff(text)) == text
    assert text.isascii()
    assert text.count("\n") == 1


def test_one_file_carries_it(package: HandoffPackage, tmp_path: Path) -> None:
    path = tmp_path / "session.handoff"
    write_handoff(package, path)
    write_handoff(package, path)
    assert read_handoff(path) == package
    assert [found.name for found in tmp_path.iterdir() if "partial" in found.name] == []
    with pytest.raises(PathError, match="cannot be read"):
        read_handoff(tmp_path / "missing")
    with pytest.raises(PathError, match="cannot be written"):
        write_handoff(package, tmp_path / "no" / "folder")


def test_every_changed_byte_is_noticed(package: HandoffPackage) -> None:
    text = encode_handoff(package).rstrip("\n")
    for position in range(0, len(text), 7):
        changed = text[:position] + ("0" if text[position] != "0" else "1") + text[position + 1 :]
        with pytest.raises(InputError):
            decode_handoff(changed)


def reseal(package: HandoffPackage, change: Callable[[dict[str, Any]], object]) -> str:
    """A package that was changed by someone who computes the hash anew."""
    document = json.loads(encode_handoff(package))
    del document["sha256"]
    change(document)
    return _canonical({**document, "sha256": _digest(document)})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(version=2), "has version 2, this program reads 1"),
        (lambda d: d.update(format="other"), "is no handoff package"),
        (lambda d: d.update(extra=1), "missing or unknown fields: extra"),
        (lambda d: d.pop("task"), "missing or unknown fields: task"),
        (lambda d: d.update(task=5), "task of HandoffPackage is '5'"),
        (lambda d: d["files"][0].update(path="../../etc/passwd"), "../../etc/passwd"),
        (lambda d: d["files"][0].update(path="/etc/passwd"), "/etc/passwd"),
        (lambda d: d["files"][0].update(text="\ud800"), "text of SnapshotFile is not valid Unicode"),
        (lambda d: d["files"].append(3), "SnapshotFile is int"),
        (lambda d: d["ledger"].update(window_tokens=0), "window_tokens is 0"),
        (lambda d: d["ledger"].update(window_tokens=True), "window_tokens of LedgerSnapshot is 'True'"),
        (lambda d: d["ledger"]["entries"][0].update(sent_tokens="9"), "sent_tokens of SnapshotEntry"),
        (lambda d: d["intent"].update(task_type="conquer"), "'conquer' is not a valid TaskType"),
        (lambda d: d["intent"].update(keywords=[1]), "keywords of the intent"),
        (lambda d: d["facts"][0].update(confidence=2), "confidence of fact discovery:auth_bug is 2.0"),
    ],
)
def test_malformed_packages_are_refused_with_the_place(
    package: HandoffPackage, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        decode_handoff(reseal(package, change))
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, '{"format":"ctxsieve-handoff"}'])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        decode_handoff(text)


def test_missing_hash_is_tampering(package: HandoffPackage) -> None:
    document = json.loads(encode_handoff(package))
    del document["sha256"]
    with pytest.raises(InputError, match="was changed after it was exported"):
        decode_handoff(json.dumps(document))


def test_receiver_starts_with_everything(package: HandoffPackage, tmp_path: Path) -> None:
    with Store(tmp_path / "other.sqlite3") as store:
        ledger = ContextLedger(store, session="s2", consumer="coder")
        here = {"src/auth.py": "hash of src/auth.py", "src/old.py": "another"}
        received = receive_handoff(store, ledger, package, now_seconds=9.0, hash_of=here.get)
        assert (received.text, received.new_facts, received.outdated, received.missing) == (
            package.text,
            1,
            ("src/old.py",),
            (),
        )
        totals = ledger.totals()
        assert totals.emitted_tokens == totals.resident_tokens == count_tokens(package.text) == received.text_tokens
        assert totals.window_tokens == 64_000
        assert ledger.received_entry("src/auth.py", text_hash="text of src/auth.py") is not None
        assert KnowledgeBase(store).facts() == [FACT]
        assert received_handoffs(store, session="s2", consumer="coder") == [package]
        again = receive_handoff(store, ledger, package, now_seconds=10.0, hash_of=lambda path: None)
        assert again.new_facts == 0
        assert again.missing == ("src/auth.py", "src/old.py")


def test_empty_session_can_be_handed_over(store: Store) -> None:
    package = pack_handoff(ContextLedger(store, consumer="x"), snapshot=snapshot, now_seconds=0.0)
    received = receive_handoff(
        store, ContextLedger(store, consumer="y"), package, now_seconds=1.0, hash_of=lambda path: None
    )
    assert (received.text, received.text_tokens) == ("", 0)


def test_numbers_without_a_json_form_are_refused(package: HandoffPackage) -> None:
    with pytest.raises(InputError, match="no form for"):
        encode_handoff(replace(package, created_at=float("nan")))
