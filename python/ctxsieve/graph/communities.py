"""Communities: groups of files that depend on each other more than on the rest (Louvain)."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ctxsieve import _kernels
from ctxsieve.graph.build import ProjectGraph
from ctxsieve.graph.community_options import CommunityOptions
from ctxsieve.graph.coupling import coupling_matrix, edge_weights
from ctxsieve.graph.edges import Edges
from ctxsieve.graph.index import Index
from ctxsieve.values import dataclass, replace

__all__ = ["Communities", "Community", "find_communities"]

_ID_CHARACTERS = 8
_HUBS = 3
_TERMS = 4
# A term says what a group shares when at least this share of its files has it.
_LEAST_TERM_SHARE = 0.15
# Names are found in so many files of a group and so many definitions of a file; more would not change them.
_SAMPLED_FILES = 64
_SAMPLED_DEFINITIONS = 40
# The common folder holds at least this share of the files.
_FOLDER_SHARE = 0.4
# Files that lean on others without being part of what those are.
_FOLLOWERS = frozenset({"test", "example", "docs", "vendored", "generated", "minified", "binary"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SHORTEST_TERM = 3
# What names of any project have.
_EMPTY_WORDS = frozenset(
    re.findall(
        r"\w+",
        "init main index test tests get set add new from with for the and self util utils common base core lib src mod "
        "has can run type types value values name names data file files item items list make create default impl",
    )
)


@dataclass(frozen=True, slots=True)
class Community:
    """A group of files.

    Attributes:
        id: stays while most members stay: the smallest digest of a member's path.
        name: the folder that many members share, and what tells the group from others.
        folder: the deepest folder that holds two files of five; empty for the root.
        terms: words of names that are frequent in the group and rare outside, the most telling first.
        paths: its files, sorted.
        tests: test files that lean on this group most; they had no part in finding it.
        hubs: the files that the others of the group lean on most.
        cohesion: share of the members' edge weight that stays inside, 0..1.
        lines: of all files.
        languages: by falling number of files.
    """

    id: str
    name: str
    folder: str
    terms: tuple[str, ...]
    paths: tuple[str, ...]
    tests: tuple[str, ...]
    hubs: tuple[str, ...]
    cohesion: float
    lines: int
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Communities:
    """All communities, the largest first, ties to the smaller path.

    Attributes:
        communities: those of enough files.
        modularity: of the whole partition.
        files_outside: files with edges that belong to a group too small to be listed, or lean on none that is.
        files_alone: files without edges.
    """

    communities: tuple[Community, ...]
    modularity: float
    files_outside: int
    files_alone: int

    def community_of(self, path: str) -> Community | None:
        """Return the community of a file, None where it is in none that is listed."""
        return next((community for community in self.communities if path in community.paths), None)


def find_communities(graph: ProjectGraph, options: CommunityOptions | None = None) -> Communities:
    """Return the communities of the symmetrised dependency graph.

    Tests, examples, documentation, vendored and generated files have no part in it, unless there is nothing else.
    """
    options = options or CommunityOptions()
    is_linked = np.zeros(graph.edges.n_documents, dtype=bool)
    is_linked[graph.edges.source] = True
    is_linked[graph.edges.target] = True
    is_follower = np.array([role in _FOLLOWERS for role in graph.index.roles], dtype=bool)
    if not (is_linked & ~is_follower).any():
        is_follower[:] = False
    edges = _edges_among(graph.edges, ~is_follower)
    labels, modularity, _ = _kernels.louvain(*coupling_matrix(edges), resolution=options.resolution)
    members = [group for group in _groups(labels, is_linked & ~is_follower) if len(group) >= options.minimum_files]
    members.sort(key=lambda group: (-len(group), int(group[0])))
    label_of = np.full(edges.n_documents, -1, dtype=np.int64)
    for number, group in enumerate(members):
        label_of[group] = number
    tests = _tests_by_community(graph, label_of, len(members))
    terms = _TermCounts(graph.index, members)
    cohesions = _cohesions(edges, label_of, len(members))
    found = [
        _describe(graph.index, edges, group, terms.telling(number), cohesions[number], tests[number])
        for number, group in enumerate(members)
    ]
    listed = sum(len(community.paths) + len(community.tests) for community in found)
    return Communities(
        tuple(_with_unique_names(found)),
        modularity,
        files_outside=int(is_linked.sum()) - listed,
        files_alone=int((~is_linked).sum()),
    )


def _edges_among(edges: Edges, is_chosen: npt.NDArray[np.bool_]) -> Edges:
    inside = is_chosen[edges.source] & is_chosen[edges.target]
    return Edges(edges.n_documents, edges.source[inside], edges.target[inside], edges.kind[inside])


def _tests_by_community(graph: ProjectGraph, label_of: npt.NDArray[np.int64], count: int) -> list[tuple[str, ...]]:
    """Return by community the tests with most edge weight to it, ties to the larger community."""
    edges = graph.edges
    is_test = np.array([role == "test" for role in graph.index.roles], dtype=bool)
    chosen = is_test[edges.source] & (label_of[edges.source] < 0) & (label_of[edges.target] >= 0)
    pulls: dict[int, Counter[int]] = {}
    weights = edge_weights(edges)[chosen].tolist()
    labels = label_of[edges.target[chosen]].tolist()
    for document, label, weight in zip(edges.source[chosen].tolist(), labels, weights, strict=True):
        pulls.setdefault(document, Counter())[label] += weight
    tests: list[list[str]] = [[] for _ in range(count)]
    for document in sorted(pulls):
        best = min(pulls[document].items(), key=lambda item: (-item[1], item[0]))[0]
        tests[best].append(graph.index.paths[document])
    return [tuple(paths) for paths in tests]


def _groups(labels: npt.NDArray[np.uint32], is_linked: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.int64]]:
    documents = np.flatnonzero(is_linked)
    if not len(documents):
        return []
    order = documents[np.argsort(labels[documents], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


def _cohesions(edges: Edges, label_of: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.float64]:
    """Return by community the share of the edge weight at its members that stays inside."""
    weights = edge_weights(edges)
    at_source, at_target = label_of[edges.source], label_of[edges.target]
    inside = _sum_by_label(at_source, weights * (at_source == at_target), count)
    # An edge inside touches its community at both ends.
    touching = _sum_by_label(at_source, weights, count) + _sum_by_label(at_target, weights, count) - inside
    return np.divide(inside, touching, out=np.zeros(count), where=touching > 0)


def _sum_by_label(labels: npt.NDArray[np.int64], weights: npt.NDArray[Any], count: int) -> npt.NDArray[np.float64]:
    chosen = labels >= 0
    return np.bincount(labels[chosen], weights[chosen], minlength=count).astype(np.float64)


def _describe(
    index: Index,
    edges: Edges,
    group: npt.NDArray[np.int64],
    terms: tuple[str, ...],
    cohesion: float,
    tests: tuple[str, ...],
) -> Community:
    paths = tuple(index.paths[document] for document in group.tolist())
    languages = Counter(language for document in group.tolist() if (language := index.languages[document]))
    folder = _shared_folder(paths)
    words = ", ".join(terms)
    return Community(
        # The digits in front are small in large groups, those at the end are evenly spread.
        id=min(hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest() for path in paths)[-_ID_CHARACTERS:],
        name=f"{folder or '.'}: {words}" if words else folder or ".",
        folder=folder,
        terms=terms,
        paths=paths,
        tests=tests,
        hubs=_hubs(index, edges, group),
        cohesion=round(float(cohesion), 4),
        lines=int(index.line_counts[group].sum()),
        languages=tuple(name for name, _ in sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
    )


def _shared_folder(paths: Sequence[str]) -> str:
    counts: Counter[str] = Counter()
    for path in paths:
        parts = path.split("/")[:-1]
        counts.update("/".join(parts[: depth + 1]) for depth in range(len(parts)))
    wide = [folder for folder, count in counts.items() if count >= _FOLDER_SHARE * len(paths)]
    return max(wide, key=lambda folder: (folder.count("/"), folder), default="")


def _hubs(index: Index, edges: Edges, group: npt.NDArray[np.int64]) -> tuple[str, ...]:
    """Return the members with most weight of edges from other members, ties to the smaller path."""
    is_member = np.zeros(edges.n_documents, dtype=bool)
    is_member[group] = True
    inside = is_member[edges.source] & is_member[edges.target]
    pulled = np.bincount(edges.target[inside], edge_weights(edges)[inside], minlength=edges.n_documents)[group]
    order = np.argsort(-pulled, kind="stable")[:_HUBS]
    return tuple(index.paths[group[i]] for i in order.tolist() if pulled[i] > 0)


class _TermCounts:
    """In how many files of each group each word stands: in the file's name, its folder's or a definition's."""

    def __init__(self, index: Index, groups: Sequence[npt.NDArray[np.int64]]) -> None:
        self._counts: list[Counter[str]] = []
        self._files: list[int] = []
        for group in groups:
            step = max(1, len(group) // _SAMPLED_FILES)
            sample = group[::step].tolist()
            self._counts.append(Counter(term for document in sample for term in _terms_of(index, document)))
            self._files.append(len(sample))
        self._in_all: Counter[str] = Counter()
        for counts in self._counts:
            self._in_all.update(counts)

    def telling(self, number: int) -> tuple[str, ...]:
        """Return the words that tell most about a group: share inside, times how much more frequent than outside."""
        files, others = self._files[number], sum(self._files) - self._files[number]
        scored = []
        for term, count in self._counts[number].items():
            share = count / files
            if count < 2 or share < _LEAST_TERM_SHARE:
                continue
            outside = (self._in_all[term] - count + 0.5) / (others + 1)
            scored.append((-share * np.log2(share / outside + 1), term))
        return tuple(term for _, term in sorted(scored)[:_TERMS])


def _terms_of(index: Index, document: int) -> set[str]:
    path = index.paths[document]
    folder, _, name = path.rpartition("/")
    names = [name.partition(".")[0], folder.rpartition("/")[2]]
    names += [definition.name for definition in index.definitions(document)[:_SAMPLED_DEFINITIONS]]
    return set(_words(names))


def _words(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        for match in _WORD.finditer(name):
            word = match[0].lower()
            if len(word) >= _SHORTEST_TERM and word not in _EMPTY_WORDS:
                yield word


def _with_unique_names(found: Sequence[Community]) -> Iterable[Community]:
    """Return the communities, those whose names would be equal with their id behind."""
    counts = Counter(community.name for community in found)
    for community in found:
        if counts[community.name] > 1:
            yield replace(community, name=f"{community.name} ({community.id})")
        else:
            yield community
