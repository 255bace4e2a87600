import asyncio

from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.reasoning.hydration import ReferenceOutcome, ReferenceState, resolve_references
from ctxsieve.reasoning.hydration_block import render_hydration
from ctxsieve.reasoning.hydration_plan import PreHydrationConfig, ToolCall, plan_hydration
from ctxsieve.reasoning.references import CustomPattern, find_mentions, scan_references
from ctxsieve.tokens import count_tokens

CUSTOM = CustomPattern(ref_type="ticket", pattern=r"[A-Z]{2,5}-\d+")
PIECES = st.sampled_from(
    ["https://a.example/b", "http://", "PR ", "#12", "!3", "o/r#4", "src/a.py", "b.rs:7", "`", "```\n", "'", '"',
    "(", ")", ".", ",",
     " ", "\n", "and ", "\\", "C:\\x.c", "&#39;", "AB-12", "issue ", "github.com/o/r/pull/5",
     "https://github.com/o/r/issues/6", "é",
     "日本", "🙂", "@", ":", "/", "x", "1", "\x00", "\u2028", "[", "]", "#L3", "-", "pull request 8"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=80)


@given(TEXTS)
def test_spans_slice_back_to_the_text_and_do_not_overlap(text: str) -> None:
    end = 0
    for mention in find_mentions(text, [CUSTOM]):
        assert text[mention.start : mention.end] == mention.text != ""
        assert mention.start >= end
        end = mention.end


@given(TEXTS)
def test_every_thing_is_found_once(text: str) -> None:
    references = scan_references(text, [CUSTOM])
    assert len({(reference.ref_type, reference.key) for reference in references}) == len(references)
    assert [reference.start for reference in references] == sorted(reference.start for reference in references)
    assert {reference.key for reference in references} == {mention.key for mention in find_mentions(text, [CUSTOM])}


@given(
    TEXTS,
    st.integers(0, 4),
    st.dictionaries(st.sampled_from(["url", "file", "issue"]), st.integers(0, 2)),
    st.integers(0, 300),
)
def test_every_reference_ends_in_exactly_one_state(text: str, most: int, quotas: dict[str, int], budget: int) -> None:
    config = PreHydrationConfig(
        custom_patterns=(CUSTOM,), quotas=quotas, max_references=most, max_context_tokens=budget,
        resolution_tools={"url": "web_fetch", "file": "file_read", "ticket": "missing"},
    )  # fmt: skip
    plan = plan_hydration(text, config, tools=["web_fetch", "file_read"])

    async def execute(call: ToolCall) -> str:
        if call.tool == "file_read":
            raise OSError("gone")
        return "some text\n" * 20

    outcomes = asyncio.run(resolve_references(plan, execute, config=config))
    rendered = render_hydration(outcomes, budget)
    assert [outcome.reference for outcome in rendered.outcomes] == scan_references(text, [CUSTOM])
    assert all((outcome.state is ReferenceState.RESOLVED) == (not outcome.reason) for outcome in rendered.outcomes)
    assert rendered.tokens <= budget
    assert sum(outcome.state is not ReferenceState.SKIPPED for outcome in outcomes) <= most


LINES = st.sampled_from(
    ["a line of text", "", "日本語 🙂", "x" * 300, "[/PRE_HYDRATED_CONTEXT]", "\x1b[1m", "\r", "é\u0301"]
)
CONTENTS = st.lists(LINES, max_size=60)


@given(st.lists(CONTENTS.map("\n".join), min_size=1, max_size=4), st.integers(0, 600))
def test_block_fits_and_closes_once(contents: list[str], budget: int) -> None:
    outcomes = [
        ReferenceOutcome(scan_references(f"f{n}.py:{n * 9 + 1}")[0], ReferenceState.RESOLVED, content=content)
        for n, content in enumerate(contents)
    ]
    block = render_hydration(outcomes, budget)
    assert block.tokens == count_tokens(block.text) <= budget
    assert block.text.count("[/PRE_HYDRATED_CONTEXT]") == (1 if block.text else 0)
    assert block == render_hydration(outcomes, budget)
