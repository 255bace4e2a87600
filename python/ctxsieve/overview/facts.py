"""What an overview knows of a project before anything is cut to a budget."""

from collections import Counter

import numpy as np

from ctxsieve.graph import (
    Communities,
    CommunityOptions,
    ProjectGraph,
    find_communities,
    rank_importance,
)
from ctxsieve.languages import LANGUAGES, LanguageKind
from ctxsieve.overview.descriptions import describe_project
from ctxsieve.overview.entry_points import EntryPoint, find_entry_points
from ctxsieve.relevance import Ranking
from ctxsieve.values import dataclass

__all__ = ["Folder", "Hub", "LanguageShare", "ProjectFacts", "RelatedFile", "gather_facts"]

_MOST_HUBS = 200
_DEEPEST_FOLDER = 3


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """Files and lines of one language."""

    language: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder at the top, or directly below a folder that holds most of the source."""

    path: str
    files: int
    lines: int
    role: str


@dataclass(frozen=True, slots=True)
class Hub:
    """A file that much rests on.

    `importance` is the uniform PageRank scaled to 1, `dependents` the number of files that import it, tests included.
    """

    path: str
    importance: float
    dependents: int
    dependencies: int


@dataclass(frozen=True, slots=True)
class RelatedFile:
    """A file close to the task, with its relevance and the words that gave most of it."""

    path: str
    score: float
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """Everything an overview can show; lists are by falling weight, ties to the smaller path."""

    name: str
    description: str
    files: int
    lines: int
    size_bytes: int
    edges: int
    languages: tuple[LanguageShare, ...]
    folders: tuple[Folder, ...]
    entry_points: tuple[EntryPoint, ...]
    hubs: tuple[Hub, ...]
    communities: Communities
    related: tuple[RelatedFile, ...]
    has_match: bool


def gather_facts(graph: ProjectGraph, ranking: Ranking | None, community_options: CommunityOptions) -> ProjectFacts:
    """Return the facts of a graph; `ranking` is that of the task, where there is one."""
    index = graph.index
    has_match = ranking is not None and ranking.has_match
    return ProjectFacts(
        name=index.root.name,
        description=describe_project(index),
        files=len(index),
        lines=int(index.line_counts.sum()),
        size_bytes=int(index.size_bytes.sum()),
        edges=len(graph.edges.source),
        languages=_languages(graph),
        folders=_folders(graph),
        entry_points=find_entry_points(index),
        hubs=_hubs(graph),
        communities=find_communities(graph, community_options),
        related=_related(ranking) if ranking is not None and has_match else (),
        has_match=has_match,
    )


def _languages(graph: ProjectGraph) -> tuple[LanguageShare, ...]:
    index = graph.index
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for language, count in zip(index.languages, index.line_counts.tolist(), strict=True):
        if language is not None:
            files[language] += 1
            lines[language] += count
    # Code first: a project is not written in the language of its fixtures.
    order = sorted(lines, key=lambda name: (LANGUAGES[name].kind is not LanguageKind.CODE, -lines[name], name))
    return tuple(LanguageShare(name, files[name], lines[name]) for name in order)


def _folders(graph: ProjectGraph) -> tuple[Folder, ...]:
    """Return the folders at the top; one that holds most of the source is opened."""
    index = graph.index
    rows = list(zip(index.paths, index.roles, index.line_counts.tolist(), strict=True))
    opened: set[str] = set()
    source = [path for path, role, _ in rows if role == "source"]
    prefix = ""
    for _ in range(_DEEPEST_FOLDER):
        inside = (path[len(prefix) :] for path in source if path.startswith(prefix))
        tops = Counter(rest.partition("/")[0] for rest in inside if "/" in rest)
        name, count = max(tops.items(), key=lambda item: (item[1], item[0]), default=("", 0))
        if count * 2 < len(source) or not count:
            break
        prefix += f"{name}/"
        opened.add(prefix)
    groups: dict[str, list[tuple[str, int]]] = {}
    for path, role, lines in rows:
        folder = _folder_of(path, opened)
        if folder:
            groups.setdefault(folder, []).append((role, lines))
    folders = [
        Folder(folder, len(found), sum(lines for _, lines in found), _main_role(found))
        for folder, found in sorted(groups.items())
    ]
    return tuple(sorted(folders, key=lambda folder: (-folder.lines, folder.path)))


def _main_role(files: list[tuple[str, int]]) -> str:
    """Return the role that most lines have."""
    lines: Counter[str] = Counter()
    for role, count in files:
        lines[role] += count + 1
    return min(lines, key=lambda role: (-lines[role], role))


def _folder_of(path: str, opened: set[str]) -> str:
    start = 0
    while (end := path.find("/", start)) >= 0:
        folder = path[: end + 1]
        if folder not in opened:
            return folder
        start = end + 1
    return ""


def _hubs(graph: ProjectGraph) -> tuple[Hub, ...]:
    index, edges = graph.index, graph.edges
    importance = rank_importance(edges)
    if not len(importance):
        return ()
    dependencies, dependents = (np.bincount(ends, minlength=len(index)) for ends in edges.pairs.T)
    is_hub = np.array([role == "source" for role in index.roles]) & (dependents > 0)
    documents = np.flatnonzero(is_hub)
    order = documents[np.argsort(-importance[documents], kind="stable")][:_MOST_HUBS]
    largest = float(importance[order].max()) if len(order) else 1.0
    return tuple(
        Hub(
            index.paths[document],
            round(float(importance[document]) / largest, 4),
            int(dependents[document]),
            int(dependencies[document]),
        )
        for document in order.tolist()
    )


def _related(ranking: Ranking) -> tuple[RelatedFile, ...]:
    return tuple(
        RelatedFile(
            file.path, round(file.score, 4), tuple(word for word, _ in ranking.explain(file.document).terms[:4])
        )
        for file in ranking.files[:100]
    )
