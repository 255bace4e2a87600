"""Lines made to trap regular expressions, and odd output: bounded work, nothing lost."""

import time

import pytest

from ctxsieve.terse import CompressionLevel, compress_output, compress_prose
from ctxsieve.terse.families import FAMILIES

UNITS = [
    "a",
    " ",
    ".",
    "-",
    "a.",
    "a/",
    "1",
    "1.",
    "[",
    "#",
    "= ",
    "a b ",
    ":",
    "aA",
    "a1-",
    "x::",
    " %",
    "━",
    "\t",
    "`",
]


@pytest.mark.parametrize("unit", UNITS)
def test_no_pattern_backtracks_on_repeated_text(unit):
    """A pattern that backtracks over a line of 2,000 characters takes minutes here, not seconds."""
    line = unit * (1990 // len(unit))
    text = "".join(f"x{number} {line}!\n" for number in range(20))
    began = time.process_time()
    compress_output(text, level=CompressionLevel.MAX)
    for family in FAMILIES:
        family.routine_lines([line, "x" + line + "!"], CompressionLevel.MAX, set())
    compress_prose("the file is in the folder " + line, level=CompressionLevel.MAX)
    assert time.process_time() - began < 5.0


def test_overlong_lines_are_data_and_stay():
    text = "first words\n" + "error " * 100_000 + "\nfirst words\n"
    assert "error " * 100_000 in compress_output(text, level=CompressionLevel.MAX).text + " "


def test_progress_bars_colours_and_scripts_without_spaces():
    text = (
        "\x1b[32mダウンロード中\x1b[0m 10%\r\x1b[32mダウンロード中\x1b[0m 100%\n"
        + "処理が終わりました\n" * 30
        + "错误：无法打开文件 config.json\n"
        + "保存しました src/設定.py\n"
    )
    left = compress_output(text, level=CompressionLevel.MAX).text
    assert "错误：无法打开文件 config.json" in left
    assert "src/設定.py" in left
    assert left.count("処理が終わりました") == 1
    assert "\x1b" not in left


def test_text_that_is_no_utf8_comes_back_byte_by_byte():
    data = b"caf\xe9 latin-1 line\nerror: \xff\n"
    text = data.decode("utf-8", "surrogateescape")
    assert compress_output(text, level=CompressionLevel.MAX).text.encode("utf-8", "surrogateescape") == data


def test_growth_is_linear():
    def seconds(lines):
        text = "".join(f"worker {i} took item{i * 7} from queue{i % 5} in {i % 97} ms\n" for i in range(lines))
        began = time.process_time()
        compress_output(text, level=CompressionLevel.MAX)
        return time.process_time() - began

    seconds(100)
    assert seconds(12_000) < 12 * max(seconds(3_000), 0.05)
