"""Turns import statements into edges between files, right per language (docs/graph.md).

One module per family of languages holds a subclass of `ImportResolver` named `Resolver`; `resolver` in language.toml
names the module.
"""

import importlib
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from ctxsieve.languages.registry import LANGUAGES
from ctxsieve.languages.resolution.naming import test_edges
from ctxsieve.languages.resolution.project import (
    EdgeKind,
    Edges,
    ImportResolver,
    Project,
    ProjectView,
    Target,
)

__all__ = ["EdgeKind", "Edges", "ProjectView", "manifest_names", "resolve_imports"]


@cache
def _resolver(name: str) -> type[ImportResolver]:
    resolver: type[ImportResolver] = importlib.import_module(f"ctxsieve.languages.resolution.{name}").Resolver
    return resolver


def manifest_names() -> frozenset[str]:
    """Return the base names of the files that resolution reads; it never reads another."""
    names = {language.resolver for language in LANGUAGES.values() if language.resolver is not None}
    return frozenset().union(*(_resolver(name).manifest_names for name in names))


def resolve_imports(view: ProjectView) -> Edges:
    """Return all dependencies between the files of a project; a pure function of the view."""
    project = Project(view)
    families: dict[str, list[int]] = {}
    for name, documents in project.by_language.items():
        language = LANGUAGES.get(name)
        if language is not None and language.resolver is not None:
            families.setdefault(language.resolver, []).extend(documents)
    parts = [_as_array(test_edges(project))]
    for name in sorted(families):
        resolver = _resolver(name)(project, sorted(families[name]))
        parts.append(_statement_edges(resolver, view, project))
        parts.append(_as_array(resolver.further_edges()))
    return _finish(parts)


def _as_array(edges: Iterable[tuple[int, int, EdgeKind]]) -> npt.NDArray[np.int64]:
    rows = [(source, target, int(kind)) for source, target, kind in edges]
    return np.array(rows, dtype=np.int64).reshape(len(rows), 3)


def _statement_edges(resolver: ImportResolver, view: ProjectView, project: Project) -> npt.NDArray[np.int64]:
    """Resolve each distinct (text, context) once and spread the answers over the documents."""
    mine = np.zeros(len(project.paths), dtype=bool)
    mine[resolver.own] = True
    rows = np.flatnonzero(mine[view.statement_documents]) if len(view.statement_documents) else np.zeros(0, np.int64)
    if not len(rows):
        return np.zeros((0, 3), dtype=np.int64)
    documents = view.statement_documents[rows].astype(np.int64)
    numbers: dict[object, int] = {}
    contexts = np.zeros(len(project.paths), dtype=np.int64)
    for document in np.unique(documents).tolist():
        contexts[document] = numbers.setdefault(resolver.context_of(document), len(numbers))
    keys = view.statement_texts[rows].astype(np.int64) * len(numbers) + contexts[documents]
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    answers = [
        list(dict.fromkeys(resolver.targets_of(view.texts[text], document)))
        for text, document in zip(view.statement_texts[rows[first]].tolist(), documents[first].tolist(), strict=True)
    ]
    return _spread(answers, inverse, documents)


def _spread(
    answers: Sequence[Sequence[Target]], inverse: npt.NDArray[np.int64], documents: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    counts = np.array([len(answer) for answer in answers], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(counts)))
    flat = np.array([(target, int(kind)) for answer in answers for target, kind in answer], dtype=np.int64)
    flat = flat.reshape(int(starts[-1]), 2)
    repeats = counts[inverse]
    positions = np.arange(int(repeats.sum())) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    taken = flat[np.repeat(starts[:-1][inverse], repeats) + positions]
    return np.column_stack((np.repeat(documents, repeats), taken)) if len(taken) else np.zeros((0, 3), dtype=np.int64)


def _finish(parts: Sequence[npt.NDArray[np.int64]]) -> Edges:
    edges = np.concatenate(parts)
    edges = edges[edges[:, 0] != edges[:, 1]]
    # One sortable number per edge: 28 bits for each document, 8 for the kind.
    packed = np.unique((edges[:, 0] << 36) | (edges[:, 1] << 8) | edges[:, 2])
    return Edges(
        (packed >> 36).astype(np.uint32),
        ((packed >> 8) & ((1 << 28) - 1)).astype(np.uint32),
        (packed & 0xFF).astype(np.uint8),
    )
