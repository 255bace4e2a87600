import pytest

from ctxsieve.agents import ROLES, ContextDepthConfig, Role, depth_of, richest_mode
from ctxsieve.errors import InputError


def test_seven_roles_have_a_depth() -> None:
    assert [role.value for role in ROLES] == [
        "coder",
        "reviewer",
        "explorer",
        "planner",
        "debugger",
        "tester",
        "orchestrator",
    ]
    assert set(ROLES) == set(Role)


def test_published_depths() -> None:
    coder, reviewer, explorer = depth_of("coder"), depth_of("reviewer"), depth_of("explorer")
    assert (coder.full_files, coder.preferred_mode, coder.budget_ratio) == (8, "full", 0.8)
    assert (reviewer.full_files, reviewer.preferred_mode, reviewer.budget_ratio) == (3, "signatures", 0.6)
    assert explorer.graph_reach > max(depth.graph_reach for role, depth in ROLES.items() if role != "explorer")


def test_budget_share_is_exact_and_never_zero() -> None:
    assert depth_of("coder").budget_of(10) == 8
    assert depth_of("coder").budget_of(8000) == 6400
    assert depth_of("reviewer").budget_of(8000) == 4800
    assert depth_of("orchestrator").budget_of(1) == 1


def test_full_files_come_first_then_the_preferred_mode() -> None:
    assert [richest_mode(depth_of("reviewer"), rank) for rank in range(5)] == ["full"] * 3 + ["signatures"] * 2
    assert [richest_mode(depth_of("coder"), rank) for rank in (7, 8)] == ["full", "map"]
    assert richest_mode(depth_of("orchestrator"), 0) == "map"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, "full", 0.5), "full_files is -1"),
        ((1, "fool", 0.5), "preferred_mode is 'fool': it must be full, map, signatures"),
        ((1, "full", 0.0), "budget_ratio is 0.0"),
        ((1, "full", float("nan")), "budget_ratio is nan"),
        ((1, "full", 0.5, 0.0), "graph_reach is 0.0"),
    ],
)
def test_bad_depths_are_named(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ContextDepthConfig(*arguments)  # type: ignore[arg-type]


def test_unknown_role_lists_the_known() -> None:
    with pytest.raises(InputError, match="role is 'boss': it must be coder, reviewer, planner"):
        depth_of("boss")
