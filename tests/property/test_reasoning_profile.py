"""The filtered set equals that of a reference which applies the rules one after the other, pattern by pattern."""

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.reasoning.profiles import ToolProfile

ATOMS = st.sampled_from(["a", "b", "A", "_", "*", "?", "[ab]", "[!a]", "{a,b_}", "{,*b}"])
PATTERNS = st.lists(ATOMS, min_size=1, max_size=5).map("".join)
NAMES = st.text("abAB_", min_size=1, max_size=6)
TOOLS = st.lists(
    st.builds(lambda name, tag: {"name": name, "description": "[verified]" if tag else "x"}, NAMES, st.booleans())
)


def expand(pattern: str) -> list[str]:
    """Return the brace-free patterns; braces of the generated patterns do not nest."""
    parts: list[list[str]] = []
    while pattern:
        head, brace, rest = pattern.partition("{")
        parts.append([head])
        if brace:
            body, _, rest = rest.partition("}")
            parts.append(body.split(","))
        pattern = rest
    return ["".join(choice) for choice in itertools.product(*parts)]


def matches(pattern: str, name: str) -> bool:
    """Match one brace-free pattern by the definition of its symbols."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(matches(pattern[1:], name[n:]) for n in range(len(name) + 1))
    if not name:
        return False
    if pattern[0] == "[":
        members, _, rest = pattern[1:].partition("]")
        inside = name[0] in members.lstrip("!")
        return inside is not members.startswith("!") and matches(rest, name[1:])
    return pattern[0] in ("?", name[0]) and matches(pattern[1:], name[1:])


def any_matches(patterns: tuple[str, ...], name: str) -> bool:
    return any(matches(plain, name) for pattern in patterns for plain in expand(pattern))


def lower(patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(pattern.lower() for pattern in patterns)


def naive_filter(profile: ToolProfile, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = tools
    if profile.include is not None:
        kept = [tool for tool in kept if any_matches(profile.include + profile.always_include, tool["name"])]
    kept = [tool for tool in kept if not any_matches(lower(profile.exclude), tool["name"].lower())]
    if profile.require_verified:
        unverified = [tool["name"] for tool in kept if "[verified]" not in tool["description"]]
        kept = [tool for tool in kept if tool["name"] not in unverified]
    kept = [tool for n, tool in enumerate(kept) if tool["name"] not in [earlier["name"] for earlier in kept[:n]]]
    if profile.max_tools is not None:
        counted = [tool for tool in kept if not any_matches(profile.always_include, tool["name"])]
        beyond = counted[profile.max_tools :]
        kept = [tool for tool in kept if not any(tool is other for other in beyond)]
    return kept


PROFILES = st.builds(
    ToolProfile,
    include=st.none() | st.lists(PATTERNS, min_size=1, max_size=3),
    exclude=st.lists(PATTERNS, max_size=3),
    always_include=st.lists(PATTERNS, max_size=2),
    require_verified=st.booleans(),
    max_tools=st.none() | st.integers(0, 4),
)


@given(PROFILES, TOOLS)
def test_filter_equals_the_naive_reference(profile: ToolProfile, tools: list[dict[str, Any]]) -> None:
    assert list(map(id, profile.filter(tools))) == list(map(id, naive_filter(profile, tools)))


@given(PROFILES, TOOLS, st.text(max_size=20))
def test_explain_and_filter_agree(profile: ToolProfile, tools: list[dict[str, Any]], task: str) -> None:
    admitted = [
        tool for tool, verdict in zip(tools, profile.explain(tools, task=task), strict=True) if verdict.admitted
    ]
    assert profile.filter(tools, task=task) == admitted


@given(PROFILES)
def test_profile_survives_json(profile: ToolProfile) -> None:
    assert ToolProfile.from_json(profile.to_json()) == profile
