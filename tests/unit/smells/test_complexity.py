import subprocess
import sys
from pathlib import Path

import pytest

from ctxsieve.languages import LANGUAGES
from ctxsieve.smells import FunctionFigures, measure_files

FOLDERS = ("graph", "terse", "reasoning", "relevance", "intent", "compress", "store", "knowledge")
REPOSITORY = Path(__file__).resolve().parents[3]


def figures(text: str, language: str = "python") -> dict[str, FunctionFigures]:
    return {one.name: one for one in measure_files([text.encode()], LANGUAGES[language], threads=1)[0].functions}


def test_lambdas_count_to_their_function_and_named_functions_do_not() -> None:
    found = figures(
        "class Shop:\n    def sell(self, items):\n"
        "        key = lambda item: item.a if item.b else item.c\n"
        "        def price(item):\n            if item:\n                return 1\n"
        "        return sorted(items, key=key)\n"
    )
    assert found["Shop.sell"].cyclomatic == 2
    # The conditional stands inside of a lambda: one for itself, one for that.
    assert found["Shop.sell"].cognitive == 2
    assert (found["Shop.sell.price"].cyclomatic, found["Shop.sell.price"].cognitive) == (2, 1)
    assert found["Shop.sell"].parameters == 1


def test_runs_of_equal_operators_are_one_step_to_understand() -> None:
    found = figures(
        "def one(a, b, c):\n    return a and b and c\n\ndef two(a, b, c, d):\n    return a and b or c and d\n"
    )
    assert (found["one"].cyclomatic, found["one"].cognitive) == (3, 1)
    assert (found["two"].cyclomatic, found["two"].cognitive) == (4, 3)


def test_conditions_stand_beside_their_branch() -> None:
    found = figures("def one(a, b):\n    if (1 if a else 2) == b:\n        return 3 if a else 4\n")
    # if 1, conditional in its condition 1, conditional in its body 2.
    assert found["one"].cognitive == 4


def test_blank_lines_comments_and_doc_strings_are_no_code_lines() -> None:
    text = 'def one(a):\n    """Says\n    much.\n    """\n\n    # why\n    x = 1  # that\n    return x\n'
    measured = measure_files([text.encode()], LANGUAGES["python"], threads=1)[0]
    assert (measured.code_lines, measured.functions[0].code_lines) == (3, 3)
    assert measured.line_numbers.tolist() == [1, 7, 8]


def test_digests_ignore_white_space() -> None:
    one, other = measure_files([b"x  =  1\n", b"\n\n    x = 1\n"], LANGUAGES["python"], threads=2)
    assert one.line_digests.tolist() == other.line_digests.tolist()


def test_languages_without_functions_to_count_have_code_lines() -> None:
    text = b"-- | Says much.\nmodule Shop where\n\nprice :: Int -- that\nprice = 1\n"
    measured = measure_files([text], LANGUAGES["haskell"], threads=1)[0]
    assert (measured.code_lines, measured.functions) == (3, ())


def test_declarations_that_do_not_parse_are_no_functions() -> None:
    text = "RETURNS int (*pointer)(int a, int b) ATTRIBUTE;\nint real(void) { return 0; }\n"
    assert set(figures(text, "c")) == {"real"}


def test_anonymous_top_level_function_is_a_function() -> None:
    found = figures("(function () { if (a) { b() } })()\n", "javascript")
    assert found["(anonymous)"].cyclomatic == 2
    assert set(figures("export default function (a) { return a }\n", "javascript")) == {"(anonymous)"}


@pytest.mark.parametrize("language", [name for name, language in LANGUAGES.items() if language.query("complexity")])
@pytest.mark.parametrize("text", ["", "\n", "{", ")))", "\x00\x01", "if if if else else", "é ü 漢字"])
def test_broken_sources_have_figures(language: str, text: str) -> None:
    measured = measure_files([text.encode()], LANGUAGES[language], threads=1)[0]
    assert all(one.cyclomatic >= 0 and one.first_line >= 1 for one in measured.functions)


def test_figures_equal_those_of_radon_and_lizard() -> None:
    """The definitions agree on functions of this project and of the Python that runs it."""
    folders = [str(REPOSITORY / "python" / "ctxsieve" / name) for name in FOLDERS]
    command = [sys.executable, "-W", "ignore", str(REPOSITORY / "scripts" / "compare_complexity.py")]
    done = subprocess.run(
        [*command, "--sample", "500", "--agree", "1", *folders],
        env={"PYTHONPATH": str(REPOSITORY / "python")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split()[0] == "500"
