"""The ledger's sums equal what was emitted and what is held, under any sequence of operations."""

import tempfile
from collections import defaultdict
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ctxsieve.errors import InputError
from ctxsieve.ledger import ContextLedger, Rendering, SentItem, is_target, plan_reinjection
from ctxsieve.store import Store
from ctxsieve.tokens import count_tokens

PATHS = ["a.py", "src/b.py", "src/c.rs", "d/e/f.ts", "g.md"]
MODES = ["full", "map", "signatures", "lines:1-9", "task"]
CONSUMERS = ["coder", "reviewer"]


class Windows(RuleBasedStateMachine):
    """A model that holds, per consumer, the tokens of every file as (delivery, tokens), and the frames."""

    @initialize(window=st.integers(200, 4000))
    def open(self, window: int) -> None:
        self.directory = tempfile.TemporaryDirectory()
        self.store = Store(Path(self.directory.name) / "store.sqlite3")
        self.window = window
        self.ledgers = {name: ContextLedger(self.store, consumer=name) for name in CONSUMERS}
        for ledger in self.ledgers.values():
            ledger.set_window(window)
        self.fileless: set[int] = set()
        self.emitted = dict.fromkeys(CONSUMERS, 0)
        self.held: dict[str, list[tuple[int, str, int]]] = {name: [] for name in CONSUMERS}
        self.frames: dict[str, dict[int, int]] = defaultdict(dict)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.directory.cleanup()

    def drop(self, consumer: str, path: str) -> None:
        self.held[consumer] = [item for item in self.held[consumer] if item[1] != path]
        alive = {number for number, _, _ in self.held[consumer]}
        # A frame whose delivery never had a file stays; the others go with their last file.
        self.frames[consumer] = {
            number: tokens
            for number, tokens in self.frames[consumer].items()
            if number in alive or number in self.fileless
        }

    @rule(
        consumer=st.sampled_from(CONSUMERS),
        files=st.lists(st.tuples(st.sampled_from(PATHS), st.sampled_from(MODES), st.integers(0, 500)), max_size=4),
        frame=st.integers(-2, 40),
    )
    def send(self, consumer: str, files: list[tuple[str, str, int]], frame: int) -> None:
        whole = max(0, sum(tokens for _, _, tokens in files) + frame)
        items = [SentItem(path, mode, 600, tokens, "h") for path, mode, tokens in files]
        delivery = self.ledgers[consumer].record(items, kind="read", sent_tokens=whole, now_seconds=1.0)
        self.emitted[consumer] += whole
        self.held[consumer] += [(delivery.id, path, tokens) for path, _, tokens in files]
        self.frames[consumer][delivery.id] = whole - sum(tokens for _, _, tokens in files)
        if not files:
            self.fileless = self.fileless | {delivery.id}

    @rule(consumer=st.sampled_from(CONSUMERS), path=st.sampled_from(PATHS))
    def evict(self, consumer: str, path: str) -> None:
        before = self.resident(consumer)
        if all(held != path for _, held, _ in self.held[consumer]):
            try:
                self.ledgers[consumer].evict([path], now_seconds=2.0)
            except InputError:
                return
            raise AssertionError("a file that nobody holds was evicted")
        freed = self.ledgers[consumer].evict([path], now_seconds=2.0)
        self.drop(consumer, path)
        assert freed == before - self.resident(consumer)

    @rule(consumer=st.sampled_from(CONSUMERS))
    def reset(self, consumer: str) -> None:
        assert self.ledgers[consumer].reset(now_seconds=3.0) == self.resident(consumer)
        self.held[consumer] = []
        self.frames[consumer] = {}

    @precondition(lambda self: any(self.held.values()))
    @rule(
        consumer=st.sampled_from(CONSUMERS),
        protect=st.lists(st.sampled_from([*PATHS, "src", "c.rs"]), max_size=2),
        incoming=st.integers(0, 300),
    )
    def follow_advice(self, consumer: str, protect: list[str], incoming: int) -> None:
        ledger = self.ledgers[consumer]

        def render(path: str, mode: str) -> Rendering:
            return Rendering(f"== {path} ({mode})\n" + f"def {mode}(): ...\n" * len(path), "h2", 600)

        plan = plan_reinjection(
            ledger.entries(), window_tokens=self.window, render=render, targets=protect, incoming_tokens=incoming
        )
        before = self.resident(consumer)
        applied = ledger.apply(plan, now_seconds=4.0)
        moved = [path for path, _ in plan.replaced_entries()]
        assert not any(is_target(path, protect) for path in moved)
        for path in moved:
            self.drop(consumer, path)
        if plan.downgrades:
            assert applied.delivery is not None
            number = applied.delivery.id
            self.held[consumer] += [(number, d.path, count_tokens(d.text)) for d in plan.downgrades]
            self.frames[consumer][number] = count_tokens(plan.text) - sum(count_tokens(d.text) for d in plan.downgrades)
            self.emitted[consumer] += count_tokens(plan.text)
        assert applied.freed_tokens == before - self.resident(consumer)
        assert all(d.freed_tokens > 0 for d in plan.downgrades)

    def resident(self, consumer: str) -> int:
        return sum(tokens for _, _, tokens in self.held[consumer]) + sum(self.frames[consumer].values())

    @invariant()
    def sums_are_exact(self) -> None:
        if not hasattr(self, "store"):
            return
        for consumer, ledger in self.ledgers.items():
            totals = ledger.totals()
            assert totals.emitted_tokens == self.emitted[consumer]
            assert totals.resident_tokens == self.resident(consumer)
            assert totals.resident_tokens == sum(entry.sent_tokens for entry in ledger.entries())
            assert totals.resident_tokens <= totals.emitted_tokens


TestWindows = Windows.TestCase
TestWindows.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
