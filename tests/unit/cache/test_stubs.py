from ctxsieve.cache import reread_stub
from ctxsieve.tokens import count_tokens


def test_stub_costs_about_thirteen_tokens() -> None:
    text = "def f():\n    return 1\n" * 50
    costs = [
        count_tokens(reread_stub(path, "full", instead_of=text) or "")
        for path in ("src/auth.rs", "django/core/handlers/base.py", "web/login.ts")
    ]
    assert all(9 <= cost <= 16 for cost in costs), costs


def test_stub_never_costs_more_than_the_text() -> None:
    assert reread_stub("src/a.py", "full", instead_of="x = 1\n") is None
