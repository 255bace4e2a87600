from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from ctxsieve.errors import InputError
from ctxsieve.ledger import ContextLedger, Rendering, SentItem, is_target, plan_reinjection
from ctxsieve.store import Store
from ctxsieve.tokens import count_tokens


def block(path: str, mode: str, tokens: int) -> str:
    """A text of exactly `tokens` tokens."""
    text = f"== {path} ({mode})\n"
    text += " a" * (tokens - count_tokens(text + " a\n") + 1) + "\n"
    assert count_tokens(text) == tokens
    return text


class Forms:
    """Renders files from a table of token counts by path and mode."""

    def __init__(self, sizes: dict[tuple[str, str], int]) -> None:
        self.sizes = sizes

    def __call__(self, path: str, mode: str) -> Rendering | None:
        if (path, mode) not in self.sizes:
            return None
        return Rendering(block(path, mode, self.sizes[path, mode]), f"hash of {path}", 5000)


SIZES = {
    ("src/utils.rs", "signatures"): 600,
    ("src/utils.rs", "map"): 700,
    ("src/helpers.rs", "signatures"): 500,
    ("src/helpers.rs", "map"): 400,
    ("src/config.rs", "signatures"): 300,
    ("src/config.rs", "map"): 300,
}
LOADED = {
    "src/auth.rs": 60_000,
    "web/login.ts": 48_500,
    "src/utils.rs": 3_000,
    "src/helpers.rs": 2_200,
    "src/config.rs": 1_500,
}
assert sum(LOADED.values()) == 115_200


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[ContextLedger]:
    with Store(tmp_path / "store.sqlite3") as store:
        yield ContextLedger(store, consumer="coder")


def load(ledger: ContextLedger, sizes: dict[str, int], mode: str = "full") -> None:
    for path, tokens in sizes.items():
        ledger.record([SentItem(path, mode, tokens, tokens, "h")], kind="read", sent_tokens=tokens, now_seconds=1.0)


def test_published_example(ledger: ContextLedger) -> None:
    load(ledger, LOADED)
    plan = plan_reinjection(
        ledger.entries(), window_tokens=128_000, render=Forms(SIZES), targets=["auth.rs", "login.ts"]
    )
    assert plan.pressure == "compress"
    assert [(d.path, d.from_mode, d.to_mode, d.freed_tokens) for d in plan.downgrades] == [
        ("src/utils.rs", "full", "signatures", 2_400),
        ("src/helpers.rs", "full", "map", 1_800),
        ("src/config.rs", "full", "signatures", 1_200),
    ]
    assert plan.protected == ("src/auth.rs", "web/login.ts")
    assert plan.evictions == ()
    assert plan.freed_tokens == 5_400
    applied = ledger.apply(plan, now_seconds=2.0)
    assert applied.text == plan.text == "".join(d.text for d in plan.downgrades)
    assert (applied.freed_tokens, applied.resident_after_tokens) == (5_400, 109_800)
    assert ledger.totals().resident_tokens == 109_800
    assert ledger.totals().emitted_tokens == 115_200 + 1_300
    entry = ledger.received_entry("src/utils.rs")
    assert entry is not None
    assert (entry.mode, entry.content_hash, entry.sent_tokens) == ("signatures", "hash of src/utils.rs", 600)


def test_no_pressure_no_plan(ledger: ContextLedger) -> None:
    load(ledger, {"a.py": 89_600})
    plan = plan_reinjection(ledger.entries(), window_tokens=128_000, render=Forms({("a.py", "map"): 10}))
    assert (plan.pressure, plan.downgrades, plan.evictions, plan.text, plan.freed_tokens) == ("none", (), (), "", 0)


def test_less_relevant_files_go_first_and_only_as_many_as_needed(ledger: ContextLedger) -> None:
    load(ledger, {"a.py": 300, "b.py": 300, "c.py": 200})
    forms = Forms({(path, "map"): 50 for path in ("a.py", "b.py", "c.py")})
    plan = plan_reinjection(
        ledger.entries(), window_tokens=1000, render=forms, relevance={"a.py": 0.1, "b.py": 0.9, "c.py": 0.5}
    )
    assert [d.path for d in plan.downgrades] == ["a.py"]
    assert plan.resident_after_tokens == 550


def test_eviction_above_ninety_percent_then_compression(ledger: ContextLedger) -> None:
    load(ledger, {"a.py": 500, "b.py": 300, "c.py": 150})
    forms = Forms({(path, "map"): 40 for path in ("a.py", "b.py", "c.py")})
    plan = plan_reinjection(ledger.entries(), window_tokens=1000, render=forms, relevance={"a.py": 0.9, "b.py": 0.5})
    assert [e.path for e in plan.evictions] == ["c.py"]
    assert [d.path for d in plan.downgrades] == ["b.py"]
    applied = ledger.apply(plan, now_seconds=2.0)
    assert applied.resident_after_tokens == 540
    reasons = {entry.path: entry.end_reason for entry in ledger.entries(resident_only=False) if not entry.is_resident}
    assert reasons == {"b.py": "replaced", "c.py": "evicted"}


def test_room_is_made_for_what_comes_in(ledger: ContextLedger) -> None:
    load(ledger, {"a.py": 500, "b.py": 100})
    plan = plan_reinjection(
        ledger.entries(), window_tokens=1000, render=Forms({}), targets=["b.py"], incoming_tokens=600
    )
    assert [e.path for e in plan.evictions] == ["a.py"]
    assert plan.fits
    impossible = plan_reinjection(
        ledger.entries(), window_tokens=1000, render=Forms({}), targets=["a.py"], incoming_tokens=600
    )
    assert not impossible.fits


def test_form_that_frees_nothing_is_not_planned(ledger: ContextLedger) -> None:
    load(ledger, {"a.py": 400, "b.py": 400})
    plan = plan_reinjection(
        ledger.entries(), window_tokens=1000, render=Forms({("a.py", "map"): 400, ("b.py", "map"): 399})
    )
    assert [(d.path, d.freed_tokens) for d in plan.downgrades] == [("b.py", 1)]


def test_small_forms_stay_and_several_reads_are_replaced_by_one(ledger: ContextLedger) -> None:
    load(ledger, {"a.py": 300})
    load(ledger, {"a.py": 200}, mode="lines:1-40")
    load(ledger, {"b.py": 300}, mode="signatures")
    plan = plan_reinjection(
        ledger.entries(), window_tokens=1000, render=Forms({("a.py", "map"): 30, ("b.py", "map"): 10})
    )
    assert [(d.path, d.from_mode, d.held_tokens) for d in plan.downgrades] == [("a.py", "full+lines:1-40", 500)]


def test_outdated_plan_is_refused_and_changes_nothing(ledger: ContextLedger) -> None:
    load(ledger, {"a.py": 400, "b.py": 400})
    plan = plan_reinjection(
        ledger.entries(), window_tokens=1000, render=Forms({("a.py", "map"): 350, ("b.py", "map"): 9})
    )
    assert len(plan.downgrades) == 2
    ledger.evict(["b.py"], now_seconds=2.0)
    with pytest.raises(InputError, match=r"the window changed since the plan was made \(b.py\)"):
        ledger.apply(plan, now_seconds=3.0)
    assert ledger.totals().resident_tokens == 400
    assert ledger.totals().emitted_tokens == 800


def test_plan_is_frozen(ledger: ContextLedger) -> None:
    plan = plan_reinjection([], window_tokens=10, render=Forms({}))
    with pytest.raises(FrozenInstanceError):
        plan.text = "other"  # type: ignore[misc]
    with pytest.raises(InputError, match="incoming_tokens is -1"):
        plan_reinjection([], window_tokens=10, render=Forms({}), incoming_tokens=-1)


@pytest.mark.parametrize(
    ("path", "target", "expected"),
    [
        ("src/auth.rs", "auth.rs", True),
        ("src/auth.rs", "src/auth.rs", True),
        ("src/auth.rs", "./src/auth.rs", True),
        ("src/auth.rs", "src/", True),
        ("src/oauth.rs", "auth.rs", False),
        ("src/auth.rs.bak", "auth.rs", False),
        ("srcs/a.rs", "src", False),
        ("src/auth.rs", "", False),
    ],
)
def test_targets_are_paths_their_ends_or_folders(path: str, target: str, expected: bool) -> None:
    assert is_target(path, [target]) is expected
