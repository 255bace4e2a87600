"""Bounds of the reasoning primitives: 1,000 tools against 20 patterns, two errors of 1 MB, a megabyte of references."""

import random
import time

import pytest

from ctxsieve.reasoning import Attempt, Outcome, ProgressTracker, StepIterationConfig, ToolProfile, scan_references

# Processor time: other work on the machine delays a run, it does not make it cost more.
pytestmark = pytest.mark.benchmark(timer=time.thread_time)

TOOLS = [
    {
        "name": f"server{n % 7}__tool_{n}_{('read', 'write', 'delete', 'list', 'fetch')[n % 5]}",
        "description": "Does it. " * 20,
    }
    for n in range(1000)
]
EXCLUDED = (
    "*_delete", "*_9?_*", "admin_*", "*secret*", "{drop,truncate}_*", "server[89]__*", "*__tool_??_write", "tmp-*",
    "*.internal", "?",
)  # fmt: skip
PROFILE = ToolProfile(include=tuple(f"server{n}__*" for n in range(10)), exclude=EXCLUDED)
WORST = ToolProfile(
    include=tuple(f"server{n}__*" for n in range(10)), exclude=tuple(f"*_{n}?_*{{delete,write}}" for n in range(10))
)


def test_1000_tools_20_patterns(benchmark):
    kept = benchmark(PROFILE.filter, TOOLS)
    assert len(kept) == 776
    if benchmark.stats is not None:
        assert benchmark.stats.stats.median < 5e-3


def test_1000_tools_20_patterns_of_stars_and_braces(benchmark):
    assert len(benchmark(WORST.filter, TOOLS)) == 964


def test_1000_tools_ranked_by_task(benchmark):
    profile = ToolProfile(max_tools=20)
    assert len(benchmark(profile.filter, TOOLS, task="delete the files that server 3 lists")) == 20


def test_two_errors_of_one_megabyte(benchmark):
    source = random.Random(1)
    first, second = ("".join(source.choices("abcdef 0123456789:./-\n", k=1_000_000)) for _ in range(2))
    config = StepIterationConfig(max_reattempts_per_step=9)

    def compare():
        tracker = ProgressTracker(config)
        tracker.record_and_check("step", Attempt(outcome=Outcome.FAILED, text=first))
        return tracker.record_and_check("step", Attempt(outcome=Outcome.FAILED, text=second))

    assert benchmark(compare).similarity < 0.5
    if benchmark.stats is not None:
        assert benchmark.stats.stats.median < 20e-3


def test_megabyte_of_references(benchmark):
    text = "fix src/main.py:12 for PR #55, see https://example.org/a_(b) and owner/repo#4 today. " * 12_000
    assert len(benchmark.pedantic(scan_references, args=(text,), rounds=3)) == 4
