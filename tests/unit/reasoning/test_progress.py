import json
from typing import Any

import pytest

from ctxsieve.errors import InputError
from ctxsieve.reasoning.error_text import count_failing_tests, normalise_error
from ctxsieve.reasoning.progress import (
    Attempt,
    LimitAction,
    Outcome,
    ProgressDecision,
    ProgressTracker,
    StepIterationConfig,
    StopReason,
    Verdict,
)

PATIENT = StepIterationConfig(max_reattempts_per_step=50)
DISTINCT = ["cannot open the file", "7 != 12 in test_sum", "segmentation fault (core dumped)", "unknown host: database"]


def fail(text: str = "", **more: Any) -> Attempt:
    return Attempt(outcome=Outcome.FAILED, text=text, **more)


def ran(text: str = "", **more: Any) -> Attempt:
    return Attempt(outcome=Outcome.UNFINISHED, text=text, **more)


def last(tracker: ProgressTracker, *attempts: Attempt, step: str = "step") -> ProgressDecision:
    decisions = [tracker.record_and_check(step, attempt) for attempt in attempts]
    assert all(decision.verdict is Verdict.CONTINUE for decision in decisions[:-1])
    return decisions[-1]


def test_two_stops_at_the_second_failed_attempt() -> None:
    decision = last(ProgressTracker(), fail(DISTINCT[0]), fail(DISTINCT[1]))
    assert (decision.verdict, decision.reasons, decision.attempts) == (Verdict.STOP, (StopReason.LIMIT,), 2)
    assert decision.limit_action is LimitAction.SKIP_STEP


@pytest.mark.parametrize("limit", [0, 1])
def test_zero_and_one_stop_at_the_first_failed_attempt(limit: int) -> None:
    decision = ProgressTracker(StepIterationConfig(max_reattempts_per_step=limit)).record_and_check("s", fail("x"))
    assert (decision.verdict, decision.reason, decision.attempts) == (Verdict.STOP, StopReason.LIMIT, 1)


def test_limit_of_three_allows_two_failures() -> None:
    decision = last(ProgressTracker(StepIterationConfig(max_reattempts_per_step=3)), *map(fail, DISTINCT[:3]))
    assert (decision.reason, decision.attempts) == (StopReason.LIMIT, 3)


def test_stuck_is_named_before_the_limit_when_both_hold() -> None:
    decision = last(ProgressTracker(), fail(DISTINCT[0]), fail(DISTINCT[0]))
    assert decision.reasons == (StopReason.STUCK, StopReason.LIMIT)
    assert decision.reason is StopReason.STUCK
    assert decision.detail == "stuck: a loop of period 1, 1.00 alike; limit: 2 failed attempts"


def test_stuck_alone_stops_before_the_limit() -> None:
    decision = last(ProgressTracker(PATIENT), fail(DISTINCT[0]), fail(DISTINCT[0] + "!"))
    assert (decision.reasons, decision.period) == ((StopReason.STUCK,), 1)
    assert decision.similarity == pytest.approx(20 / 21)


VOLATILE = [
    ("2026-01-02T03:04:05Z refused", "2027-11-12T13:14:15.123+02:00 refused"),
    ("[2026-01-02 03:04:05,678] refused", "[2026-01-02 03:09:41,001] refused"),
    ("Jan  2 03:04:05 host app[123]: refused", "Dec 31 23:59:59 host app[98765]: refused"),
    ("Mon, 02 Jan 2026 03:04:05 GMT: refused", "Tue, 03 Jan 2026 13:14:15 GMT: refused"),
    ("at 0x7f00aa: refused", "at 0xdeadbeef1234: refused"),
    ("pid 12 refused", "pid 99881 refused"),
    ("process: 1, thread=2 refused", "process: 100, thread=20000 refused"),
    ("in 0.12s refused", "in 118.7s refused"),
    ("took 3 ms, refused", "took 12000 ms, refused"),
    ("\x1b[31mrefused\x1b[0m", "refused"),
    ("id 6f1ad6e8-9c4b-4a07-8a40-3ab4ff3b7b3a refused", "id 00000000-1111-2222-3333-444444444444 refused"),
    ("/tmp/abc123/x.py: refused", "/tmp/zzz9/y.py: refused"),
    ("commit 1a2b3c4d5e refused", "commit 99ffee00aa refused"),
    ("localhost:43121 refused", "localhost:9 refused"),
    ("at 1767322645.123 refused", "at 1767399999.9 refused"),
    ("refused\r\n  here", "refused\n here"),
]


@pytest.mark.parametrize(("first", "second"), VOLATILE)
def test_same_error_with_other_volatile_parts_is_the_same(first: str, second: str) -> None:
    assert normalise_error(first) == normalise_error(second)
    strict = StepIterationConfig(max_reattempts_per_step=9, similarity_threshold=1.0)
    assert last(ProgressTracker(strict), fail(first), fail(second)).reason is StopReason.STUCK


@pytest.mark.parametrize(
    "text",
    [
        "line 12",
        "expected 3 got 4",
        "src/main.py:17",
        "deadbeef",
        "decade",
        "May be 3",
        "Monitor A",
        "Marker 5",
        "Friend 2",
        "list[12]: x",
        "Sunset 9",
        "Octet 7",
        "Month 12",
        "v1.2.3",
        "12345678",
    ],
)
def test_what_tells_errors_apart_stays(text: str) -> None:
    assert normalise_error(text) == text


def test_alternating_errors_are_a_loop_of_two() -> None:
    a, b = fail(DISTINCT[0]), fail(DISTINCT[1])
    decision = last(ProgressTracker(PATIENT), a, b, a, b)
    assert (decision.reasons, decision.period) == ((StopReason.STUCK,), 2)


def test_three_errors_in_turn_are_a_loop_of_three() -> None:
    a, b, c = map(fail, DISTINCT[:3])
    decision = last(ProgressTracker(PATIENT), a, b, c, a, b, c)
    assert (decision.reasons, decision.period) == ((StopReason.STUCK,), 3)


def test_loop_is_seen_after_other_attempts() -> None:
    a, b, c, d = map(fail, DISTINCT)
    assert last(ProgressTracker(PATIENT), c, d, a, b, a, b).period == 2


def test_three_repeats_are_needed_before_an_unfinished_action_is_a_loop() -> None:
    same = ran("still building", action="poll")
    assert last(ProgressTracker(PATIENT), same, same, same).period == 1


def test_other_actions_with_the_same_empty_output_are_no_loop() -> None:
    attempts = [ran(action=action) for action in ("mkdir a", "touch b", "git add c", "mkdir d", "chmod e f", "rm g")]
    assert last(ProgressTracker(PATIENT), *attempts).verdict is Verdict.CONTINUE


def test_actions_are_told_apart_to_the_last_character() -> None:
    attempts = [ran(action=f"read#1a2b3c{n}d") for n in range(5)]
    assert last(ProgressTracker(PATIENT), *attempts).verdict is Verdict.CONTINUE


def test_two_actions_in_turn_with_the_same_outputs_are_a_loop() -> None:
    read, write = ran("text", action="read a"), ran("ok", action="write a")
    assert last(ProgressTracker(PATIENT), read, write, read, write).period == 2


def test_empty_errors_are_no_evidence_of_being_stuck() -> None:
    decision = last(ProgressTracker(PATIENT), fail(""), fail(""), fail(""))
    assert (decision.verdict, decision.similarity) == (Verdict.CONTINUE, None)


def test_same_action_failing_without_a_word_is_stuck() -> None:
    assert last(ProgressTracker(PATIENT), fail(action="make"), fail(action="make")).reason is StopReason.STUCK


def test_empty_errors_still_reach_the_limit() -> None:
    assert last(ProgressTracker(), fail(""), fail("")).reasons == (StopReason.LIMIT,)


def test_success_between_two_equal_errors_clears_the_history() -> None:
    tracker = ProgressTracker()
    decision = last(tracker, fail(DISTINCT[0]), Attempt(outcome=Outcome.SUCCEEDED), fail(DISTINCT[0]))
    assert (decision.verdict, decision.attempts) == (Verdict.CONTINUE, 1)


def failures(count: int) -> Attempt:
    return fail(f"{'test_case FAILED ' * 40}\n{count} failed, 100 passed in 3.2s")


def test_twenty_to_eight_failing_tests_is_progress() -> None:
    decision = last(ProgressTracker(PATIENT), failures(20), failures(8))
    assert (decision.verdict, decision.detail) == (Verdict.CONTINUE, "fewer tests fail than ever before")


def test_explicit_count_wins_over_the_text() -> None:
    same = DISTINCT[0]
    attempts = fail(same, failing_tests=20), fail(same, failing_tests=8)
    assert last(ProgressTracker(PATIENT), *attempts).verdict is Verdict.CONTINUE


def test_no_fewer_failing_tests_is_stuck() -> None:
    assert last(ProgressTracker(PATIENT), failures(8), failures(8)).reason is StopReason.STUCK


def test_going_back_and_forth_is_no_progress() -> None:
    a, b = fail(DISTINCT[0], failing_tests=20), fail(DISTINCT[1], failing_tests=8)
    assert last(ProgressTracker(PATIENT), a, b, a, b).period == 2


def test_progress_does_not_lift_the_limit() -> None:
    assert last(ProgressTracker(), failures(20), failures(8)).reasons == (StopReason.LIMIT,)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("=== 8 failed, 12 passed, 1 error in 0.1s ===", 9), ("FAILED (failures=3, errors=2)", 5),
        ("FAILED (errors=2)", None),
        ("test result: FAILED. 12 passed; 8 failed; 0 ignored", 8), ("Tests:       2 failed, 5 passed, 7 total", 2),
        ("  3 failing", 3), ("10 examples, 4 failures", 4), ("Tests run: 5, Failures: 1, Errors: 2, Skipped: 0", 3),
        ("all fine", None), ("", None), ("5 failed\nthen\n2 failed", 2), ("# fail 6", None), ("2 passed", None),
    ],
)  # fmt: skip
def test_failing_tests_are_counted_from_summary_lines(text: str, count: int | None) -> None:
    assert count_failing_tests(text) == count


def test_two_huge_errors_are_compared_by_their_ends() -> None:
    head, tail = "\n".join(f"frame {n}" for n in range(1000)), "\n".join(f"cause {n}" for n in range(1000))
    first, second = (head + middle * 500_000 + tail for middle in "xy")
    assert len(normalise_error(first)) == 8192
    assert last(ProgressTracker(PATIENT), fail(first), fail(second)).similarity == 1.0


def test_difference_at_the_end_of_a_huge_error_counts() -> None:
    first, second = ("x" * 1_000_000 + ending * 2048 for ending in ("ab", "cd"))
    assert last(ProgressTracker(PATIENT), fail(first), fail(second)).verdict is Verdict.CONTINUE


@pytest.mark.parametrize("threshold", [float("nan"), 1.5, -0.1, float("inf"), "0.8", True, None])
def test_threshold_outside_zero_to_one_is_an_error(threshold: Any) -> None:
    with pytest.raises(InputError, match="similarity_threshold"):
        StepIterationConfig(similarity_threshold=threshold)


@pytest.mark.parametrize("limit", [-1, 1.5, True, "2", None])
def test_limit_that_is_no_count_is_an_error(limit: Any) -> None:
    with pytest.raises(InputError, match="max_reattempts_per_step"):
        StepIterationConfig(max_reattempts_per_step=limit)


@pytest.mark.parametrize(
    "values", [{"outcome": "fail"}, {"outcome": True}, {}, {"outcome": "failed", "failing_tests": -1}]
)
def test_outcome_is_never_guessed(values: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Attempt.from_dict(values)


def test_text_that_says_error_is_no_failure() -> None:
    tracker = ProgressTracker()
    decisions = [tracker.record_and_check("s", ran("0 errors, error handling tested")) for _ in range(5)]
    assert {(decision.verdict, decision.attempts) for decision in decisions} == {(Verdict.CONTINUE, 0)}


def test_stopped_step_stays_stopped_until_it_begins_again() -> None:
    tracker = ProgressTracker()
    last(tracker, fail(DISTINCT[0]), fail(DISTINCT[1]))
    decision = tracker.record_and_check("step", Attempt(outcome=Outcome.SUCCEEDED))
    assert (decision.verdict, decision.reasons, decision.attempts) == (Verdict.STOP, (StopReason.LIMIT,), 2)
    tracker.begin_step("step")
    assert tracker.record_and_check("step", fail(DISTINCT[2])).attempts == 1


def test_unknown_step_begins_itself() -> None:
    assert ProgressTracker().record_and_check("never begun", fail("x")).attempts == 1


@pytest.mark.parametrize("step", ["", None, 3])
def test_step_without_a_name_is_an_error(step: Any) -> None:
    with pytest.raises(InputError, match="step_id"):
        ProgressTracker().record_and_check(step, fail("x"))


def test_steps_do_not_share_their_history() -> None:
    tracker = ProgressTracker()
    assert last(tracker, fail("same"), step="one").attempts == 1
    assert last(tracker, fail("same"), step="two").attempts == 1


def test_step_has_limits_of_its_own() -> None:
    tracker = ProgressTracker()
    config = StepIterationConfig(max_reattempts_per_step=1, on_limit_reached=LimitAction.ABORT_TASK)
    tracker.begin_step("hard", config=config)
    assert tracker.record_and_check("hard", fail("x")).limit_action is LimitAction.ABORT_TASK
    assert tracker.record_and_check("easy", fail("x")).verdict is Verdict.CONTINUE


def test_own_limits_outlive_a_success() -> None:
    tracker = ProgressTracker()
    tracker.begin_step("hard", config=StepIterationConfig(max_reattempts_per_step=1))
    tracker.record_and_check("hard", Attempt(outcome=Outcome.SUCCEEDED))
    assert tracker.record_and_check("hard", fail("x")).verdict is Verdict.STOP


def test_backoff_doubles_up_to_half_a_minute() -> None:
    tracker = ProgressTracker(StepIterationConfig(max_reattempts_per_step=2000, similarity_threshold=1.0))
    waits = [tracker.record_and_check("s", fail("x" * n)).backoff_seconds for n in range(1, 1500)]
    assert waits[:7] == [1, 2, 4, 8, 16, 30, 30]
    assert waits[-1] == 30


def test_state_goes_through_json_and_resumes() -> None:
    one = ProgressTracker(PATIENT)
    a, b = fail(DISTINCT[0], action="x"), fail(DISTINCT[1], action="y")
    last(one, a, b, a)
    two = ProgressTracker.from_dict(json.loads(json.dumps(one.to_dict())))
    assert two.to_dict() == one.to_dict()
    assert two.record_and_check("step", b) == one.record_and_check("step", b)


@pytest.mark.parametrize("change", [{"version": 2}, {"extra": 1}, {"steps": {"a": {"failed": 1}}}, {"steps": None}])
def test_other_state_is_an_error(change: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        ProgressTracker.from_dict({**ProgressTracker().to_dict(), **change})


def test_memory_of_a_step_is_bounded() -> None:
    tracker = ProgressTracker(StepIterationConfig(max_reattempts_per_step=10_000, similarity_threshold=1.0))
    for n in range(50):
        tracker.record_and_check("s", fail(f"{n} " + "x" * 100_000 + f" {n}"))
    assert len(json.dumps(tracker.to_dict())) < 60_000
