"""Tickets are read the same however a task or a message spells them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.relevance import parse_task
from ctxsieve.relevance.tickets import find_tickets


@pytest.mark.parametrize(
    ("text", "tickets"),
    [
        ("Fix the gears (#12)", ("#12",)),
        ("GH-12: fix the gears", ("#12",)),
        ("ENG-1252: fix the gears", ("ENG-1252",)),
        ("see https://github.com/owner/name/issues/12#issuecomment-99", ("#12",)),
        ("see https://gitlab.example/group/name/-/merge_requests/7, then #12", ("#7", "#12")),
        ("see https://tracker.example/browse/ENG-9", ("ENG-9",)),
        ("PR-URL: https://github.com/owner/name/pull/88\nRefs: #12, #12", ("#88", "#12")),
        ("Read UTF-16 and SHA-256 as RFC-822 has them; colour &#12x; v1#2", ()),
    ],
)
def test_tickets_have_one_spelling(text: str, tickets: tuple[str, ...]) -> None:
    assert find_tickets(text) == tickets
    assert parse_task(text).tickets == tickets


@given(st.lists(st.integers(min_value=1, max_value=99_999), max_size=90))
def test_each_is_named_once_in_order_and_no_more_than_sixty_four(numbers: list[int]) -> None:
    text = " and ".join(f"#{number}" for number in numbers)
    assert find_tickets(text) == tuple(f"#{number}" for number in dict.fromkeys(numbers))[:64]


def test_long_address_without_a_ticket_is_passed_in_time() -> None:
    assert find_tickets("https://x/" * 5_000 + " #3") == ("#3",)
