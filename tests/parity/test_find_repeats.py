"""The native search for repeats plans the same as its twin in Python."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ctxsieve._kernels import flat_lines
from ctxsieve._kernels.pure.find_repeats import find_repeats as leave_it_to_the_twin
from ctxsieve.dedup import DedupOptions, LoadedFile, Repeat, ShownText, plan_suppression
from ctxsieve.dedup import plan as planning
from ctxsieve.fragments import LineRange
from ctxsieve.languages import LANGUAGES
from ctxsieve.pipeline import read_files, read_together
from ctxsieve.tokens import count_tokens
from fuzz.compression_corpus import files_of_code, sample
from strategies.backends import native

LINES = [
    "import alpha.beta.gamma",
    "    import  alpha.beta.gamma\r",
    "return compute(alpha, beta, delta)",
    "return compute(alpha, beta, delto)",
    "raise Problem(value) from größe٣x",
    "\u00a0raise Problem(value)\u3000from größe٣x",
    "}",
    "",
    " \x1c ",
    "x = 1",
    "value = other.value + 12b",
    "# a comment about alpha",
]
LANGUAGE_NAMES = [None, "python", "c", "html", "json"]


@st.composite
def loaded_files(draw: st.DrawFn) -> LoadedFile:
    """A file of an answer, of which some lines are shown, in any order where no text says what they cost."""
    lines = draw(st.lists(st.sampled_from(LINES), max_size=24))
    text = "".join(f"{line}\n" for line in lines)
    if lines and draw(st.booleans()):
        text = text.removesuffix("\n")
    count = len(text.split("\n")) - (text.endswith("\n") or not text)
    flags = draw(st.lists(st.booleans() | st.just(True), min_size=count, max_size=count))
    shown = [LineRange(n, n) for n, is_shown in enumerate(flags, start=1) if is_shown]
    bounds = st.integers(1, max(1, count))
    spans = draw(st.lists(st.tuples(bounds, bounds), max_size=16)) if count else []
    nodes = [LineRange(min(span), max(span)) for span in spans]
    nodes += [LineRange(n, n) for n in range(1, count + 1) if draw(st.booleans())]
    comments = [LineRange(n, n) for n in range(1, count + 1) if not flags[n - 1] and draw(st.booleans())]
    language = draw(st.sampled_from(LANGUAGE_NAMES))
    is_text = draw(st.booleans())
    if not is_text:
        shown = draw(st.permutations(shown))
    return LoadedFile(
        path=draw(st.sampled_from(["a.py", "b/a.py", "c/b/a.py", "d.py", "e */ f.c"])),
        text=text,
        shown=tuple(shown),
        term_shares=draw(st.just(()) | st.lists(st.sampled_from([0.0, 0.3, 1.0]), min_size=count, max_size=count)),
        is_verbatim=draw(st.integers(0, 4)) == 0,
        costs=shown_text(lines_of(text), shown) if is_text else lambda: [7.25] * count,
        language=None if language is None else LANGUAGES[language],
        nodes=lambda: flat_lines(nodes),
        crosses_gaps=draw(st.booleans()),
        comments=lambda: flat_lines(comments),
        is_exact=draw(st.integers(0, 3)) == 0,
        lost_names=draw(st.sampled_from([None, 0.0, 0.1, 0.5])),
    )


def lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def shown_text(lines: Sequence[str], shown: Sequence[LineRange]) -> ShownText:
    """Return the shown lines with a mark for everything between them."""
    visible = {span.first for span in shown}
    rows: list[str] = []
    gaps: list[LineRange] = []
    for number, line in enumerate(lines, start=1):
        if number in visible:
            rows.append(line)
        elif gaps and gaps[-1].last == number - 1:
            gaps[-1] = LineRange(gaps[-1].first, number)
        else:
            gaps.append(LineRange(number, number))
            rows.append(f"# ... {number}")
    content = "".join(f"{row}\n" for row in rows)
    return ShownText(content, count_tokens(content), tuple(gaps))


def both(
    files: Sequence[LoadedFile], options: DedupOptions, threads: int
) -> tuple[list[tuple[Repeat, ...]], list[tuple[Repeat, ...]]]:
    ours = plan_suppression(files, options, threads=threads)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "find_repeats", leave_it_to_the_twin)
        twins = plan_suppression(files, options, threads=threads)
    return ours, twins


def block(path: str, shown: Sequence[tuple[int, int]], **fields: Any) -> LoadedFile:
    lines = [f"value_{n} = compute(alpha_{n})" for n in range(40)]
    file = LoadedFile(
        path=path,
        text="".join(f"{line}\n" for line in lines),
        shown=tuple(LineRange(*span) for span in shown),
        costs=lambda: [9.0] * len(lines),
        nodes=lambda: flat_lines(LineRange(n, n) for n in range(1, len(lines) + 1)),
    )
    return replace(file, **fields)


# Sections in another order than that of their lines, and a repeat that grows beyond what is found by doubling.
@example([block("a.py", [(20, 40), (1, 19)]), block("b.py", [(1, 40)], lost_names=0.5)], DedupOptions(), 2)
@given(
    st.lists(loaded_files(), min_size=1, max_size=6),
    st.builds(
        DedupOptions,
        least_gain_tokens=st.sampled_from([1, 2, 5]),
        lines_together=st.sampled_from([1, 20_000]),
        relevance_weight=st.sampled_from([0.3, 0.6, 0.7]),
    ),
    st.integers(1, 3),
)
def test_generated_answers_have_the_same_plan(files: list[LoadedFile], options: DedupOptions, threads: int) -> None:
    ours, twins = both(files, options, threads)
    assert ours == twins


def test_something_goes_from_what_is_compared() -> None:
    files = [block("a.py", [(20, 40), (1, 19)]), block("b.py", [(1, 40)])]
    ours, twins = both(files, DedupOptions(), 1)
    assert ours == twins
    # The third and fourth line are much like lines before them, and do not stand in the answer themselves.
    assert [(repeat.hidden.numbers, repeat.note) for repeat in ours[1]] == [("1-2", " = a.py:1"), ("5-40", " = a.py:5")]


@pytest.mark.parametrize("mode", ["aggressive", "entropy:0.8"])
@pytest.mark.parametrize("lines_together", [100, 20_000])
def test_real_answers_have_the_same_plan(mode: str, lines_together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Path(__file__).parents[2]
    paths = [path.relative_to(project).as_posix() for path in sample(files_of_code([project / "python"]), 40)]
    paths += [path.relative_to(project).as_posix() for path in sample(files_of_code([project / "rust"]), 20)]
    answers: list[Sequence[LoadedFile]] = []

    def note(files: Sequence[LoadedFile], options: DedupOptions, *, threads: int) -> list[tuple[Repeat, ...]]:
        answers.append(files)
        return plan_suppression(files, options, threads=threads)

    monkeypatch.setattr(read_together, "plan_suppression", note)
    options = DedupOptions(lines_together=lines_together, least_gain_tokens=1)
    read_files(project, paths, mode, dedup=options, threads=2)
    ours, twins = both(answers[0], options, 2)
    assert ours == twins
    assert sum(map(len, ours)) > 5


def test_a_lone_surrogate_is_left_to_the_twin() -> None:
    odd = replace(block("a.py", [(1, 40)]), path="a\udce9.py")
    ours, twins = both([odd, block("b.py", [(1, 40)])], DedupOptions(), 1)
    assert ours == twins
    assert ours[1][0].path == "a\udce9.py"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"shown": [1, 3]}, "shown has the lines 1 to 3: they must be lines of the file, which has 2"),
        ({"shown": [2, 1]}, "shown has the lines 2 to 1: they must be lines of the file, which has 2"),
        ({"term_shares": [1.0]}, "there are 1 term shares for 2 lines: they must be equal in number"),
        ({"costs": [1.0]}, "there are costs of 1 lines for 2 lines: they must be equal in number"),
        ({"costs": None}, "a file has both or neither of costs and content: it must have one of them"),
        (
            {"costs": None, "content": ("a\n", 2, np.zeros(0, dtype=np.uint32))},
            "the text of 1 lines is not that of the lines shown, and one for each gap",
        ),
    ],
)
def test_what_does_not_belong_together_is_refused(fields: dict[str, object], text: str) -> None:
    file = planning._answer_file(
        LoadedFile(
            path="a",
            text="a\nb\n",
            shown=(LineRange(1, 2),),
            costs=lambda: [1.0, 1.0],
            nodes=lambda: flat_lines(()),
        ),
        "a",
    )
    types = {"shown": np.uint32, "term_shares": np.float64, "costs": np.float64}
    arrays = {
        name: np.array(value, dtype=types[name]) if name in types and value is not None else value
        for name, value in fields.items()
    }
    with pytest.raises(ValueError, match=f"^{text}$"):
        native.RepeatSearch(
            [file._replace(**arrays)],
            relevance_weight=0.7,
            least_relevance=0.4,
            least_gain_tokens=2,
            lines_together=1,
            threads=1,
        )
