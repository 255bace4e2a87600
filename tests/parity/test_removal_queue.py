"""Files that lose nodes in threads of their own come out as those that lose them one by one."""

import os
import warnings
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compression_rules import CODE, fixture_sources, source_of
from ctxsieve import _kernels
from ctxsieve._kernels.pure.remove_nodes import RemovalQueue as PureQueue
from ctxsieve.compress import (
    CompressionOptions,
    Mode,
    RemovalsAhead,
    begin_removal,
    render_aggressive,
    render_entropy,
)
from ctxsieve.languages import LANGUAGES, removal_rules
from strategies.backends import native

SOURCES = [(name, data) for name in CODE for data in fixture_sources(name)]
LIMITS: dict[str, Any] = {"is_aligned": True, "gap_tokens": 8, "parse_limit": 10**6, "match_limit": 65535}


@settings(max_examples=10, deadline=None)
@given(
    chosen=st.lists(st.sampled_from(SOURCES), max_size=30),
    threads=st.integers(1, 3),
    mode=st.sampled_from([Mode.AGGRESSIVE, Mode.ENTROPY]),
    is_aligned=st.booleans(),
)
def test_files_in_a_queue_come_out_as_one_by_one(
    chosen: list[tuple[str, bytes]], threads: int, mode: Mode, is_aligned: bool
) -> None:
    options = CompressionOptions()
    sources = [replace(source_of(name, data), is_aligned=is_aligned) for name, data in chosen]
    render = render_aggressive if mode is Mode.AGGRESSIVE else lambda source: render_entropy(source, 0.4)
    with RemovalsAhead(threads) as ahead:
        for source in sources:
            begin_removal(source, mode, ahead, share=0.4, options=options)
        assert all(source.findings.ahead is not None for source in sources)
        found = [render(source) for source in reversed(sources)][::-1]
        assert all(source.findings.ahead is None for source in sources)
    alone = [render(replace(source_of(name, data), is_aligned=is_aligned)) for name, data in chosen]
    assert found == alone


def test_what_is_asked_for_otherwise_is_not_taken_from_the_queue() -> None:
    name, data = "python", fixture_sources("python")[0]
    source = source_of(name, data)
    with RemovalsAhead(1) as ahead:
        begin_removal(source, Mode.ENTROPY, ahead, share=0.9, options=CompressionOptions())
        assert render_aggressive(source) == render_aggressive(source_of(name, data))


def test_a_file_is_taken_once_and_only_from_an_open_queue() -> None:
    rules = removal_rules(LANGUAGES["python"])
    with _kernels.RemovalQueue(1) as queue:
        number = queue.add("x = 1\n", "python", rules, (0.5, 0.8, 0.02), **LIMITS)
        assert number == 0
        assert queue.take(number).source_tokens == 5
        for wrong in (number, 7):
            with pytest.raises(ValueError, match=f"file {wrong} is not in the queue"):
                queue.take(wrong)
        left = queue.add("y = 1\n", "python", rules, (0.5, 0.8, 0.02), **LIMITS)
        wrong_choice = queue.add("y = 1\n", "python", rules, (0.5, 0.8), **LIMITS)
        assert wrong_choice is not None
        with pytest.raises(ValueError, match="choice has 2 numbers: it must have 0, 1 or 3"):
            queue.take(wrong_choice)
    assert left is not None
    with pytest.raises(ValueError, match=f"file {left} is not in the queue"):
        queue.take(left)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_has_a_queue_without_threads_and_leaves_it() -> None:
    rules = removal_rules(LANGUAGES["python"])
    with _kernels.RemovalQueue(2) as queue:
        number = queue.add("x = 1\n", "python", rules, (0.5, 0.8, 0.02), **LIMITS)
        assert number is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            try:
                queue.take(number)
            except ValueError:
                queue.__exit__(None, None, None)
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert queue.take(number).source_tokens == 5


def test_what_only_the_twin_can_do_is_not_added() -> None:
    assert native.RemovalQueue is not None
    rules = removal_rules(LANGUAGES["python"])
    with _kernels.RemovalQueue(1) as queue:
        assert queue.add("x = '\ud800'\n", "python", rules, (0.5,), **LIMITS) is None
    with PureQueue(1) as pure:
        assert pure.add("x = 1\n", "python", rules, (0.5,), **LIMITS) is None
        with pytest.raises(ValueError, match="file 0 is not in the queue"):
            pure.take(0)
