"""A consumer's session on a project: reading, preloading, the ledger, handoff and shared knowledge in one place."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ctxsieve.graph import ProgressCallback, ProjectGraph
from ctxsieve.intent import parse_intent
from ctxsieve.pipeline import ContextSession, Preload, PreloadAnswer, Reading, SessionAnswer, Style
from ctxsieve.relevance import Ranking
from ctxsieve.store import Store

if TYPE_CHECKING:
    from ctxsieve.agents import HandoffPackage, ReceivedHandoff
    from ctxsieve.config import Settings
    from ctxsieve.knowledge import KnowledgeBase
    from ctxsieve.ledger import AppliedReinjection, ContextLedger, Deficit, Delivery, ReinjectionPlan
    from ctxsieve.pipeline import Advice

__all__ = ["Session"]


class Session:
    """What one consumer was given and holds; a context manager.

    What is returned counts as received: callers that write it elsewhere first pass `confirm=False` and call `confirm`
    when it was written.
    """

    def __init__(
        self,
        root: Path,
        store: Store,
        *,
        session: str | None,
        consumer: str | None,
        settings: "Settings",
        clock: Callable[[], float],
        graph: Callable[[], ProjectGraph],
        rank: Callable[[str], Ranking],
        preload: Callable[..., Preload],
        read: Callable[..., tuple[Reading, ...]],
    ) -> None:
        self._context = ContextSession(
            store,
            root,
            session=session,
            consumer=consumer,
            ledger_options=settings.ledger,
            clock=clock,
            timer=time.perf_counter,
        )
        self._settings = settings
        self._graph = graph
        self._rank = rank
        self._preload = preload
        self._read = read
        self.clock = clock

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self._context.store.close()

    @property
    def root(self) -> Path:
        """The project's root."""
        return self._context.root

    @property
    def ledger(self) -> "ContextLedger":
        """The ledger of this consumer."""
        return self._context.ledger

    @property
    def knowledge(self) -> "KnowledgeBase":
        """The facts that all agents on this project share."""
        from ctxsieve.knowledge import KnowledgeBase

        return KnowledgeBase(self._context.store)

    def read(
        self,
        paths: Sequence[str],
        *,
        mode: str = "full",
        task: str = "",
        budget_tokens: int | None = None,
        style: Style = Style.TEXT,
        is_framed: bool = True,
        frames_loss: bool = False,
        confirm: bool = True,
    ) -> SessionAnswer:
        """Read files in a mode; text that a named consumer holds already comes as a stub, `diff` as changes.

        `task` and `budget_tokens` are as in `Project.read`; `auto` heeds how full the consumer's window is.
        `is_framed` puts headers over the texts; `frames_loss` does so where one of them is not its file's bytes.
        """

        def read(named: Sequence[str], in_mode: str) -> tuple[Reading, ...]:
            window = self._context.window() if in_mode == "auto" else None
            return self._read(named, mode=in_mode, task=task, budget_tokens=budget_tokens, window=window)

        answer = self._context.read(
            paths, mode=mode, style=style, is_framed=is_framed, frames_loss=frames_loss, read=read
        )
        if confirm:
            self.confirm(answer.delivery)
        return answer

    def preload(
        self,
        task: str,
        *,
        budget_tokens: int | None = None,
        style: Style = Style.TEXT,
        role: str | None = None,
        on_progress: ProgressCallback | None = None,
        confirm: bool = True,
    ) -> PreloadAnswer:
        """Return the context for a task and record it; see `Project.preload`.

        A file of which a named consumer holds all that would be shown comes as one line, and others get its tokens.
        """
        preload = self._preload(
            task,
            budget_tokens=budget_tokens,
            style=style,
            role=role,
            on_progress=on_progress,
            held=self._context.held_texts if self._context.is_named else None,
        )
        answer = self._context.record_preload(preload)
        if confirm:
            self.confirm(answer.delivery)
        return answer

    def confirm(self, delivery: "Delivery | None") -> None:
        """Note that the consumer has the text of a delivery."""
        self._context.confirm(delivery)

    def advise(self, task: str = "", *, targets: Sequence[str] = (), incoming_tokens: int = 0) -> "Advice":
        """Plan what should leave the window, and say what the task lacks; nothing is changed."""
        from ctxsieve.pipeline import advise

        if not task.strip():
            return advise(self._context, targets=targets, incoming_tokens=incoming_tokens)
        intent = parse_intent(task)
        return advise(
            self._context,
            targets=(*targets, *intent.targets),
            relevance={file.path: file.score for file in self._rank(task).files},
            incoming_tokens=incoming_tokens,
            deficits=self.find_deficits(task),
        )

    def apply(self, plan: "ReinjectionPlan", *, confirm: bool = True) -> "AppliedReinjection":
        """Carry a plan out: its text takes the place of what the consumer drops."""
        return self.ledger.apply(plan, now_seconds=self.clock(), was_received=confirm)

    def find_deficits(self, task: str) -> "list[Deficit]":
        """What a task needs and the window lacks."""
        from ctxsieve.pipeline import find_project_deficits

        loaded = [entry.path for entry in self.ledger.entries() if entry.path]
        return find_project_deficits(self._graph(), parse_intent(task), loaded=loaded)

    def pack_handoff(self, *, task: str = "", note: str = "", role: str = "") -> "HandoffPackage":
        """Bundle this session for another agent, with all facts."""
        if role:
            self._settings.agents.depth_of(role)
        from ctxsieve.pipeline import pack_session

        return pack_session(
            self._context,
            project=self._context.root.name,
            role=role,
            task=task,
            note=note,
            intent=parse_intent(task) if task.strip() else None,
            facts=self.knowledge.facts(),
        )

    def receive_handoff(self, package: "HandoffPackage", *, confirm: bool = True) -> "ReceivedHandoff":
        """Start this session with what another agent handed over."""
        from ctxsieve.pipeline import receive_session

        received = receive_session(self._context, package)
        if confirm:
            self.confirm(received.delivery)
        return received
