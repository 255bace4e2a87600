"""The table of command families, and how a command or an output finds its own (layer 2)."""

import re
import shlex
from collections.abc import Sequence

from ctxsieve.terse.families import (
    containers,
    files,
    go,
    infrastructure,
    jvm,
    native,
    node,
    python,
    rust,
    system,
    versioning,
)
from ctxsieve.terse.families.family import Family, Rule

__all__ = ["FAMILIES", "Family", "Rule", "families_of"]

FAMILIES: tuple[Family, ...] = (
    *versioning.FAMILIES,
    *rust.FAMILIES,
    *python.FAMILIES,
    *node.FAMILIES,
    *containers.FAMILIES,
    *infrastructure.FAMILIES,
    *native.FAMILIES,
    *go.FAMILIES,
    *jvm.FAMILIES,
    *files.FAMILIES,
    *system.FAMILIES,
)
_LEAST_SIGNATURE_LINES = 2
_MOST_EXAMINED_LINES = 2000
_MOST_FAMILIES = 3
_LAUNCHERS = frozenset(
    ["sudo", "time", "env", "nice", "npx", "bunx", "uvx", "command", "exec", "xargs", "stdbuf", "nohup"]
)
_RUNNERS = (("poetry", "run"), ("uv", "run"), ("pipenv", "run"), ("bundle", "exec"), ("pnpm", "exec"), ("yarn", "exec"))
_MODULE = re.compile(r"^python[\d.]*$")
_ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
_SEPARATORS = re.compile(r"\|\||&&|;|\n")
_PASSES_LINES_ON = frozenset(["cat", "tee", "head", "tail", "sort", "uniq", "less", "grep"])


def families_of(lines: Sequence[str], command: str | Sequence[str] | None) -> tuple[Family, ...]:
    """The families that may judge an output: the command's own first, then those that recognise it; at most three."""
    found: list[Family] = []
    if command is not None and (own := _family_of_command(command)) is not None:
        found.append(own)
    examined = lines[:_MOST_EXAMINED_LINES]
    for family in FAMILIES:
        if len(found) >= _MOST_FAMILIES:
            break
        if family not in found and family.signature is not None:
            search = family.signature.search
            matching = (1 for line in examined if search(line))
            if sum(1 for _, _ in zip(matching, range(_LEAST_SIGNATURE_LINES), strict=False)) == _LEAST_SIGNATURE_LINES:
                found.append(family)
    return (*found, system.ANY_COMMAND)


def _family_of_command(command: str | Sequence[str]) -> Family | None:
    words = _program_words(command)
    best: tuple[int, Family] | None = None
    for family in FAMILIES:
        for beginning in family.commands:
            if _begins(words, beginning) and (best is None or len(beginning) > best[0]):
                best = (len(beginning), family)
    return best[1] if best else None


def _begins(words: list[str], beginning: tuple[str, ...]) -> bool:
    """Whether the program is the first word of `beginning` and the others are among the words that follow it."""
    return bool(words) and words[0] == beginning[0] and all(word in words[1:5] for word in beginning[1:])


def _program_words(command: str | Sequence[str]) -> list[str]:
    """The words of the command that printed the output: the last of a chain, the first of a pipe, launchers apart."""
    if isinstance(command, str):
        last = [part for part in _SEPARATORS.split(command) if part.strip()][-1:]
        stages = (last[0] if last else "").split("|")
        try:
            first, *later = [shlex.split(stage) for stage in stages]
        except ValueError:
            first, *later = [stage.split() for stage in stages]
        if any(stage and stage[0] not in _PASSES_LINES_ON for stage in later):
            return []
        words = first
    else:
        words = list(command)
    while words and (_ASSIGNMENT.match(words[0]) or words[0] in _LAUNCHERS or words[0].startswith("-")):
        words = words[1:]
    for runner in _RUNNERS:
        if tuple(words[:2]) == runner:
            words = words[2:]
    if not words:
        return []
    program = re.split(r"[/\\]", words[0])[-1].removesuffix(".exe")
    if _MODULE.match(program):
        is_module = words[1:2] == ["-m"] and len(words) > 2
        return [words[2], *words[3:]] if is_module and words[2] != "unittest" else ["python", *words[1:]]
    return [program, *words[1:]]
