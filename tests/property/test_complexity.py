from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.languages import LANGUAGES
from ctxsieve.smells import measure_files

NAMES = [name for name, language in LANGUAGES.items() if language.query("complexity")]
KEYWORDS = [
    "if",
    "else",
    "elif",
    "for",
    "while",
    "switch",
    "case",
    "match",
    "def",
    "fn",
    "func",
    "function",
    "class",
    "struct",
    "do",
    "end",
    "then",
    "and",
    "or",
]
SIGNS = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    ";",
    ",",
    "=",
    "=>",
    "->",
    "&&",
    "||",
    "?",
    "x",
    "y",
    "1",
    '"',
    "'",
    "#",
    "//",
    "/*",
    "*/",
]
WORDS = st.sampled_from([*KEYWORDS, *SIGNS, "\n", "\t"])
SOURCES = st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=80)


@settings(max_examples=300, deadline=None)
@given(language=st.sampled_from(NAMES), text=SOURCES)
def test_any_text_has_figures_within_its_lines(language: str, text: str) -> None:
    source = text.encode("utf-8", "replace")
    measured = measure_files([source], LANGUAGES[language], threads=1)[0]
    lines = source.count(b"\n") + 1
    assert len(measured.line_digests) == len(measured.line_numbers) == measured.code_lines <= lines
    for one in measured.functions:
        assert one.cyclomatic >= 1
        assert min(one.cognitive, one.nesting, one.parameters) >= 0
        assert 1 <= one.first_line <= one.last_line <= lines
        assert one.code_lines <= one.last_line - one.first_line + 1


@settings(max_examples=100, deadline=None)
@given(text=st.lists(WORDS, max_size=40).map(" ".join))
def test_blank_lines_change_no_figure_but_lines(text: str) -> None:
    source = f"def f(a):\n    x = {text!r}\n    if a and x:\n        return 1\n"
    spaced = source.replace("\n", "\n\n")
    one, other = (measure_files([each.encode()], LANGUAGES["python"], threads=1)[0] for each in (source, spaced))
    assert one.line_digests.tolist() == other.line_digests.tolist()
    (first,), (second,) = one.functions, other.functions
    assert (first.cyclomatic, first.cognitive, first.code_lines) == (
        second.cyclomatic,
        second.cognitive,
        second.code_lines,
    )
