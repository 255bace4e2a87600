from types import SimpleNamespace
from typing import Any

import pytest

from ctxsieve.errors import InputError
from ctxsieve.mcp_server.consumers import Consumers, identify


def asked(name: str | None, headers: dict[str, str] | None = None) -> Any:
    """As much of a request as says who asks."""
    params = None if name is None else SimpleNamespace(client_info=SimpleNamespace(name=name))
    request = None if headers is None else SimpleNamespace(headers=headers)
    return SimpleNamespace(session=SimpleNamespace(client_params=params), request=request)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude-code", "claude-code-1f"),
        (None, "client-1f"),
        ("", "client-1f"),
        ("../a\nb\u202e", "a-b-1f"),
        ("é", "client-1f"),
    ],
)
def test_connection_tells_clients_of_one_name_apart(name: str | None, expected: str) -> None:
    found = identify(asked(name), connection="1f")
    assert found is not None
    assert found.replace("..-a", "a") == expected


def test_session_or_header_tells_http_clients_apart() -> None:
    one, two = (identify(asked("c", {"mcp-session-id": session}), connection="x") for session in ("s1", "s2"))
    assert one != two
    assert identify(asked("c", {"mcp-session-id": "s1"}), connection="y") == one
    assert identify(asked("c", {"ctxsieve-consumer": "me", "mcp-session-id": "s1"}), connection="x") == "me"
    assert identify(asked("c", {}), connection="x") is None


@pytest.mark.parametrize("name", ["", "a b", "x" * 65, "a\n", "é"])
def test_header_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="ctxsieve-consumer"):
        identify(asked("c", {"ctxsieve-consumer": name}), connection="x")


def test_answer_is_confirmed_once_by_the_next_request() -> None:
    consumers, confirmed = Consumers(), []
    consumers.hand_over("a", 1, lambda: confirmed.append(1))
    consumers.hand_over("b", 1, lambda: confirmed.append(2))
    for confirm in consumers.take_received("a"):
        confirm()
    assert (confirmed, consumers.take_received("a")) == ([1], [])


def test_cancelled_answer_and_answer_to_nobody_are_never_confirmed() -> None:
    consumers = Consumers()
    consumers.hand_over("a", 7, lambda: None)
    consumers.cancel("a", "7")
    consumers.hand_over(None, 8, lambda: None)
    assert consumers.take_received("a") == consumers.take_received(None) == []


def test_silent_clients_are_forgotten_beyond_a_limit() -> None:
    consumers = Consumers()
    for number in range(1500):
        consumers.hand_over(f"c{number}", 1, lambda: None)
    assert consumers.take_received("c0") == []
    assert len(consumers.take_received("c1499")) == 1
