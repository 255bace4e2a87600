"""What should leave a window that fills up, and what goes in its place (docs/ledger.md).

A plan is a frozen value: it holds the replacement text that its numbers were counted on, and
`ContextLedger.apply` carries it out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from ctxsieve.errors import InputError
from ctxsieve.ledger.entries import Delivery, LedgerEntry
from ctxsieve.ledger.options import LedgerOptions
from ctxsieve.ledger.pressure import (
    Pressure,
    largest_without,
    pressure_of,
)
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass

__all__ = [
    "AppliedReinjection",
    "Downgrade",
    "Eviction",
    "ReinjectionPlan",
    "Renderer",
    "Rendering",
    "is_target",
    "plan_reinjection",
]

# Where both free the same, the API surface says more than the outline.
REPLACEMENT_MODES = ("signatures", "map")
# What is already this small gains nothing.
_SMALL_MODES = frozenset({"signatures", "reference", "stub"})


@dataclass(frozen=True, slots=True)
class Rendering:
    """One file in one mode: the block as it would be emitted, and the hash and size of the file that it shows.

    `text_hash` is that of the shown content without its frame, see `SentItem`.
    """

    text: str
    content_hash: str
    original_tokens: int
    text_hash: str = ""


class Renderer(Protocol):
    """Renders a file in a mode; None where the file is gone or has no such form."""

    def __call__(self, path: str, mode: str) -> Rendering | None:
        """The file as `mode` shows it now."""


@dataclass(frozen=True, slots=True)
class Downgrade:
    """One file that is replaced by a smaller form; `from_mode` joins several resident modes with +."""

    path: str
    from_mode: str
    to_mode: str
    held_tokens: int
    replacement_tokens: int
    original_tokens: int
    content_hash: str
    text: str
    text_hash: str
    entry_ids: tuple[int, ...]

    @property
    def freed_tokens(self) -> int:
        """What the window gains."""
        return self.held_tokens - self.replacement_tokens


@dataclass(frozen=True, slots=True)
class Eviction:
    """One file that should leave the window without replacement."""

    path: str
    mode: str
    held_tokens: int
    entry_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReinjectionPlan:
    """What to do with a window, in order; nothing has happened yet.

    `resident_after_tokens` counts what the replacement text costs as a whole and leaves `incoming_tokens` out.
    `protected` are the targets that were left alone.
    """

    pressure: Pressure
    window_tokens: int
    resident_tokens: int
    incoming_tokens: int
    evictions: tuple[Eviction, ...]
    downgrades: tuple[Downgrade, ...]
    protected: tuple[str, ...]
    text: str
    text_tokens: int

    @property
    def freed_tokens(self) -> int:
        """What the window gains in all."""
        evicted = sum(item.held_tokens for item in self.evictions)
        return evicted + sum(item.held_tokens for item in self.downgrades) - self.text_tokens

    @property
    def resident_after_tokens(self) -> int:
        """What the window holds when the plan was carried out."""
        return self.resident_tokens - self.freed_tokens

    @property
    def fits(self) -> bool:
        """Whether what comes in fits into the window then."""
        return self.resident_after_tokens + self.incoming_tokens <= self.window_tokens

    @property
    def evicted_paths(self) -> frozenset[str]:
        """The files that leave without replacement."""
        return frozenset(item.path for item in self.evictions)

    def replaced_entries(self) -> list[tuple[str, tuple[int, ...]]]:
        """Path and ledger entries of everything that leaves the window."""
        evicted = [(item.path, item.entry_ids) for item in self.evictions]
        return evicted + [(item.path, item.entry_ids) for item in self.downgrades]


@dataclass(frozen=True, slots=True)
class AppliedReinjection:
    """A plan that was carried out: the text that the consumer gets in place of what it drops."""

    text: str
    text_tokens: int
    freed_tokens: int
    resident_before_tokens: int
    resident_after_tokens: int
    delivery: Delivery | None


@dataclass(frozen=True, slots=True)
class _Held:
    path: str
    mode: str
    tokens: int
    entry_ids: tuple[int, ...]


def plan_reinjection(
    entries: Iterable[LedgerEntry],
    *,
    window_tokens: int,
    render: Renderer,
    targets: Sequence[str] = (),
    relevance: Mapping[str, float] | None = None,
    incoming_tokens: int = 0,
    options: LedgerOptions | None = None,
) -> ReinjectionPlan:
    """Plan how to bring a window back to at most 70 % of its size.

    Files go in the order of falling relevance from the end (unknown counts as 0), of equal ones the larger first,
    then the smaller path. Above 90 %, files are evicted until 90 % is reached; above 70 %, the remaining ones are
    replaced by whichever of signatures and map is smaller, until 70 % is reached or nothing is left to replace.
    Targets are never touched.

    Args:
        entries: The resident entries of one consumer.
        window_tokens: The size of the window.
        render: Gives the forms that could replace a file.
        targets: What the task is about: paths, their ends (`auth.rs`), or folders.
        relevance: Scores by path.
        incoming_tokens: What is about to be sent and has to fit as well.
        options: Thresholds in the place of 70 % and 90 %.
    """
    options = options or LedgerOptions()
    if incoming_tokens < 0:
        raise InputError(f"incoming_tokens is {incoming_tokens}: it must be 0 or more")
    entries = list(entries)
    resident = sum(entry.sent_tokens for entry in entries)
    pressure = pressure_of(resident + incoming_tokens, window_tokens, options)
    files = _group_by_path(entries)
    scores = relevance or {}
    files.sort(key=lambda held: (scores.get(held.path, 0.0), -held.tokens, held.path))
    candidates = [held for held in files if not is_target(held.path, targets)]
    load = resident + incoming_tokens
    evictions: list[Eviction] = []
    while load > largest_without(options.evict_above_percent, window_tokens) and candidates:
        held = candidates.pop(0)
        evictions.append(Eviction(held.path, held.mode, held.tokens, held.entry_ids))
        load -= held.tokens
    downgrades: list[Downgrade] = []
    for held in candidates:
        if load <= largest_without(options.compress_above_percent, window_tokens):
            break
        if (downgrade := _smallest_form(held, render)) is not None:
            downgrades.append(downgrade)
            load -= downgrade.freed_tokens
    text = "".join(downgrade.text for downgrade in downgrades)
    return ReinjectionPlan(
        pressure=pressure,
        window_tokens=window_tokens,
        resident_tokens=resident,
        incoming_tokens=incoming_tokens,
        evictions=tuple(evictions),
        downgrades=tuple(downgrades),
        protected=tuple(sorted(held.path for held in files if is_target(held.path, targets))),
        text=text,
        text_tokens=count_tokens(text),
    )


def is_target(path: str, targets: Iterable[str]) -> bool:
    """Whether a path is one of the targets: itself, its end after a slash, or below a folder that is one."""
    for target in targets:
        name = target.removeprefix("./").rstrip("/")
        if name and (path == name or path.endswith("/" + name) or path.startswith(name + "/")):
            return True
    return False


def _group_by_path(entries: Iterable[LedgerEntry]) -> list[_Held]:
    groups: dict[str, list[LedgerEntry]] = {}
    for entry in entries:
        if entry.path:
            groups.setdefault(entry.path, []).append(entry)
    return [
        _Held(
            path,
            "+".join(dict.fromkeys(entry.mode for entry in group)),
            sum(entry.sent_tokens for entry in group),
            tuple(entry.id for entry in group),
        )
        for path, group in groups.items()
    ]


def _smallest_form(held: _Held, render: Renderer) -> Downgrade | None:
    if set(held.mode.split("+")) <= _SMALL_MODES:
        return None
    forms = [(form, mode) for mode in REPLACEMENT_MODES if (form := render(held.path, mode)) is not None]
    sized = [(count_tokens(form.text), form, mode) for form, mode in forms]
    tokens, form, mode = min(sized, key=lambda item: item[0], default=(held.tokens, None, ""))
    if form is None or tokens >= held.tokens:
        return None
    return Downgrade(
        path=held.path,
        from_mode=held.mode,
        to_mode=mode,
        held_tokens=held.tokens,
        replacement_tokens=tokens,
        original_tokens=form.original_tokens,
        content_hash=form.content_hash,
        text=form.text,
        text_hash=form.text_hash,
        entry_ids=held.entry_ids,
    )
