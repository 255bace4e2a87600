"""Import cycles as they are when the program runs: without imports inside of functions and of types alone."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ctxsieve.errors import PathError
from ctxsieve.graph import Cycle, Edges, Index, ProjectGraph, find_cycles
from ctxsieve.jail import read_inside
from ctxsieve.languages import ProjectView, resolve_imports
from ctxsieve.smells.findings import Place, Smell, SmellKind, Weights
from ctxsieve.smells.options import SmellOptions

__all__ = ["find_cycle_smells"]

# In these languages files of one unit see each other by design, and a cycle of files is no cycle of modules.
_CYCLES_ARE_NORMAL = frozenset({"rust", "java", "kotlin", "scala", "csharp", "swift", "haskell", "ocaml", "elixir"})
_TYPE_ONLY = re.compile(
    r"(?:import|export)\s+type\b(?!\s*(?:,|from\b\s*['\"]))"
    r"|(?:import|export)\s*\{\s*type\s[^,}]*(?:,\s*type\s[^,}]*)*,?\s*\}\s*from\b"
)
_TYPED = frozenset({"typescript", "tsx"})


def find_cycle_smells(
    graph: ProjectGraph, documents: set[int], weights: Weights, options: SmellOptions
) -> Iterator[Smell]:
    """Yield one finding per group of files among `documents` that import each other when they are loaded."""
    if not options.cycle_files:
        return
    index = graph.index
    for cycle in _loaded_cycles(graph):
        members = [document for path in cycle.paths if (document := index.document(path)) is not None]
        if len(members) < options.cycle_files or not documents.issuperset(members):
            continue
        if any(index.languages[document] in _CYCLES_ARE_NORMAL for document in members):
            continue
        # The blast is that of the member on which most rests.
        heaviest = max(members, key=lambda document: (float(weights.importance[document]), -document))
        chain = " -> ".join((*cycle.example, cycle.example[0]))
        yield weights.smell(
            SmellKind.CYCLE,
            heaviest,
            Place(cycle.example[0], 1, 1),
            value=len(members),
            threshold=options.cycle_files,
            message=f"{len(members)} files import each other: {chain}",
            related=tuple(Place(path, 1, 1) for path in cycle.example[1:]),
        )


def _loaded_cycles(graph: ProjectGraph) -> tuple[Cycle, ...]:
    """Return the cycles that are left when members of cycles keep only what they import while they are loaded."""
    index = graph.index
    cycles = find_cycles(graph)
    paths = {path for cycle in cycles for path in cycle.paths}
    suspects = [document for path in sorted(paths) if (document := index.document(path)) is not None]
    suspects = [document for document in suspects if index.languages[document] in {"python", *_TYPED}]
    if not suspects:
        return cycles
    left = _edges_when_loaded(index, suspects)
    is_suspect = np.zeros(len(index), dtype=bool)
    is_suspect[suspects] = True
    kept = ~is_suspect[graph.edges.source]
    edges = Edges(
        len(index),
        np.concatenate((graph.edges.source[kept], left.source)),
        np.concatenate((graph.edges.target[kept], left.target)),
        np.concatenate((graph.edges.kind[kept], left.kind)),
    )
    return find_cycles(ProjectGraph(index, _sorted(edges)))


def _sorted(edges: Edges) -> Edges:
    order = np.lexsort((edges.kind, edges.target, edges.source))
    return Edges(edges.n_documents, edges.source[order], edges.target[order], edges.kind[order])


def _edges_when_loaded(index: Index, documents: Sequence[int]) -> Edges:
    """Return the edges of some documents by those of their import statements that run when a file is loaded."""
    table = index.statements()
    is_kept = np.zeros(len(table.documents), dtype=bool)
    for document in documents:
        rows = np.flatnonzero(table.documents == document)
        is_kept[rows] = _runs_when_loaded(
            index, document, [table.texts[i] for i in table.text_ids[rows]], table.lines[rows]
        )
    view = ProjectView(
        paths=index.paths,
        languages=index.languages,
        texts=table.texts,
        statement_documents=table.documents[is_kept],
        statement_texts=table.text_ids[is_kept],
        statement_lines=table.lines[is_kept],
        read_bytes=lambda path: read_inside(index.root, path),
        documents_defining=index.documents_defining,
    )
    found = resolve_imports(view)
    chosen = np.isin(found.source, np.array(documents, dtype=np.uint32))
    return Edges(len(index), found.source[chosen], found.target[chosen], found.kind[chosen])


def _runs_when_loaded(
    index: Index, document: int, texts: Sequence[str], lines: npt.NDArray[np.uint32]
) -> npt.NDArray[np.bool_]:
    """Say for each statement whether it stands at the left margin (Python), or imports more than types (TypeScript)."""
    if index.languages[document] in _TYPED:
        return np.array([_TYPE_ONLY.match(text) is None for text in texts], dtype=bool)
    try:
        source = read_inside(index.root, index.paths[document]).split(b"\n")
    except PathError:
        return np.ones(len(texts), dtype=bool)
    return np.array([line > len(source) or not source[line - 1][:1].isspace() for line in lines.tolist()], dtype=bool)
