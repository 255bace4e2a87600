"""Which tools a model gets to see, and may call: include, then exclude, then verified, then at most so many."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, Self

from ctxsieve.errors import InputError
from ctxsieve.reasoning.configuration import StrictConfig
from ctxsieve.reasoning.globs import PatternSet, fold_name
from ctxsieve.reasoning.tool_adapters import ToolFacts, describe_tools, hash_definition
from ctxsieve.values import dataclass

__all__ = ["ProfileRule", "ToolProfile", "ToolVerdict", "find_idle_rules"]

VERIFIED_TAG = "[verified]"
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


class ProfileRule(StrEnum):
    """The rule that decided about a tool; `ADMITTED` when none removed it."""

    ADMITTED = "admitted"
    INCLUDE = "include"
    EXCLUDE = "exclude"
    VERIFIED = "require_verified"
    DUPLICATE = "duplicate"
    MAX_TOOLS = "max_tools"


_Decision = tuple[ProfileRule, str]
_ADMITTED: _Decision = (ProfileRule.ADMITTED, "no rule removed it")


@dataclass(frozen=True, slots=True)
class ToolVerdict:
    """What the profile says about one tool of the list, and why."""

    name: str
    admitted: bool
    rule: ProfileRule
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolProfile(StrictConfig):
    """A filter for tool lists, applied in this order; what an earlier rule removed, no later one brings back.

    Attributes:
        include: Patterns, one of which the name must match, exactly as spelt. None admits every name.
        exclude: Patterns that remove a tool in any spelling of its name (case, compatibility forms). They always win.
        require_verified: Keep only tools that carry `[verified]` in their description or, where
            `verified_definitions` is given, only tools whose definition hash is in it; the tag, which anyone can
            write, then counts for nothing.
        max_tools: Keep at most so many: by relevance to the task where one is given, otherwise the first ones.
        always_include: Patterns whose tools pass `include` and do not count against `max_tools`.
        verified_definitions: Tool name to `hash_definition` of it.
    """

    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    max_tools: int | None = None
    require_verified: bool = False
    always_include: tuple[str, ...] = ()
    verified_definitions: Mapping[str, str] | None = None

    @classmethod
    def permissive(cls) -> Self:
        """Admit every tool."""
        return cls()

    @classmethod
    def include_only(cls, *patterns: str) -> Self:
        """Admit only names that match one of the patterns."""
        return cls(include=patterns)

    @classmethod
    def exclude_only(cls, *patterns: str) -> Self:
        """Admit every name that matches none of the patterns."""
        return cls(exclude=patterns)

    def _check(self) -> None:
        if self.include is not None and not self.include and not self.always_include:
            raise InputError("include is empty: it would admit no tool; leave it out to admit every tool")
        if self.max_tools is not None and self.max_tools < 0:
            raise InputError(f"max_tools is {self.max_tools}: it must be 0 or more")
        for name in ("include", "exclude", "always_include"):
            try:
                _pattern_set(getattr(self, name) or (), folded=name == "exclude")
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
        if self.verified_definitions is None:
            return
        if not self.require_verified:
            raise InputError("verified_definitions is given but require_verified is false: set it to true")
        for name, value in self.verified_definitions.items():
            if not _HASH.fullmatch(value):
                raise InputError(f"verified_definitions[{name!r}] is {value!r}: it must be sha256: and 64 hex digits")

    def filter(self, tools: Iterable[Any], *, task: str | None = None) -> list[Any]:
        """Return the admitted tools: the same objects, in the same order."""
        facts = describe_tools(tools)
        decisions = self._decide(facts, task)
        return [tool.definition for tool, decision in zip(facts, decisions, strict=True) if decision is _ADMITTED]

    def explain(self, tools: Iterable[Any], *, task: str | None = None) -> list[ToolVerdict]:
        """Return one verdict per tool, in order: which rule removed it, and by which pattern."""
        facts = describe_tools(tools)
        return [
            ToolVerdict(tool.name, decision is _ADMITTED, *decision)
            for tool, decision in zip(facts, self._decide(facts, task), strict=True)
        ]

    def _decide(self, facts: list[ToolFacts], task: str | None) -> list[_Decision]:
        decisions = self._decide_without_cap(facts)
        if self.max_tools is None:
            return decisions
        exempt = _pattern_set(self.always_include, folded=False).first_match
        competing = [n for n, tool in enumerate(facts) if decisions[n] is _ADMITTED and exempt(tool.name) is None]
        if len(competing) > self.max_tools:
            order = _rank_by_task([facts[n] for n in competing], task)
            for rank, position in enumerate(order[self.max_tools :], start=self.max_tools + 1):
                detail = f"rank {rank} of {len(competing)}, {self.max_tools} are kept"
                decisions[competing[position]] = (ProfileRule.MAX_TOOLS, detail)
        return decisions

    def _decide_without_cap(self, facts: list[ToolFacts]) -> list[_Decision]:
        include = None if self.include is None else _pattern_set(self.include + self.always_include, folded=False)
        exclude = _pattern_set(self.exclude, folded=True)
        # A call names a tool, not a definition: a second one under a name could be run in place of the first.
        taken: set[str] = set()
        unverified: set[str] = set()
        decisions = []
        for tool in facts:
            decision = _ADMITTED
            if include is not None and include.first_match(tool.name) is None:
                decision = (ProfileRule.INCLUDE, "no include pattern matches")
            elif (pattern := exclude.first_match(tool.name)) is not None:
                decision = (ProfileRule.EXCLUDE, f"matches {pattern}")
            elif self.require_verified and (why := self._why_unverified(tool)):
                decision = (ProfileRule.VERIFIED, why)
                unverified.add(tool.name)
            elif tool.name in taken:
                decision = (ProfileRule.DUPLICATE, "an earlier tool has the same name")
            else:
                taken.add(tool.name)
            decisions.append(decision)
        for n, tool in enumerate(facts if unverified & taken else ()):
            if decisions[n] is _ADMITTED and tool.name in unverified:
                decisions[n] = (ProfileRule.DUPLICATE, "another tool of the same name is not verified")
        return decisions

    def _why_unverified(self, tool: ToolFacts) -> str:
        """Return why the tool does not count as verified, or an empty text."""
        if self.verified_definitions is None:
            return "" if VERIFIED_TAG in tool.description else f"its description has no {VERIFIED_TAG}"
        known = self.verified_definitions.get(tool.name)
        if known is None:
            return "it is not among the verified definitions"
        return "" if hash_definition(tool.definition) == known else "its definition differs from the verified one"


def find_idle_rules(profile: ToolProfile, tools: Iterable[Any]) -> list[str]:
    """Return one message per pattern or pinned definition of the profile that matches none of the tools, in order."""
    names = [tool.name for tool in describe_tools(tools)]
    messages = []
    for field in ("include", "exclude", "always_include"):
        folded = field == "exclude"
        messages += [
            f"{field} pattern {pattern!r} matches no tool{_hint(pattern, names)}"
            for pattern in getattr(profile, field) or ()
            if not any(map(_pattern_set((pattern,), folded=folded).first_match, names))
        ]
    messages += [
        f"verified_definitions names {name!r}, which is no tool of the list"
        for name in profile.verified_definitions or ()
        if name not in names
    ]
    return messages


def _hint(pattern: str, names: list[str]) -> str:
    """Name a tool that the pattern misses only by case or by a prefix such as that of its server."""
    for wider in (pattern, f"*{pattern}"):
        match = _pattern_set((wider,), folded=True).first_match
        if found := next(filter(match, names), None):
            return f"; {wider!r} would match {found!r}" if wider != pattern else f"; {found!r} differs only in case"
    return ""


@lru_cache(maxsize=256)
def _pattern_set(patterns: tuple[str, ...], *, folded: bool) -> PatternSet:
    return PatternSet(patterns, folded=folded)


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")


def _rank_by_task(tools: list[ToolFacts], task: str | None) -> list[int]:
    """Return positions, best first: summed inverse document frequency of the task's words, tripled in names."""
    wanted = _words_of(task or "")
    in_names = [_words_of(tool.name) for tool in tools]
    in_texts = [_words_of(tool.description) for tool in tools]
    frequency = Counter(word for name, text in zip(in_names, in_texts, strict=True) for word in (name | text) & wanted)
    weight = {word: math.log(1 + len(tools) / count) for word, count in frequency.items()}

    def score(position: int) -> float:
        name, text = in_names[position], in_texts[position]
        return sum(weight[word] * (3 if word in name else 1) for word in sorted((name | text) & wanted))

    return sorted(range(len(tools)), key=lambda position: (-score(position), position))


def _words_of(text: str) -> set[str]:
    """Return the folded words of identifiers and prose, a plural `s` taken off."""
    words = (fold_name(word) for word in _WORD.findall(text))
    return {word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words}
