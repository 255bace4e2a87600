"""Which repeats are left out of an answer, and where each stands already (docs/assembly.md)."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ctxsieve._kernels import AnswerFile, find_repeats, flat_lines
from ctxsieve.dedup.loaded import Lines, LoadedFile, Repeat, ShownText
from ctxsieve.dedup.options import DedupOptions
from ctxsieve.fragments import LineRange, one_line
from ctxsieve.languages import Language

__all__ = ["plan_suppression"]


def plan_suppression(
    files: Sequence[LoadedFile], options: DedupOptions, *, threads: int = 1
) -> list[tuple[Repeat, ...]]:
    """Return for each file the repeats that are worth a mark, in the order of its shown lines.

    Only whole nodes go, only where every line of them that is shown is redundant, and only where one earlier place in
    the answer, not much longer, has all of these lines. Earlier repeats of a file come first where its names run out.
    """
    if not options.enabled or not any(not file.is_verbatim and file.shown for file in files):
        return [() for _ in files]
    names = _short_names([file.path for file in files])
    plans = _plan_natively(files, names, options, threads)
    if plans is None:
        from ctxsieve.dedup.planner import plan_file_by_file

        plans = plan_file_by_file(files, names, options)
    return plans


def _plan_natively(
    files: Sequence[LoadedFile], names: dict[str, str], options: DedupOptions, threads: int
) -> list[tuple[Repeat, ...]] | None:
    """Return what the native core plans, None where only the twin can."""

    def ask(number: int) -> tuple[Lines, Lines]:
        return files[number].nodes(), files[number].comments()

    found = find_repeats(
        [_answer_file(file, names[file.path]) for file in files],
        ask,
        relevance_weight=options.relevance_weight,
        least_relevance=options.least_relevance,
        least_gain_tokens=options.least_gain_tokens,
        lines_together=options.lines_together,
        threads=threads,
    )
    if found is None:
        return None
    plans: list[list[Repeat]] = [[] for _ in files]
    for f, first, last, g, place_first, place_last, is_same in found.reshape(-1, 7).tolist():
        path = "" if g == f else files[g].path
        place = LineRange(place_first, place_last)
        plans[f].append(
            Repeat(LineRange(first, last), path, place, is_same=bool(is_same), name=names[path] if path else "")
        )
    return list(map(tuple, plans))


def _answer_file(file: LoadedFile, name: str) -> AnswerFile:
    text = file.costs if isinstance(file.costs, ShownText) else None
    costs = None
    if not isinstance(file.costs, ShownText):
        costs = np.asarray([] if file.is_verbatim else file.costs(), dtype=np.float64)
    return AnswerFile(
        text=file.text,
        place=name or file.path,
        shown=flat_lines(file.shown),
        term_shares=np.asarray(file.term_shares, dtype=np.float64),
        costs=costs,
        content=None if text is None else (text.content, text.tokens, flat_lines(text.gaps)),
        comment=_comment_marks(file.language),
        is_verbatim=file.is_verbatim,
        crosses_gaps=file.crosses_gaps,
        is_exact=file.is_exact,
        lost_names=file.lost_names,
    )


def _comment_marks(language: Language | None) -> tuple[str, str]:
    if language is None:
        return "", ""
    if language.comments.line is not None:
        return language.comments.line, ""
    return language.comments.block or ("", "")


def _short_names(paths: Sequence[str]) -> dict[str, str]:
    """Return for each path its shortest ending, in whole names, that no other path of the answer has."""
    parts = {path: path.split("/") for path in dict.fromkeys(paths)}
    names: dict[str, str] = {}
    waiting, length = list(parts), 1
    while waiting:
        endings = {path: "/".join(parts[path][-length:]) for path in parts}
        shared = Counter(endings.values())
        for path in waiting:
            if shared[endings[path]] == 1 or length >= len(parts[path]):
                names[path] = one_line(endings[path])
        waiting = [path for path in waiting if path not in names]
        length += 1
    return names
