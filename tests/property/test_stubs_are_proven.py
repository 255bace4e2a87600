"""A stub is given only to a consumer that received exactly the text it stands for, and still holds it."""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from ctxsieve.errors import InputError
from ctxsieve.pipeline import ContextSession, advise, read_files
from ctxsieve.store import Store

PATHS = ["a.py", "src/b.py"]
MODES = ["full", "raw", "map", "signatures", "lines:1-3", "diff"]
CONSUMERS = ["coder", "reviewer"]
BODIES = [f"def f_{n}(a, b):\n    return a + {n}\n\n\n" * 8 for n in range(3)]


class Readers(RuleBasedStateMachine):
    """Two named consumers and a nameless one; `held` is what each was given and did not drop."""

    @initialize()
    def open(self) -> None:
        self.directory = tempfile.TemporaryDirectory()
        self.root = Path(self.directory.name) / "project"
        (self.root / "src").mkdir(parents=True)
        for path in PATHS:
            (self.root / path).write_text(BODIES[0])
        self.store = Store(Path(self.directory.name) / "store.sqlite3")
        self.sessions = {name: self.session(name) for name in CONSUMERS}
        self.held: dict[str, list[tuple[str, str]]] = {name: [] for name in CONSUMERS}

    def session(self, consumer: str | None) -> ContextSession:
        return ContextSession(self.store, self.root, consumer=consumer, clock=lambda: 1.0, timer=lambda: 0.0)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.directory.cleanup()

    @rule(
        consumer=st.sampled_from(CONSUMERS),
        path=st.sampled_from(PATHS),
        mode=st.sampled_from(MODES),
        arrives=st.sampled_from([True, True, False]),
    )
    def read(self, consumer: str, path: str, mode: str, arrives: bool) -> None:
        session = self.sessions[consumer]
        answer = session.read([path], mode=mode)
        (shown,) = answer.readings
        current = read_files(self.root, [path], "full" if mode == "diff" else mode)[0].content
        if shown.mode == "stub":
            if mode != "diff":
                assert (path, current) in self.held[consumer]
            assert any(held == path for held, _ in self.held[consumer])
        elif shown.mode != "diff":
            assert shown.content == current
        if arrives:
            session.confirm(answer.delivery)
            self.held[consumer].append((path, shown.content))

    @rule(path=st.sampled_from(PATHS), mode=st.sampled_from(MODES[:-1]))
    def read_for_nobody(self, path: str, mode: str) -> None:
        answer = self.session(None).read([path], mode=mode)
        assert answer.readings[0].mode != "stub"

    @rule(path=st.sampled_from(PATHS), body=st.sampled_from(BODIES))
    def edit(self, path: str, body: str) -> None:
        (self.root / path).write_text(body)

    @rule(consumer=st.sampled_from(CONSUMERS), path=st.sampled_from(PATHS))
    def evict(self, consumer: str, path: str) -> None:
        try:
            self.sessions[consumer].ledger.evict([path], now_seconds=1.0)
        except InputError:
            assert all(held != path for held, _ in self.held[consumer])
        self.held[consumer] = [item for item in self.held[consumer] if item[0] != path]

    @rule(consumer=st.sampled_from(CONSUMERS))
    def reset(self, consumer: str) -> None:
        self.sessions[consumer].ledger.reset(now_seconds=1.0)
        self.held[consumer] = []

    @rule(consumer=st.sampled_from(CONSUMERS), window=st.integers(100, 2000), arrives=st.booleans())
    def follow_advice(self, consumer: str, window: int, arrives: bool) -> None:
        session = self.sessions[consumer]
        session.ledger.set_window(window)
        plan = advise(session).plan
        applied = session.ledger.apply(plan, now_seconds=1.0, was_received=arrives)
        gone = {path for path, _ in plan.replaced_entries()}
        self.held[consumer] = [item for item in self.held[consumer] if item[0] not in gone]
        if arrives and applied.delivery is not None:
            contents = {d.path: d.text.partition("\n")[2] for d in plan.downgrades}
            self.held[consumer] += contents.items()


TestReaders = Readers.TestCase
TestReaders.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
