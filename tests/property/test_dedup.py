"""What repeats in an answer is left out only where it stands there before, and only as a whole."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from ctxsieve._kernels import flat_lines
from ctxsieve.dedup import (
    DedupOptions,
    LoadedFile,
    Repeat,
    find_redundant_lines,
    plan_suppression,
)
from ctxsieve.dedup.costs import mark_tokens
from ctxsieve.dedup.names import KeptNames
from ctxsieve.fragments import LineRange

WORDS = ["import alpha.beta", "return None", "}", "", "value = compute(alpha)", "raise Problem(value)", "x"]
LINE_TOKENS = 9.0


def loaded(path: str, lines: list[str], *, is_verbatim: bool = False, shares: list[float] | None = None) -> LoadedFile:
    """A file that is shown whole; each line costs 9 tokens and is a node, and so is each pair of lines."""
    count = len(lines)
    nodes = [LineRange(i, i) for i in range(1, count + 1)] + [LineRange(i, i + 1) for i in range(1, count)]
    return LoadedFile(
        path=path,
        text="".join(f"{line}\n" for line in lines),
        shown=(LineRange(1, count),) if count else (),
        term_shares=shares or (),
        is_verbatim=is_verbatim,
        costs=lambda: [LINE_TOKENS] * count,
        nodes=lambda: flat_lines(nodes),
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
            saved = LINE_TOKENS * (repeat.hidden.last - repeat.hidden.first + 1)
            mark = mark_tokens(repeat, load.language, is_indented=False, joins=False)
            assert mark + DedupOptions().least_gain_tokens <= saved


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
    assert plans == [(), (Repeat(LineRange(1, 3), "a.py", LineRange(2, 4), True, "a.py"),)]
    assert plans[1][0].note == " = a.py:2"


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
    one_node = replace(whole, nodes=lambda: flat_lines([LineRange(1, 4)]))
    assert plan_suppression([loaded("a.py", BLOCK), one_node], DedupOptions())[1] == ()


@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_the_same_lines_are_found_in_a_long_answer(lines: list[str]) -> None:
    whole = find_redundant_lines(lines, [0.0] * len(lines), DedupOptions())
    long = find_redundant_lines(lines, [0.0] * len(lines), DedupOptions(lines_together=1))
    # None of these lines are near repeats of others.
    assert long.is_redundant.tolist() == whole.is_redundant.tolist()
    assert [lines[near] for near in long.nearest[long.is_redundant]] == [
        line for line, is_redundant in zip(lines, long.is_redundant.tolist(), strict=True) if is_redundant
    ]


@given(st.lists(st.text("ab ", max_size=30) | st.text(max_size=30), max_size=30), st.data())
def test_in_a_long_answer_a_line_goes_exactly_where_a_kept_line_before_it_is_as_similar(
    lines: list[str], data: st.DataObject
) -> None:
    shares = data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=len(lines), max_size=len(lines)))
    found = find_redundant_lines(lines, shares, DedupOptions(lines_together=1))
    kept: list[int] = []
    for i, text in enumerate(lines):
        own = bigrams(text)
        similarity = max((len(own & bigrams(lines[k])) / len(own | bigrams(lines[k])) for k in kept), default=0.0)
        is_compared = len(lines) > 1 and len(normal(text)) >= 4
        assert found.is_redundant[i] == (is_compared and 0.7 * (0.4 + 0.6 * shares[i]) - 0.3 * similarity < 0)
        if found.is_redundant[i]:
            near = lines[found.nearest[i]]
            assert found.nearest[i] in kept
            assert len(own & bigrams(near)) / len(own | bigrams(near)) == similarity
        elif is_compared:
            kept.append(i)


def bigrams(text: str) -> set[tuple[str, str]]:
    return set(pairwise(normal(text).encode("utf-8", "replace").decode()))


@given(st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map("/".join), min_size=1, unique=True))
def test_the_names_in_marks_are_endings_that_no_other_file_has(paths: list[str]) -> None:
    first, *others = paths
    again = loaded("last/of/all", BLOCK)
    plans = plan_suppression([loaded(first, BLOCK), *(loaded(p, []) for p in others), again], DedupOptions())
    name = plans[-1][0].name
    assert f"/{first}".endswith(f"/{name}")
    assert name == first or not any(f"/{other}".endswith(f"/{name}") for other in others)


def with_gaps(path: str, lines: list[str], shown: list[bool], comments: set[int]) -> LoadedFile:
    """A file of which only some lines stand in the answer; all of it and each line are nodes."""
    whole = loaded(path, lines)
    spans = tuple(LineRange(n, n) for n, is_shown in enumerate(shown, start=1) if is_shown)
    nodes = [LineRange(1, len(lines)), *(LineRange(n, n) for n in range(1, len(lines) + 1))]
    return replace(
        whole,
        shown=spans,
        crosses_gaps=True,
        comments=lambda: flat_lines(LineRange(n, n) for n in sorted(comments)),
        nodes=lambda: flat_lines(nodes),
    )


@given(st.data())
def test_what_was_not_shown_goes_with_a_node_only_where_the_place_has_it_too(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 8))
    lines = st.lists(st.sampled_from(WORDS), min_size=size, max_size=size)
    flags = st.lists(st.booleans(), min_size=size, max_size=size)
    comments = {n for n, is_comment in enumerate(data.draw(flags), start=1) if is_comment}
    first, second = (
        with_gaps(path, data.draw(lines), data.draw(flags), comments) for path in ("first.py", "second.py")
    )
    plans = plan_suppression([first, second], DedupOptions(least_gain_tokens=1))
    for file, repeats in zip((first, second), plans, strict=True):
        visible = {n for span in file.shown for n in range(span.first, span.last + 1)}
        for repeat in repeats:
            place = first if repeat.path == "first.py" else file
            there = {normal(place.lines[n - 1]) for n in range(repeat.lines.first, repeat.lines.last + 1)}
            for n in range(repeat.hidden.first, repeat.hidden.last + 1):
                text = normal(file.lines[n - 1])
                if text and n not in visible and n not in comments:
                    assert text in there


@given(st.lists(st.text("abc ", max_size=6), min_size=1, max_size=12), st.data(), st.sampled_from([0.0, 0.3, 1.0]))
def test_no_more_names_go_with_repeats_than_are_allowed(
    lines: list[str], data: st.DataObject, allowance: float
) -> None:
    shown = (LineRange(1, len(lines)),)
    kept = KeptNames(lines, shown, tuple, allowance=allowance)
    names = set(" ".join(lines).split())
    gone: set[int] = set()
    for n in data.draw(st.lists(st.integers(1, len(lines)), unique=True)):
        left = {name for m, line in enumerate(lines, start=1) if m not in {*gone, n} for name in line.split()}
        assert kept.may_hide(LineRange(n, n)) == (len(names - left) <= int(allowance * len(names)))
        if kept.may_hide(LineRange(n, n)):
            kept.hide(LineRange(n, n))
            gone.add(n)


def test_a_block_goes_as_far_as_its_names_stand_elsewhere() -> None:
    again = loaded("b.py", [*BLOCK, "import alpha", "beta = gamma"])
    plans = plan_suppression([loaded("a.py", BLOCK), replace(again, lost_names=0.0)], DedupOptions())
    assert [repeat.hidden for repeat in plans[1]] == [LineRange(1, 2)]
