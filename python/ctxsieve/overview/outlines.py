"""The definitions of the key files: what the budget allows, the most telling first, no two alike (SPEC 2, 4, 7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ctxsieve import _kernels
from ctxsieve.budget import BudgetOptions, allocate_tokens, beta_of_specificity, file_count_limit
from ctxsieve.compress import SourceFile, parse_sources, read_source
from ctxsieve.errors import PathError
from ctxsieve.fragments import Definition, DefinitionKind, one_line
from ctxsieve.graph import ProjectGraph
from ctxsieve.jail import read_inside
from ctxsieve.languages import LANGUAGES
from ctxsieve.relevance import Ranking, TermMatcher
from ctxsieve.surprise import score_files
from ctxsieve.tokens import count_tokens

__all__ = ["KeyFile", "Outline", "render_outlines"]

_VALUES = frozenset({DefinitionKind.CONSTANT, DefinitionKind.VARIABLE, DefinitionKind.FIELD})
_LONGEST_ROW = 160
_LAMBDA = 0.7
# Line relevance of MMR (SPEC 7): lines about the task stay, of the others the alike ones go.
_BASE_RELEVANCE = 0.4
_TASK_RELEVANCE = 0.6
_MOST_ROWS_PER_FILE = 400


@dataclass(frozen=True, slots=True)
class KeyFile:
    """A file whose definitions are to be shown, with its relevance 0..1."""

    path: str
    relevance: float


@dataclass(frozen=True, slots=True)
class Outline:
    """The shown definitions of one file: `text` with its heading, `shown` of `definitions`."""

    path: str
    text: str
    shown: int
    definitions: int


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    depth: int
    parent: int | None


@dataclass(slots=True)
class _Candidate:
    key: KeyFile
    rows: list[_Row]
    values: npt.NDArray[np.float64]
    is_repeat: npt.NDArray[np.bool_]


def render_outlines(
    graph: ProjectGraph,
    files: Sequence[KeyFile],
    ranking: Ranking | None,
    *,
    budget_tokens: int,
    specificity: float,
    budget_options: BudgetOptions,
    memory: Path,
    threads: int,
) -> list[Outline]:
    """Return the outlines of files within a budget, in the order given; a file without room or definitions has none.

    The Boltzmann distribution of the relevances divides the budget. Inside a file the definitions that tell most (about
    the task, else by surprise) are shown in source order; of rows that repeat what an earlier one says none is.
    """
    chosen = files[: file_count_limit(budget_tokens, budget_options)]
    candidates = _score(_candidates(graph, chosen, memory, threads), ranking, threads)
    if not candidates or budget_tokens < 1:
        return []
    needs = [count_tokens(_spell(candidate, np.flatnonzero(~candidate.is_repeat))) for candidate in candidates]
    allocation = allocate_tokens(
        [candidate.key.relevance for candidate in candidates],
        needs,
        total_tokens=budget_tokens,
        beta=beta_of_specificity(specificity, budget_options),
        options=budget_options,
    )
    outlines: list[Outline] = []
    spare = 0
    for candidate, tokens in reversed(list(zip(candidates, allocation.tokens, strict=True))):
        outline = _fit(candidate, tokens + spare)
        spare += tokens - (count_tokens(outline.text) if outline else 0)
        outlines += [outline] if outline else []
    return outlines[::-1]


def _candidates(graph: ProjectGraph, files: Sequence[KeyFile], memory: Path, threads: int) -> list[_Candidate]:
    keys, sources = [], []
    for key in files:
        document = graph.index.document(key.path)
        language = graph.index.languages[document] if document is not None else None
        if language is None or LANGUAGES[language].grammar is None:
            continue
        try:
            data = read_inside(graph.index.root, key.path)
        except PathError:
            continue
        keys.append(key)
        sources.append(read_source(key.path, data, LANGUAGES[language]))
    parsed = parse_sources(sources, memory=memory, threads=threads)
    found = [(key, _rows(source)) for key, source in zip(keys, parsed, strict=True)]
    return [_Candidate(key, rows, np.zeros(len(rows)), np.zeros(len(rows), bool)) for key, rows in found if rows]


def _rows(source: SourceFile) -> list[_Row]:
    """Return what other files can use: exported types and functions, with the spans to read."""
    rows: list[_Row] = []
    row_of: dict[int, int] = {}
    for number, definition in enumerate(source.parsed.definitions):
        is_inside = definition.parent is not None
        if not definition.exported or definition.kind in _VALUES or len(rows) >= _MOST_ROWS_PER_FILE:
            continue
        if is_inside and definition.parent not in row_of:
            continue
        parent = row_of[definition.parent] if definition.parent is not None else None
        row_of[number] = len(rows)
        depth = rows[parent].depth + 1 if parent is not None else 0
        rows.append(_Row(_signature(source, definition), depth, parent))
    return rows


def _signature(source: SourceFile, definition: Definition) -> str:
    head = source.data[definition.head_byte : definition.signature_end_byte].decode("utf-8", "replace")
    marker = source.language.comments.line if source.language else None
    lines = [line for line in head.split("\n") if marker is None or not line.lstrip().startswith(marker)]
    text = one_line(" ".join(" ".join(lines).split())).replace("( ", "(")
    if len(text) > _LONGEST_ROW:
        text = text[:_LONGEST_ROW] + "..."
    first, last = definition.first_line, definition.last_line
    return f"{text} {first}" if first == last else f"{text} {first}-{last}"


def _score(candidates: list[_Candidate], ranking: Ranking | None, threads: int) -> list[_Candidate]:
    """Set what each row is worth, and which rows repeat an earlier one of any file."""
    if not candidates:
        return []
    texts = [row.text.rpartition(" ")[0] for candidate in candidates for row in candidate.rows]
    about_task = _task_shares(texts, ranking)
    surprise = np.concatenate(
        [
            scores.normalised
            for scores in score_files(
                ["".join(f"{row.text}\n" for row in candidate.rows).encode() for candidate in candidates],
                threads=threads,
            )
        ]
    )
    is_repeat = _repeats(texts, _BASE_RELEVANCE + _TASK_RELEVANCE * about_task)
    start = 0
    for candidate in candidates:
        part = slice(start, start + len(candidate.rows))
        depths = np.array([row.depth for row in candidate.rows])
        # What stands at the top says more about a file than its members do.
        candidate.values = 2.0 * about_task[part] + surprise[part] + 1.0 / (1.0 + depths)
        candidate.is_repeat = is_repeat[part]
        start = part.stop
    return candidates


def _task_shares(texts: Sequence[str], ranking: Ranking | None) -> npt.NDArray[np.float64]:
    """Return each row's share of the task's term weight, 0..1."""
    if ranking is None or not ranking.has_match or not ranking.term_weights.sum() > 0:
        return np.zeros(len(texts))
    matcher = TermMatcher(ranking.terms, ranking.term_weights)
    total = float(ranking.term_weights.sum())
    shares = []
    for text in texts:
        words = "".join(char if char.isalnum() or char == "_" else " " for char in text).split()
        hits: dict[int, float] = {}
        for word in words:
            for term, share in matcher.match(word):
                hits[term] = max(hits.get(term, 0.0), share)
        shares.append(sum(float(matcher.weights[term]) * share for term, share in sorted(hits.items())) / total)
    return np.array([min(1.0, share) for share in shares])


def _repeats(texts: Sequence[str], relevance: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    encoded = [text.encode() for text in texts]
    offsets = np.concatenate(([0], np.cumsum([len(text) for text in encoded]))).astype(np.int64)
    status, _, _ = _kernels.mmr(
        np.frombuffer(b"".join(encoded), dtype=np.uint8),
        offsets,
        relevance=relevance,
        lambda_=_LAMBDA,
        max_selected=len(texts),
    )
    return np.asarray(status == 1)


def _fit(candidate: _Candidate, tokens: int) -> Outline | None:
    """Return the rows of most value that fit together with those they stand in, None where not even one fits."""
    order = np.argsort(-candidate.values, kind="stable")
    order = order[~candidate.is_repeat[order]]
    low, high = 0, len(order)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(_spell(candidate, _with_parents(candidate, order[:middle]))) <= tokens:
            low = middle
        else:
            high = middle - 1
    if not low:
        return None
    shown = _with_parents(candidate, order[:low])
    return Outline(candidate.key.path, _spell(candidate, shown), len(shown), len(candidate.rows))


def _with_parents(candidate: _Candidate, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    found: set[int] = set()
    for row in chosen.tolist():
        at: int | None = row
        while at is not None and at not in found:
            found.add(at)
            at = candidate.rows[at].parent
    return np.array(sorted(found), dtype=np.int64)


def _spell(candidate: _Candidate, shown: npt.NDArray[np.int64]) -> str:
    lines = [f"{one_line(candidate.key.path)}"]
    lines += [f"{' ' * (candidate.rows[i].depth + 1)}{candidate.rows[i].text}" for i in shown.tolist()]
    left_out = len(candidate.rows) - len(shown)
    if left_out:
        lines.append(f" ... {left_out} more")
    return "\n".join(lines) + "\n"
