"""Conventions for a directory, nearest first, from the repository's own files and from stored knowledge."""

import os
from collections.abc import Collection, Iterable, Iterator
from itertools import count

from ctxsieve.errors import InputError, PathError
from ctxsieve.jail import path_below
from ctxsieve.knowledge import CONVENTIONS, Fact, RecalledFact, RecallScope, recall_facts
from ctxsieve.reasoning.convention_files import ConventionLine, read_convention_files
from ctxsieve.values import dataclass

__all__ = ["RecalledConventions", "RecalledLine", "recall_knowledge"]

_KEY_MARKS = str.maketrans("01", "§¶")


@dataclass(frozen=True, slots=True)
class RecalledLine:
    """One line with its provenance.

    Attributes:
        text: A line of a file, or `category:key = value` of a fact.
        source: The file and line (`src/AGENTS.md:12`), or who holds the fact (`knowledge: coder, reviewer`).
        directory: Where it applies; empty for the root.
        distance: Directories between the one asked for and this one; a fact of a language lies beyond the root. None
            for a search without a directory.
        score: How well it fits the query; 0 for an empty one.
        heading: The heading that a file's line stands under.
    """

    text: str
    source: str
    directory: str
    distance: int | None
    score: float
    heading: str = ""


@dataclass(frozen=True, slots=True)
class RecalledConventions:
    """The lines, nearest first, at most as many as asked for; and the files that were not read, with the reason."""

    lines: tuple[RecalledLine, ...]
    skipped: tuple[tuple[str, str], ...] = ()


def recall_knowledge(
    query: str,
    directory: str | None = None,
    scope: RecallScope | str | None = None,
    limit: int = 10,
    *,
    facts: Iterable[Fact] = (),
    root: str | os.PathLike[str] | None = None,
    languages: Collection[str] | None = None,
) -> RecalledConventions:
    """Search what is known; with the scope `conventions` also the files of the repository.

    With that scope the directory comes first, then its parents up to the root, then facts of a language; at one
    distance the better score, facts before files, then the order in the file. The same text counts once, for the
    nearest place. Without directory and scope it is a plain search of the facts. An empty query fits everything.

    Args:
        query: Words to look for.
        directory: POSIX, relative to the root; with the scope `conventions` the root by default, and an absolute
            directory below a `root` that is given is as good.
        scope: `conventions`, or None.
        limit: The most lines that come back.
        facts: Stored facts (`KnowledgeBase.facts()`).
        root: The project root; None leaves the files out.
        languages: Facts of other languages are left out; None keeps all.

    Raises:
        InputError: Unknown scope, a directory that leaves the root, or a limit below 1.
    """
    if limit < 1:
        raise InputError(f"limit is {limit}: it must be 1 or more")
    known = [fact for fact in facts if languages is None or not fact.language or fact.language in languages]
    if scope is None:
        recalled = recall_facts(known, query, directory=directory, scope=scope, limit=limit)
        return RecalledConventions(tuple(map(_fact_line, recalled)))
    place = directory or "" if root is None else _place_below(root, directory or "")
    files = None if root is None else read_convention_files(root, place)
    free_keys = _keys_beside({fact.key for fact in known})
    written = {} if files is None else {next(free_keys): (n, line) for n, line in enumerate(files.lines)}
    as_facts = [
        Fact(CONVENTIONS, key, line.text, agent="file", directory=line.directory) for key, (_, line) in written.items()
    ]
    recalled = recall_facts(
        [*known, *as_facts], query, directory=place, scope=scope, limit=max(1, len(known) + len(as_facts))
    )

    def nearest_first(found: RecalledFact) -> tuple[int, float, int]:
        position, _ = written.get(found.fact.key, (-1, None))
        return found.distance or 0, -found.score, position

    kept: dict[str, RecalledLine] = {}
    for found in sorted(recalled, key=nearest_first):
        _, line = written.get(found.fact.key, (-1, None))
        said = " ".join(found.fact.value.casefold().split()).rstrip(".;:!")
        kept.setdefault(said, _fact_line(found) if line is None else _file_line(found, line))
    return RecalledConventions(tuple(kept.values())[:limit], () if files is None else files.skipped)


def _place_below(root: str | os.PathLike[str], directory: str) -> str:
    """Return a directory relative to the root, of an absolute one what stands behind the root in it."""
    if not os.path.isabs(directory):
        return directory
    # The root itself is no path below it, but a name in it is.
    try:
        path = path_below(root, os.path.join(directory, "x"))
    except PathError:
        raise InputError(
            f"directory {directory[:80]!r} is absolute and not below the root: give it relative to the project root"
        ) from None
    return path.rpartition("/")[0]


def _keys_beside(taken: set[str]) -> Iterator[str]:
    """Yield keys without words, because facts are searched by their keys as well, that no stored fact has."""
    return (key for n in count() if (key := f"{n:b}".translate(_KEY_MARKS)) not in taken)


def _fact_line(recalled: RecalledFact) -> RecalledLine:
    fact = recalled.fact
    source = f"knowledge: {', '.join(recalled.agents)}{' (disputed)' if recalled.is_disputed else ''}"
    return RecalledLine(f"{fact.name} = {fact.value}", source, fact.directory, recalled.distance, recalled.score)


def _file_line(recalled: RecalledFact, line: ConventionLine) -> RecalledLine:
    source = f"{line.source}:{line.line}"
    return RecalledLine(line.text, source, line.directory, recalled.distance, recalled.score, line.heading)
