"""Elements of lists, tables and calls that end with their comma may go, in every language that names them."""

import pytest

from compression_rules import CODE, EVERYTHING, problem_of, source_of
from ctxsieve.compress import CompressionOptions, NodeClass, render_aggressive
from ctxsieve.compress.nodes import find_removable_nodes
from ctxsieve.languages import LANGUAGES

# Where rows stand, with three of them on lines 3 to 5, and what follows.
SAMPLES = {
    "python": [
        "\nrates = [\n    one,\n    two,\n    last,\n]\n",
        '\nrates = {\n    "a": 1,\n    "b": 2,\n    **c,\n}\n',
    ],
    "rust": [
        "\nconst RATES: [u8; 3] = [\n    1,\n    2,\n    3,\n];\n",
        "fn f() {\n    g(\n        one,\n        two,\n        last,\n    );\n}\n",
        "fn f() -> Rate {\n    Rate {\n        one: 1,\n        two,\n        last: 3,\n    }\n}\n",
    ],
    "javascript": [
        "\nconst rates = [\n  one,\n  two,\n  last,\n];\n",
        "\nconst rates = {\n  one: 1,\n  two,\n  ...last,\n};\n",
        "\nf(\n  one,\n  two,\n  last,\n);\n",
    ],
    "java": ["class A {\n    int[] rates = {\n        1,\n        2,\n        3,\n    };\n}\n"],
    "c": ["\nint rates[] = {\n    1,\n    [4] = 2,\n    3,\n};\n"],
    "cpp": ["\nint rates[] = {\n    1,\n    2,\n    3,\n};\n"],
    "csharp": ["class A {\n    int[] rates = {\n        1,\n        2,\n        3,\n    };\n}\n"],
    "go": ["package a\nvar rates = []int{\n\t1,\n\t2,\n\t3,\n}\n", "package a\nvar x = f(\n\ta,\n\tb,\n\tc,\n)\n"],
    "php": ["<?php\n$rates = [\n    'a' => 1,\n    2,\n    3,\n];\n", "<?php\nf(\n    $a,\n    $b,\n    c(),\n);\n"],
    "ruby": ["\nrates = [\n  1,\n  2,\n  3,\n]\n", "\nrates = {\n  a: 1,\n  :b => 2,\n  c: 3,\n}\n"],
    "kotlin": ["\nval rates = listOf(\n    1,\n    2,\n    3,\n)\n"],
    "swift": ["\nlet rates = [\n    1,\n    2,\n    3,\n]\n"],
    "lua": ["\nlocal rates = {\n    one = 1,\n    2,\n    [3] = 3,\n}\n"],
    "dart": ["\nvar rates = [\n  1,\n  2,\n  3,\n];\n", "\nvar rates = f(\n  a,\n  b,\n  c: 1,\n);\n"],
    "julia": ["\nrates = [\n    1,\n    2,\n    3,\n]\n"],
}
CASES = [(name, text) for name, texts in SAMPLES.items() for text in texts]


def hidden(name: str, text: str, options: CompressionOptions = EVERYTHING) -> list[tuple[int, int]]:
    source = source_of(name, text.encode())
    rendering = render_aggressive(source, options).rendering
    if rendering is None:
        return []
    assert problem_of(source, rendering) == ""
    return [(span.first, span.last) for span in rendering.omitted]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_rows_that_end_with_their_comma_go(name: str, text: str) -> None:
    assert hidden(name, text) in ([(3, 5)], [(2, 6)])
    rows = [node for node in find_removable_nodes(source_of(name, text.encode())).nodes if node.kind is NodeClass.ROW]
    assert [(node.first_line, node.last_line) for node in rows] == [(3, 3), (4, 4), (5, 5)]


@pytest.mark.parametrize("name", ["elixir", "r"])
def test_where_no_comma_may_stand_last_the_last_row_stays(name: str) -> None:
    text = "\nrates = f(\n  one,\n  two,\n  last\n)\n"
    assert hidden(name, text) == [(3, 4)]


def test_a_row_without_its_comma_stays() -> None:
    assert hidden("python", "rates = [\n    one,\n    two\n]\n") == [(2, 2)]
    assert hidden("python", "rates = [\n    one\n    , two\n]\n") == []
    assert hidden("java", "class A { int b = f(\n    one,\n    two); }\n") == [(2, 2)]


def test_bases_of_classes_and_elements_of_sets_and_tuples_stay() -> None:
    # An empty set would be a table, a tuple of one a mere parenthesis.
    for text in (
        "class A(\n    B,\n    C,\n):\n    x = 1\n",
        "a = {\n    1,\n    2,\n}\n",
        "a = (\n    1,\n    2\n)\n",
    ):
        assert hidden("python", text) == []


def test_what_is_defined_in_a_row_stays() -> None:
    text = "const a = {\n  one() {},\n  two: 1,\n  three: 2,\n};\n"
    assert hidden("javascript", text) == [(3, 4)]


def test_in_text_no_comment_can_stand() -> None:
    text = 'a = f"""{f(\n    one,\n    two,\n)}"""\n'
    assert hidden("python", text) == []
    assert hidden("python", text.replace('f"""{', "(").replace('}"""', ")")) == [(2, 3)]


def test_every_language_that_names_rows_has_a_sample() -> None:
    naming = {name for name in CODE if "@row" in LANGUAGES[name].query("compress")}
    assert naming - {*SAMPLES, "elixir", "r", "typescript", "tsx"} == set()
    for name in ("typescript", "tsx"):
        for text in SAMPLES["javascript"]:
            assert hidden(name, text) == hidden("javascript", text)


def test_names_hold_a_statement_and_prose_does_not() -> None:
    options = CompressionOptions(aggressive_share=0.0, aggressive_surprise=1.0, lost_identifiers=0.0, gap_tokens=0)
    start = "def f(a):\n    a(a)\n"
    assert hidden("python", start + '    a("no more than words, as in a message")\n', options) == [(2, 3)]
    assert hidden("python", start + '    a("amount")\n', options) == [(2, 2)]
    assert hidden("python", start + "    a(amount)\n", options) == [(2, 2)]
    assert hidden("python", start + "    while 1: a(a)\n", options) == [(2, 3)]
