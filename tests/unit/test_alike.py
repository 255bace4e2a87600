"""Lines that are read differently once others are missing stay as they are."""

import pytest

from compression_rules import EVERYTHING, broken_rules, problem_of, source_of
from ctxsieve.compress import render_entropy
from ctxsieve.compress.alike import is_read_alike
from ctxsieve.compress.composition import text_without
from ctxsieve.fragments import LineRange
from ctxsieve.languages import parse

# The grammar takes line 6 for a call times an assignment behind three declarations, and for a declaration without them.
PROGRAM = b"""int f(void)
{
    TYPE *at = NULL;
    IO *in = NULL, *out = NULL;
    BUFFER *buffer = NULL;
    LIST(NAME) *list = NULL;
    return list;
}
"""


@pytest.mark.parametrize(
    ("gaps", "is_alike"),
    [
        ([(3, 5)], False),
        ([(3, 3)], True),
        ([(4, 5)], True),
        ([(3, 6)], True),
    ],
)
def test_kinds_of_what_is_shown_are_compared(gaps: list[tuple[int, int]], is_alike: bool) -> None:
    source = source_of("c", PROGRAM)
    spans = tuple(LineRange(first, last) for first, last in gaps)
    content = text_without(source, spans, emptied=set())
    assert source.language is not None
    assert parse(content.encode(), source.language).error_nodes == 0
    assert is_read_alike(source, content, spans) is is_alike


def test_what_would_be_read_differently_is_not_left_out() -> None:
    source = source_of("c", PROGRAM.replace(b"\n    LIST", b"\n    LIST(OTHER) *other_list = NULL;\n    LIST"))
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        rendering = render_entropy(source, share, EVERYTHING).rendering
        assert rendering is None or problem_of(source, rendering) == ""


def test_a_body_of_which_an_empty_block_is_left_has_no_new_error() -> None:
    body = b"  dispatch(std::move(type), payload, category);\n"
    head = b"void Emitter::dispatch(\n    std::string type,\n    Payload payload,\n    Category category) const {\n"
    program = head + body * 4 + b"  {\n" + body.replace(b"  ", b"    ") * 4 + b"  }\n\n" + body * 4 + b"}\n"
    assert broken_rules(source_of("cpp", b"namespace a {\n" + program * 3 + b"}\n")) == []


def test_white_space_in_comments_may_go() -> None:
    body = b"  local total = count(first, second, third, fourth)\n"
    program = b"local function f()\n  -- \n" + body * 6 + b"  -- note  \n  return total\nend\n"
    assert broken_rules(source_of("lua", program)) == []
