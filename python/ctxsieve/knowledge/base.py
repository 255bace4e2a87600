"""The facts of one project in the durable store: record, remove, history and conflicts."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from ctxsieve.errors import InputError
from ctxsieve.knowledge.facts import Fact, normalise_directory
from ctxsieve.knowledge.recall import RecalledFact, RecallScope, recall_facts
from ctxsieve.store import Store
from ctxsieve.values import dataclass

__all__ = ["Conflict", "FactRevision", "KnowledgeBase"]

_COLUMNS = "category, key, value, agent, source, confidence, directory, language, project, session, recorded_at"
_SAME_PLACE = "category = ? AND key = ? AND directory = ? AND language = ? AND project = ? AND agent = ?"


@dataclass(frozen=True, slots=True)
class FactRevision:
    """One recorded state of a fact; `ended_at` is None while it is current, `was_replaced` tells from removed."""

    fact: Fact
    ended_at: float | None
    was_replaced: bool

    @property
    def state(self) -> str:
        """`current`, `replaced` or `removed`."""
        if self.ended_at is None:
            return "current"
        return "replaced" if self.was_replaced else "removed"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Differing current values of one fact at one place, by confidence, then newest first."""

    name: str
    directory: str
    facts: tuple[Fact, ...]


class KnowledgeBase:
    """Facts shared by every process and agent that opens the same store.

    Each agent has one current value per fact and place; a new one replaces its own and keeps the old in the
    history. Values of other agents are never touched: where they differ, both stay visible.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(self, fact: Fact) -> bool:
        """Store one fact durably; False when the agent already held exactly this."""
        return self.record_all([fact]) == 1

    def record_all(self, facts: Iterable[Fact], *, keep_newer: bool = False) -> int:
        """Store facts as one unit and return how many changed something.

        With `keep_newer` a fact gives way to a current one of the same agent that was recorded at the same time
        or later: merging what was exported elsewhere must not turn back the clock.
        """
        with self._store.transaction() as connection:
            return sum(_record(connection, fact, keep_newer=keep_newer) for fact in facts)

    def remove(
        self, category: str, key: str, *, now_seconds: float, agent: str | None = None, directory: str | None = None
    ) -> int:
        """End the current values of a fact, of one agent or of all; the history keeps them."""
        place = None if directory is None else normalise_directory(directory)
        with self._store.transaction() as connection:
            return connection.execute(
                "UPDATE facts SET ended_at = ? WHERE category = ? AND key = ? AND ended_at IS NULL "
                "AND (? IS NULL OR agent = ?) AND (? IS NULL OR directory = ?)",
                (now_seconds, category, key, agent, agent, place, place),
            ).rowcount

    def facts(self, *, category: str | None = None, agent: str | None = None) -> list[Fact]:
        """The current facts by category, key, directory, then in the order they were recorded."""
        rows = self._store.read(
            f"SELECT {_COLUMNS} FROM facts WHERE ended_at IS NULL "  # noqa: S608
            "AND (? IS NULL OR category = ?) AND (? IS NULL OR agent = ?) ORDER BY category, key, directory, id",
            (category, category, agent, agent),
        )
        return [Fact(*row) for row in rows]

    def history(self, category: str, key: str) -> list[FactRevision]:
        """Every value that was ever recorded for a fact, oldest first."""
        rows = self._store.read(
            f"SELECT {_COLUMNS}, ended_at, replaced_by FROM facts WHERE category = ? AND key = ? ORDER BY id",  # noqa: S608
            (category, key),
        )
        return [FactRevision(Fact(*row[:-2]), row[-2], row[-1] is not None) for row in rows]

    def conflicts(self) -> list[Conflict]:
        """The facts about which agents differ, by name and directory."""
        return find_conflicts(self.facts())

    def recall_knowledge(
        self,
        query: str,
        directory: str | None = None,
        scope: RecallScope | str | None = None,
        limit: int = 10,
    ) -> list[RecalledFact]:
        """The current facts that fit a query, best first; see `recall_facts`."""
        return recall_facts(self.facts(), query, directory=directory, scope=scope, limit=limit)

    def inherit(self, task: str, *, limit: int = 20, min_confidence: float = 0.0) -> list[RecalledFact]:
        """What a new agent should know before it starts on a task: the facts that share terms with it."""
        if not task.strip():
            raise InputError("task is empty: say what the agent is going to do")
        facts = [fact for fact in self.facts() if fact.confidence >= min_confidence]
        return recall_facts(facts, task, limit=limit)


def find_conflicts(facts: Iterable[Fact]) -> list[Conflict]:
    """Groups of facts with the same name and place but differing values."""
    groups: defaultdict[tuple[str, str, str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[fact.category, fact.key, fact.directory, fact.language].append(fact)
    return [
        Conflict(
            f"{category}:{key}",
            directory,
            tuple(sorted(group, key=lambda fact: (-fact.confidence, -fact.recorded_at, fact.agent))),
        )
        for (category, key, directory, _), group in sorted(groups.items())
        if len({fact.value for fact in group}) > 1
    ]


def _record(connection: Any, fact: Fact, *, keep_newer: bool) -> bool:
    place = (fact.category, fact.key, fact.directory, fact.language, fact.project, fact.agent)
    current = connection.execute(
        f"SELECT id, value, confidence, source, recorded_at FROM facts WHERE {_SAME_PLACE} AND ended_at IS NULL",  # noqa: S608
        place,
    ).fetchone()
    if current is not None:
        if current[1:4] == (fact.value, fact.confidence, fact.source):
            return False
        if keep_newer and current[4] >= fact.recorded_at:
            return False
        # First out of the way: the index allows one current value per place and agent.
        connection.execute("UPDATE facts SET ended_at = ? WHERE id = ?", (fact.recorded_at, current[0]))
    inserted = connection.execute(
        f"INSERT INTO facts ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (
            fact.category,
            fact.key,
            fact.value,
            fact.agent,
            fact.source,
            fact.confidence,
            fact.directory,
            fact.language,
            fact.project,
            fact.session,
            fact.recorded_at,
        ),
    ).lastrowid
    if current is not None:
        connection.execute("UPDATE facts SET replaced_by = ? WHERE id = ?", (inserted, current[0]))
    return True
