"""Counts of joined texts are those of the whole, whatever stands at the seams."""

from hypothesis import example, given
from hypothesis import strategies as st

from ctxsieve.tokens import count_between, count_tokens

PIECES = st.sampled_from(
    [
        *(
            "\n",
            "\n\n",
            "\r\n",
            " ",
            "   ",
            "\t",
            "/",
            "//",
            "/*",
            "#",
            "x",
            "Abc",
            "12",
            "1234567",
            "'s",
            "'",
            ")",
            "`",
        ),
        *("==", "é", "中文", "\u00a0", "\u2028", "\u0085", "\x1c", "a\u0301", "\U0001f980", "]]>", "<", "import os\n"),
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)
OUTER = st.one_of(st.just(""), TEXTS, TEXTS.map(lambda text: text + "\n"))


@given(OUTER, TEXTS, OUTER)
@example("=== a.py (full)\n", "/* x */\n\nint a;\n", "```\n")
@example("## a (full)\n\n```c\n", "  \n  x\n", "")
def test_a_text_between_others_costs_what_the_whole_costs(before: str, text: str, after: str) -> None:
    assert count_between(before, text, after, text_tokens=count_tokens(text)) == count_tokens(before + text + after)


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_any_text_between_others_costs_what_the_whole_costs(before: str, text: str, after: str) -> None:
    expected = count_tokens(f"{before}\n{text}\n{after}")
    assert count_between(before + "\n", text + "\n", after, text_tokens=count_tokens(text + "\n")) == expected
