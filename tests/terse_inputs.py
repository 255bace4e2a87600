"""Inputs for the terse engine's tests: real outputs, and texts generated to look like output."""

from pathlib import Path

from hypothesis import strategies as st

FIXTURES = sorted((Path(__file__).parent / "fixtures" / "terse").glob("*.txt"))


def read_fixture(path):
    """The command of a recorded output (its first line, behind `$ `) and the output as it was printed."""
    command, _, output = path.read_bytes().decode("utf-8").partition("\n")
    return command.removeprefix("$ "), output


_PROSE = ["the", "of", "error", "warning", "done", "building", "module", "test", "passed", "failed", "ok", "cache", "0"]
_NAMES = ["src/main.rs:10:5", "a/b/c.py", "my_value", "camelCase", "v1.2.3", "https://example.org/x", "deadbeef1234"]
_SIGNS = ["12ms", "3.4GB", "100%", "{", "}", ";", "==", "--", "[#####.....]", "42", "errors", "cannot", "found"]
_SCRIPTS = ["réseau", "キャッシュ", "缓存", "файл", "Compiling", "serde", "PASSED", "Downloading", "Get:1", "[lines"]
_WORDS = st.sampled_from([*_PROSE, *_NAMES, *_SIGNS, *_SCRIPTS])
_PLAIN_LINES = st.lists(_WORDS, max_size=9).map(" ".join)
_ODD_LINES = st.sampled_from(
    [
        "",
        "   ",
        "----------",
        "10%\r50%\r100% done",
        "\x1b[31merror: red\x1b[0m",
        "\x1b[2K\x1b[1Gprogress 10%",
        "CRLF line\r",
        "}",
        "[line 4 omitted: nothing new]",
        "test a::b ... ok",
        "test a::c ... FAILED",
        "   Compiling serde v1.0.2",
        "diff --git a/x b/x",
        "@@ -1,3 +1,4 @@",
        "+added = 1",
        "-removed = 2",
        " context = 3",
        "Traceback (most recent call last):",
        '  File "app/main.py", line 3, in run',
        "ValueError: bad",
        "please wait...",
        "tests/test_a.py ....... [ 50%]",
    ]
)
_RANDOM_LINES = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=30)
_LINES = st.one_of(_PLAIN_LINES, _PLAIN_LINES, _ODD_LINES, _RANDOM_LINES)


@st.composite
def outputs(draw):
    """A text of up to 60 lines, some of them repeated, with or without a final newline."""
    lines = draw(st.lists(st.tuples(_LINES, st.integers(1, 6)), max_size=20))
    text = "\n".join(line for line, times in lines for _ in range(times))
    return text + draw(st.sampled_from(["", "\n"]))


COMMANDS = st.sampled_from([None, "git diff", "cargo build", "pytest", "make -j8", "cat x", "grep -rn x .", "ps aux"])
