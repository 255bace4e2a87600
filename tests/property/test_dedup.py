"""What repeats in an answer is left out only where it stands there before, and only as a whole."""

from hypothesis import example, given
from hypothesis import strategies as st

from ctxsieve.dedup import DedupOptions, LoadedFile, Repeat, find_redundant_lines, plan_suppression
from ctxsieve.fragments import LineRange

WORDS = ["import alpha.beta", "return None", "}", "", "value = compute(alpha)", "raise Problem(value)", "x"]


def loaded(path: str, lines: list[str], *, is_verbatim: bool = False, shares: list[float] | None = None) -> LoadedFile:
    """A file that is shown whole; each line is a node, and so is each pair of lines; a mark costs 10 tokens."""
    count = len(lines)
    nodes = [LineRange(i, i) for i in range(1, count + 1)] + [LineRange(i, i + 1) for i in range(1, count)]
    return LoadedFile(
        path=path,
        lines=lines,
        shown=(LineRange(1, count),) if count else (),
        term_shares=shares or [0.0] * count,
        is_verbatim=is_verbatim,
        cost=lambda span: 9 * (span.last - span.first + 1),
        mark_cost=lambda repeat: 10,
        nodes=lambda: nodes,
    )


files = st.lists(st.tuples(st.lists(st.sampled_from(WORDS), max_size=12), st.booleans()), min_size=1, max_size=4).map(
    lambda parts: [loaded(f"f{i}.py", lines, is_verbatim=flag) for i, (lines, flag) in enumerate(parts)]
)


def normal(text: str) -> str:
    return " ".join(text.split())


# Lines that went themselves are not what others are the same as.
@example([loaded("f0.py", 2 * [*(5 * ["return None"]), "import alpha.beta"])])
@given(files)
def test_what_is_left_out_stands_earlier_in_the_answer(loads: list[LoadedFile]) -> None:
    plans = plan_suppression(loads, DedupOptions())
    standing: dict[str, dict[int, str]] = {}
    for load, repeats in zip(loads, plans, strict=True):
        gone = {line for repeat in repeats for line in range(repeat.hidden.first, repeat.hidden.last + 1)}
        for repeat in repeats:
            path = repeat.path or load.path
            here = {n: load.lines[n - 1] for n in range(1, repeat.hidden.first) if n not in gone}
            there = {**standing.get(path, {}), **(here if path == load.path else {})}
            texts = [normal(there[n]) for n in range(repeat.lines.first, repeat.lines.last + 1) if n in there]
            for line in range(repeat.hidden.first, repeat.hidden.last + 1):
                if len(normal(load.lines[line - 1])) >= 4:
                    assert normal(load.lines[line - 1]) in texts
            if repeat.is_same:
                assert [normal(load.lines[n - 1]) for n in range(repeat.hidden.first, repeat.hidden.last + 1)] == texts
        standing[load.path] = {n: text for n, text in enumerate(load.lines, start=1) if n not in gone}


@given(files)
def test_verbatim_files_lose_nothing_and_marks_are_worth_it(loads: list[LoadedFile]) -> None:
    for load, repeats in zip(loads, plan_suppression(loads, DedupOptions()), strict=True):
        if load.is_verbatim:
            assert repeats == ()
        for repeat in repeats:
            assert load.mark_cost(repeat) + DedupOptions().least_gain_tokens <= load.cost(repeat.hidden)


@given(files)
def test_the_plan_is_the_same_every_time_and_empty_when_switched_off(loads: list[LoadedFile]) -> None:
    assert plan_suppression(loads, DedupOptions()) == plan_suppression(loads, DedupOptions())
    assert plan_suppression(loads, DedupOptions(enabled=False)) == [()] * len(loads)


@given(st.lists(st.text(max_size=3)))
def test_short_lines_are_never_redundant(lines: list[str]) -> None:
    assert not find_redundant_lines(lines, [0.0] * len(lines), DedupOptions()).is_redundant.any()


BLOCK = ["import alpha.beta", "import alpha.gamma", "import alpha.delta"]


def test_a_repeated_block_is_one_mark_that_names_its_place() -> None:
    plans = plan_suppression([loaded("a.py", ["first = 1", *BLOCK]), loaded("b.py", BLOCK)], DedupOptions())
    assert plans == [(), (Repeat(LineRange(1, 3), "a.py", LineRange(2, 4), True),)]
    assert plans[1][0].note == " same as a.py:2-4"


def test_lines_about_the_task_stay() -> None:
    again = loaded("b.py", BLOCK, shares=[0.5, 0.5, 0.5])
    assert plan_suppression([loaded("a.py", BLOCK), again], DedupOptions())[1] == ()


def test_near_repeats_say_so() -> None:
    text = "a long line of words that differs from the other in one letter only, at its end: {}"
    plans = plan_suppression(
        [loaded("a.py", [text.format("x"), text.format("y")]), loaded("b.py", [text.format("z"), text.format("y")])],
        DedupOptions(),
    )
    assert plans[1]
    assert not plans[1][0].is_same
    assert plans[1][0].note.startswith(" like a.py:")


def test_part_of_a_node_never_goes() -> None:
    whole = loaded("b.py", [*BLOCK, "something else entirely"])
    one_node = LoadedFile(
        **{
            **{name: getattr(whole, name) for name in whole.__slots__},
            "nodes": lambda: [LineRange(1, 4)],
        }
    )
    assert plan_suppression([loaded("a.py", BLOCK), one_node], DedupOptions())[1] == ()
