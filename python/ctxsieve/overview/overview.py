"""The map of a project within a token budget (docs/graph.md)."""

from collections.abc import Sequence
from pathlib import Path

from ctxsieve.errors import InputError
from ctxsieve.fragments import one_line
from ctxsieve.graph import CommunityOptions, ProjectGraph
from ctxsieve.intent import parse_intent
from ctxsieve.overview.facts import ProjectFacts, gather_facts
from ctxsieve.overview.options import OverviewOptions
from ctxsieve.overview.outlines import KeyFile, Outline, OutlineOptions, render_outlines
from ctxsieve.relevance import Ranking
from ctxsieve.tokens import count_tokens, truncate_at_line
from ctxsieve.values import dataclass, field

__all__ = ["Overview", "OverviewRequest", "write_overview"]

# Without a task nothing says where to look: the budget spreads over the hubs.
_SPECIFICITY_WITHOUT_TASK = 0.3
_OUTLINE_TITLE = "## definitions\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewRequest:
    """What an overview is asked for.

    Attributes:
        task: what it is wanted for; empty for the project as a whole.
        ranking: the files that matter for the task; None without one.
        budget_tokens: hard bound on the text.
        memory: where parsed definitions are remembered.
        threads: at most so many parse at the same time.
    """

    task: str
    ranking: Ranking | None
    budget_tokens: int
    memory: Path
    threads: int


@dataclass(frozen=True, slots=True)
class Overview:
    """The map: one text within the budget, and the facts that it was cut from.

    Attributes:
        text: what to read.
        tokens: exact count of `text`.
        budget_tokens: its bound.
        facts: everything that was known, also what had no room.
        outlines: the files whose definitions are shown.
    """

    text: str
    tokens: int
    budget_tokens: int
    facts: ProjectFacts
    outlines: tuple[Outline, ...]


@dataclass(slots=True)
class _Section:
    """Rows under a title; of two sections the heavier one gets more rows when room is scarce."""

    title: str
    weight: float
    rows: list[str]
    total: int
    shown: int = field(default=0)


def write_overview(
    graph: ProjectGraph,
    request: OverviewRequest,
    *,
    options: OverviewOptions,
    outline_options: OutlineOptions,
    community_options: CommunityOptions,
) -> Overview:
    """Return the overview of a project; its text never costs more than the budget.

    Raises:
        InputError: the budget is below 1.
    """
    budget = request.budget_tokens
    if budget < 1:
        raise InputError(f"budget is {budget} tokens: it must be 1 or more")
    facts = gather_facts(graph, request.ranking, community_options)
    head = _head(facts, request.task)
    sections = _sections(facts, options)
    for_outlines = budget * options.outline_percent // 100
    _fill(head, sections, budget - for_outlines)
    rest = budget - count_tokens(_spell(head, sections)) - count_tokens(_OUTLINE_TITLE)
    intent = parse_intent(request.task) if request.task.strip() else None
    outlines = (
        render_outlines(
            graph,
            _key_files(facts),
            request.ranking,
            budget_tokens=rest,
            specificity=intent.specificity if intent else _SPECIFICITY_WITHOUT_TASK,
            options=outline_options,
            memory=request.memory,
            threads=request.threads,
        )
        if rest > 0 and for_outlines
        else []
    )
    # What the definitions leave over goes back to the sections.
    _fill(head, sections, budget, outlines)
    return _within_budget(head, sections, outlines, facts, budget)


def _within_budget(
    head: str, sections: Sequence[_Section], outlines: list[Outline], facts: ProjectFacts, budget: int
) -> Overview:
    """Return the text; tokens of a whole are not the sum of its parts', so that the last outlines may have to go."""
    while True:
        text = _spell(head, sections, outlines)
        tokens = count_tokens(text)
        if tokens <= budget:
            return Overview(text, tokens, budget, facts, tuple(outlines))
        if not outlines:
            text = truncate_at_line(text, budget)
            return Overview(text, count_tokens(text), budget, facts, ())
        outlines = outlines[:-1]


def _head(facts: ProjectFacts, task: str) -> str:
    title = f"# {one_line(facts.name)}"
    if facts.description:
        title += f": {facts.description}"
    lines = [title, f"{facts.files:,} files, {facts.lines:,} lines, {facts.edges:,} dependencies"]
    if task.strip() and not facts.has_match:
        lines.append("No file matches the task; this is the project as a whole.")
    return "".join(f"{line}\n" for line in lines)


def _sections(facts: ProjectFacts, options: OverviewOptions) -> list[_Section]:
    related = [f"{file.score:.2f} {file.path} ({', '.join(file.words)})" for file in facts.related]
    communities = [
        f"{one.id} {one.name} ({len(one.paths)} files, {one.lines:,} lines, cohesion {one.cohesion:.2f})"
        + (f"; hubs {', '.join(one.hubs[:2])}" if one.hubs else "")
        for one in facts.communities.communities
    ]
    hubs = [f"{hub.path} (used by {hub.dependents}, uses {hub.dependencies})" for hub in facts.hubs]
    entries = [f"{entry.path} ({entry.reason})" for entry in facts.entry_points]
    folders = [f"{one.path} ({one.files} files, {one.lines:,} lines, {one.role})" for one in facts.folders]
    languages = [f"{one.language} {one.lines:,} lines in {one.files} files" for one in facts.languages]
    wanted = [
        ("close to the task", 20.0, related, options.related),
        ("languages", 6.0, languages, options.languages),
        ("folders", 6.0, folders, options.folders),
        ("entry points", 6.0, entries, options.entry_points),
        ("hubs", 10.0, hubs, options.hubs),
        ("communities", 12.0, communities, options.communities),
    ]
    return [
        _Section(title, weight, [one_line(row) for row in rows[:most]], len(rows))
        for title, weight, rows, most in wanted
        if rows[:most]
    ]


def _fill(head: str, sections: Sequence[_Section], budget: int, outlines: Sequence[Outline] = ()) -> None:
    """Show as many rows as fit: sections take turns, in proportion to their weights."""
    turns = sorted(
        ((position + 1) / section.weight, number)
        for number, section in enumerate(sections)
        for position in range(len(section.rows))
    )
    low, high = 0, len(turns)
    while low < high:
        middle = (low + high + 1) // 2
        _show(sections, turns[:middle])
        if count_tokens(_spell(head, sections, outlines)) <= budget:
            low = middle
        else:
            high = middle - 1
    _show(sections, turns[:low])


def _show(sections: Sequence[_Section], turns: Sequence[tuple[float, int]]) -> None:
    for section in sections:
        section.shown = 0
    for _, number in turns:
        sections[number].shown += 1


def _spell(head: str, sections: Sequence[_Section], outlines: Sequence[Outline] = ()) -> str:
    parts = [head]
    for section in sections:
        if section.shown:
            more = section.total - section.shown
            parts.append(f"## {section.title}\n")
            parts += [f"{row}\n" for row in section.rows[: section.shown]]
            parts += [f"... {more} more\n"] if more else []
    if outlines:
        parts += [_OUTLINE_TITLE, *(outline.text for outline in outlines)]
    return "".join(parts)


def _key_files(facts: ProjectFacts) -> list[KeyFile]:
    """Return the files closest to the task, else the hubs."""
    if facts.related:
        return [KeyFile(file.path, file.score) for file in facts.related]
    return [KeyFile(hub.path, hub.importance) for hub in facts.hubs]
