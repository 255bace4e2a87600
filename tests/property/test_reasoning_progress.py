import json

from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.reasoning.error_text import normalise_error
from ctxsieve.reasoning.progress import Attempt, Outcome, ProgressTracker, StepIterationConfig, StopReason, Verdict

CONFIGS = st.builds(
    StepIterationConfig, max_reattempts_per_step=st.integers(0, 6), similarity_threshold=st.floats(0, 1)
)
ATTEMPTS = st.builds(
    Attempt,
    outcome=st.sampled_from(Outcome),
    text=st.sampled_from(["", "alpha beta", "gamma delta", "20 failed", "8 failed"]) | st.text(max_size=30),
    action=st.none() | st.sampled_from(["read", "write"]),
    failing_tests=st.none() | st.integers(0, 5),
)


@given(CONFIGS, st.lists(ATTEMPTS, max_size=25))
def test_never_more_attempts_than_allowed(config: StepIterationConfig, attempts: list[Attempt]) -> None:
    tracker = ProgressTracker(config)
    failures = 0
    for attempt in attempts:
        decision = tracker.record_and_check("step", attempt)
        failures += attempt.outcome is Outcome.FAILED
        assert failures <= max(1, config.max_reattempts_per_step)
        if decision.verdict is Verdict.STOP:
            assert decision.reasons
            assert (StopReason.LIMIT in decision.reasons) == (failures >= max(1, config.max_reattempts_per_step))
            assert list(decision.reasons) == sorted(decision.reasons, reverse=True)  # stuck before limit
            break
        if attempt.outcome is Outcome.SUCCEEDED:
            failures = 0


@given(CONFIGS, st.lists(st.tuples(st.sampled_from("ab"), ATTEMPTS), max_size=15), st.integers(0, 15))
def test_saved_tracker_goes_on_as_if_never_saved(
    config: StepIterationConfig, steps: list[tuple[str, Attempt]], cut: int
) -> None:
    straight, saved = ProgressTracker(config), ProgressTracker(config)
    for n, (step, attempt) in enumerate(steps):
        if n == cut:
            saved = ProgressTracker.from_dict(json.loads(json.dumps(saved.to_dict())))
        assert straight.record_and_check(step, attempt) == saved.record_and_check(step, attempt)


@given(st.text(max_size=300) | st.text("0123456789abcdef:-. T/tmp[]pid\x1b", max_size=300))
def test_normalised_text_is_bounded_and_stripped(text: str) -> None:
    plain = normalise_error(text * 50)
    assert len(plain) <= 8192
    assert "\n" not in plain
