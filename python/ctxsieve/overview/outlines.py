"""The definitions of the key files: what the budget allows, the most telling first, no two alike."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ctxsieve.budget import BudgetOptions, allocate_tokens, beta_of_specificity, file_count_limit
from ctxsieve.compress import OutlineRow, SourceFile, declaration_of, parse_sources, read_source, write_rows
from ctxsieve.dedup import DedupOptions, find_redundant_lines
from ctxsieve.errors import PathError
from ctxsieve.fragments import DefinitionKind, LineRange, one_line
from ctxsieve.graph import ProjectGraph
from ctxsieve.jail import read_inside
from ctxsieve.languages import LANGUAGES
from ctxsieve.relevance import Ranking, TermMatcher
from ctxsieve.surprise import score_files
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass, field

__all__ = ["KeyFile", "Outline", "OutlineOptions", "render_outlines"]

_VALUES = frozenset({DefinitionKind.CONSTANT, DefinitionKind.VARIABLE, DefinitionKind.FIELD})
# Of what is declared at more length the name is enough.
_LONGEST_DECLARATION = 160
_MOST_ROWS_PER_FILE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineOptions:
    """How definitions are chosen and spelled.

    Attributes:
        budget: of the allocation.
        dedup: what counts as a repeat.
        is_aligned: whether declarations are spelled in fewest tokens.
    """

    budget: BudgetOptions = field(default_factory=BudgetOptions)
    dedup: DedupOptions = field(default_factory=DedupOptions)
    is_aligned: bool = True


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
    """One definition, and the row that it is nested in."""

    outline: OutlineRow
    parent: int | None

    @property
    def said(self) -> str:
        """What the row says of the definition."""
        return self.outline.text or f"{self.outline.kind} {self.outline.name}"


@dataclass(slots=True)
class _Candidate:
    key: KeyFile
    separator: str
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
    options: OutlineOptions,
    memory: Path,
    threads: int,
) -> list[Outline]:
    """Return the outlines of files within a budget, in the order given; a file without room or definitions has none.

    The Boltzmann distribution of the relevances divides the budget. Inside a file the definitions that tell most (about
    the task, else by surprise) are shown in source order; of rows that repeat what an earlier one says none is.
    """
    chosen = files[: file_count_limit(budget_tokens, options.budget)]
    candidates = _score(_candidates(graph, chosen, memory, threads), ranking, options.dedup, threads)
    if not candidates or budget_tokens < 1:
        return []
    needs = [count_tokens(_spell(one, np.flatnonzero(~one.is_repeat), options)) for one in candidates]
    allocation = allocate_tokens(
        [candidate.key.relevance for candidate in candidates],
        needs,
        total_tokens=budget_tokens,
        beta=beta_of_specificity(specificity, options.budget),
        options=options.budget,
    )
    outlines: list[Outline] = []
    spare = 0
    for candidate, tokens in reversed(list(zip(candidates, allocation.tokens, strict=True))):
        outline = _fit(candidate, tokens + spare, options)
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
    found = [
        (key, source.language.separator if source.language else ".", _rows(source))
        for key, source in zip(keys, parsed, strict=True)
    ]
    return [
        _Candidate(key, separator, rows, np.zeros(len(rows)), np.zeros(len(rows), bool))
        for key, separator, rows in found
        if rows
    ]


def _rows(source: SourceFile) -> list[_Row]:
    """Return what other files can use: exported types and functions, with the spans to read."""
    separator = source.language.separator if source.language else "."
    definitions = source.parsed.definitions
    rows: list[_Row] = []
    row_of: dict[int, int] = {}
    for number, definition in enumerate(definitions):
        if not definition.exported or definition.kind in _VALUES or len(rows) >= _MOST_ROWS_PER_FILE:
            continue
        if definition.parent is not None and definition.parent not in row_of:
            continue
        parent = row_of[definition.parent] if definition.parent is not None else None
        row_of[number] = len(rows)
        name = definition.qualified_name
        if definition.parent is not None:
            name = name.removeprefix(definitions[definition.parent].qualified_name + separator)
        text = one_line(declaration_of(source, number))
        outline = OutlineRow(
            depth=rows[parent].outline.depth + 1 if parent is not None else 0,
            kind=definition.kind,
            name=name,
            span=LineRange(definition.first_line, definition.last_line),
            text=text if len(text) <= _LONGEST_DECLARATION else "",
        )
        rows.append(_Row(outline, parent))
    return rows


def _score(
    candidates: list[_Candidate], ranking: Ranking | None, dedup: DedupOptions, threads: int
) -> list[_Candidate]:
    """Set what each row is worth, and which rows repeat an earlier one of any file."""
    if not candidates:
        return []
    rows = [row for candidate in candidates for row in candidate.rows]
    texts = [row.said for row in rows]
    about_task = _task_shares(texts, ranking)
    scores = score_files(
        ["".join(f"{row.said}\n" for row in candidate.rows).encode() for candidate in candidates], threads=threads
    )
    surprise = np.concatenate([one.normalised for one in scores])
    is_repeat = np.zeros(len(rows), dtype=bool)
    if dedup.enabled:
        # A name alone is no repeat of its like elsewhere.
        is_name = [not row.outline.text for row in rows]
        is_repeat = find_redundant_lines(texts, about_task.tolist(), dedup, always_kept=is_name).is_redundant
    start = 0
    for candidate in candidates:
        part = slice(start, start + len(candidate.rows))
        depths = np.array([row.outline.depth for row in candidate.rows])
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


def _fit(candidate: _Candidate, tokens: int, options: OutlineOptions) -> Outline | None:
    """Return the rows of most value that fit together with those they stand in, None where not even one fits."""
    order = np.argsort(-candidate.values, kind="stable")
    order = order[~candidate.is_repeat[order]]
    low, high = 0, len(order)
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(_spell(candidate, _with_parents(candidate, order[:middle]), options)) <= tokens:
            low = middle
        else:
            high = middle - 1
    if not low:
        return None
    shown = _with_parents(candidate, order[:low])
    return Outline(candidate.key.path, _spell(candidate, shown, options), len(shown), len(candidate.rows))


def _with_parents(candidate: _Candidate, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    found: set[int] = set()
    for row in chosen.tolist():
        at: int | None = row
        while at is not None and at not in found:
            found.add(at)
            at = candidate.rows[at].parent
    return np.array(sorted(found), dtype=np.int64)


def _spell(candidate: _Candidate, shown: npt.NDArray[np.int64], options: OutlineOptions) -> str:
    rows = [candidate.rows[i].outline for i in shown.tolist()]
    lines = [one_line(candidate.key.path)]
    lines += [f" {line}" for line in write_rows(rows, candidate.separator, is_aligned=options.is_aligned)]
    left_out = len(candidate.rows) - len(shown)
    if left_out:
        lines.append(f" ... {left_out} more")
    return "\n".join(lines) + "\n"
