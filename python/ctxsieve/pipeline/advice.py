"""What should leave a consumer's window, and what it lacks for a task, over the whole project (docs/ledger.md)."""

from collections.abc import Mapping, Sequence

from ctxsieve.graph import ProjectGraph
from ctxsieve.intent import StructuredIntent
from ctxsieve.ledger import Deficit, ReinjectionPlan, find_deficits, plan_reinjection
from ctxsieve.pipeline.session import ContextSession
from ctxsieve.values import dataclass

__all__ = ["Advice", "advise", "find_project_deficits"]


@dataclass(frozen=True, slots=True)
class Advice:
    """A plan for a window, and what the task needs besides."""

    plan: ReinjectionPlan
    deficits: tuple[Deficit, ...]

    @property
    def leaving(self) -> tuple[str, ...]:
        """The files whose text the consumer should drop."""
        return tuple(path for path, _ in self.plan.replaced_entries())


def advise(
    session: ContextSession,
    *,
    targets: Sequence[str] = (),
    relevance: Mapping[str, float] | None = None,
    incoming_tokens: int = 0,
    deficits: Sequence[Deficit] = (),
) -> Advice:
    """Plan the re-injection for a session's window as it is now; see `plan_reinjection`."""
    plan = plan_reinjection(
        session.ledger.entries(),
        window_tokens=session.ledger.window_tokens,
        render=session.render,
        targets=targets,
        relevance=relevance,
        incoming_tokens=incoming_tokens,
        options=session.ledger.options,
    )
    return Advice(plan, tuple(deficits))


def find_project_deficits(graph: ProjectGraph, intent: StructuredIntent, *, loaded: Sequence[str]) -> list[Deficit]:
    """What a task needs and the consumer does not hold, over the whole index.

    A prompt of several parts lacks what any of them lacks.
    """
    index = graph.index
    languages = sorted({name for name in index.languages if name is not None})

    def importers_of(path: str) -> list[str]:
        document = index.document(path)
        return [] if document is None else [index.paths[source] for source in graph.edges.sources_of(document)]

    found: dict[str, Deficit] = {}
    for part in intent.parts or (intent,):
        for deficit in find_deficits(
            part.task_type,
            targets=part.targets or intent.targets,
            loaded=loaded,
            paths=index.paths,
            importers_of=importers_of,
            languages=languages,
        ):
            found.setdefault(deficit.path, deficit)
    return list(found.values())
