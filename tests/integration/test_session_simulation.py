"""Two hundred reads of a real project by three agents: the ledger's sums are what was really sent and held.

The project is this repository. The agents follow the ledger's advice before every read.
"""

import os
import random
import shutil
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import pytest

from ctxsieve.api import Project, Session
from ctxsieve.ledger import ReinjectionPlan
from ctxsieve.pipeline import read_files
from ctxsieve.tokens import count_tokens as count

count_tokens = lru_cache(maxsize=10_000)(count)

WINDOW_TOKENS = 128_000
READS = 200
SOURCES = Path(__file__).parents[2]


@dataclass
class Agent:
    """An agent and, apart from the ledger, what it was really given: block texts by delivery."""

    session: Session
    targets: list[str]
    held: list[tuple[int, str, str]] = field(default_factory=list)
    frames: dict[int, int] = field(default_factory=dict)
    emitted_tokens: int = 0
    read_paths: set[str] = field(default_factory=set)
    stubs: int = 0
    plans: int = 0

    def take(self, delivery: int, blocks: list[tuple[str, str]], text: str) -> None:
        self.emitted_tokens += count_tokens(text)
        self.held += [(delivery, path, block) for path, block in blocks]
        self.frames[delivery] = count_tokens(text) - sum(count_tokens(block) for _, block in blocks)

    def drop(self, paths: list[str]) -> None:
        self.held = [item for item in self.held if item[1] not in paths]
        alive = {delivery for delivery, _, _ in self.held}
        self.frames = {delivery: tokens for delivery, tokens in self.frames.items() if delivery in alive}

    def resident_tokens(self) -> int:
        return sum(count_tokens(block) for _, _, block in self.held) + sum(self.frames.values())

    def seen(self, path: str) -> bool:
        return path in self.read_paths

    def has_in_full(self, path: str) -> bool:
        return any(other == path and block.startswith(f"=== {path} (full") for _, other, block in self.held)

    def holds(self, path: str, content: str) -> bool:
        return any(content in block for _, other, block in self.held if other == path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for folder in ("python", "rust", "tests"):
        shutil.copytree(
            SOURCES / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "*.so", "data", "fixtures")
        )
    return root


def test_two_hundred_reads_by_three_agents(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(20)
    project = Project.open(root, environment={"CTXSIEVE_STATE_DIR": str(tmp_path / "state")})
    # Small files would not fill the windows.
    paths = sorted(str(path.relative_to(root)) for path in root.rglob("*.??") if path.stat().st_size > 5_000)
    agents = []
    for name in ("coder", "reviewer", "explorer"):
        session = project.session(consumer=name)
        session.ledger.set_window(WINDOW_TOKENS)
        agents.append(Agent(session, chance.sample(paths, 2)))
    without_tokens = 0
    highest = 0.0
    for number in range(READS):
        # The coder reads most; every agent starts with its targets, and they come back to them.
        agent = agents[number % 3] if number < 6 else chance.choices(agents, [6, 3, 1])[0]
        path = agent.targets[number // 3 % 2] if number < 6 or number % 20 == 0 else chance.choice(paths)
        mode = "full" if path in agent.targets else chance.choice(["full"] * 5 + ["map", "signatures", "diff"])
        if number % 10 == 9:
            edit_unnoticed(root / path)
        whole = read_files(root, [path], "full")[0]
        without_tokens += whole.tokens
        make_room(agent, incoming_tokens=whole.tokens + 40)
        read(agent, path, mode, whole.content)
        for other in agents:
            totals = other.session.ledger.totals()
            highest = max(highest, totals.utilisation)
            assert totals.emitted_tokens == other.emitted_tokens
            assert totals.resident_tokens == other.resident_tokens()
            assert all(other.has_in_full(target) for target in other.targets if other.seen(target))
    assert 0.5 < highest <= 1.0
    assert sum(agent.plans for agent in agents) > 0
    assert sum(agent.stubs for agent in agents) > 0
    with_tokens = sum(agent.emitted_tokens for agent in agents)
    for agent in agents:
        agent.session.close()
    with capsys.disabled():
        print(
            f"\n{READS} reads by 3 agents: {without_tokens} tokens without ctxsieve, {with_tokens} with it "
            f"({1 - with_tokens / without_tokens:.0%} fewer), {sum(agent.stubs for agent in agents)} stubs, "
            f"{sum(agent.plans for agent in agents)} re-injections, windows filled up to {highest:.0%}"
        )
    assert with_tokens < without_tokens


def read(agent: Agent, path: str, mode: str, current: str) -> None:
    answer = agent.session.read([path], mode=mode)
    (reading,) = answer.readings
    assert answer.delivery is not None
    if reading.mode == "stub":
        # A stub stands for text of now that the agent really holds.
        agent.stubs += 1
        shown = current if mode == "diff" else read_files(agent.session.root, [path], mode)[0].content
        assert mode == "diff" or agent.holds(path, shown)
    elif mode == "full":
        assert reading.content == current
    agent.read_paths.add(path)
    agent.take(answer.delivery.id, [(path, answer.text)], answer.text)


def make_room(agent: Agent, *, incoming_tokens: int) -> None:
    plan = agent.session.advise(targets=agent.targets, incoming_tokens=incoming_tokens).plan
    if not plan.replaced_entries():
        return
    agent.plans += 1
    assert not any(path in agent.targets for path, _ in plan.replaced_entries())
    applied = agent.session.apply(plan)
    agent.drop([path for path, _ in plan.replaced_entries()])
    if applied.delivery is not None:
        agent.take(applied.delivery.id, blocks_of(plan), applied.text)


def blocks_of(plan: ReinjectionPlan) -> list[tuple[str, str]]:
    return [(downgrade.path, downgrade.text) for downgrade in plan.downgrades]


def edit_unnoticed(path: Path) -> None:
    """Change one letter: neither size nor time tell."""
    stamp = path.stat()
    content = path.read_bytes()
    position = next(i for i, byte in enumerate(content) if chr(byte).isalpha())
    path.write_bytes(content[:position] + (b"x" if content[position] != ord("x") else b"y") + content[position + 1 :])
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
