"""What changed between two contents of a file, as unified hunks."""

from ctxsieve.values import dataclass

__all__ = ["diff_contents"]

CONTEXT_LINES = 3
# The matrix of the longest common subsequence costs a bit per pair of lines; above this the rest is one change.
MAX_PAIRS = 400_000_000


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines old[i:j] became new[k:m]; counted from 0."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def diff_contents(path: str, old: str, new: str) -> str:
    """The hunks that lead from `old` to `new`, shortest where the size allows, with 3 lines of context; "" if equal.

    Line numbers are those of the two contents; a missing newline at the end is marked as diff and patch do.
    """
    if old == new:
        return ""
    before, after = _split(old), _split(new)
    hunks = [f"--- {path} (as you last saw it)\n", f"+++ {path}\n"]
    for group in _group(_changes(before, after)):
        hunks.extend(_hunk(group, before, after))
    return "".join(hunks)


def _split(text: str) -> list[str]:
    # Only \n ends a line here: a lone \r or form feed belongs to the line, as in diff and patch.
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _changes(before: list[str], after: list[str]) -> list[_Change]:
    start = 0
    shortest = min(len(before), len(after))
    while start < shortest and before[start] == after[start]:
        start += 1
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if len(old) * len(new) > MAX_PAIRS:
        return [_Change(start, len(before) - end, start, len(after) - end)]
    numbers: dict[str, int] = {}
    changes: list[_Change] = []
    left = [numbers.setdefault(line, len(numbers)) for line in old]
    right = [numbers.setdefault(line, len(numbers)) for line in new]
    # Loaded here: most commands show no difference.
    from rapidfuzz.distance import Indel

    for code in Indel.opcodes(left, right):
        if code.tag == "equal":
            continue
        change = _Change(start + code.src_start, start + code.src_end, start + code.dest_start, start + code.dest_end)
        if changes and (changes[-1].old_end, changes[-1].new_end) == (change.old_start, change.new_start):
            change = _Change(changes[-1].old_start, change.old_end, changes[-1].new_start, change.new_end)
            changes.pop()
        changes.append(change)
    return changes


def _group(changes: list[_Change]) -> list[list[_Change]]:
    """Changes whose contexts would touch share a hunk."""
    groups: list[list[_Change]] = []
    for change in changes:
        if groups and change.old_start - groups[-1][-1].old_end <= 2 * CONTEXT_LINES:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _hunk(group: list[_Change], before: list[str], after: list[str]) -> list[str]:
    old_start = max(0, group[0].old_start - CONTEXT_LINES)
    old_end = min(len(before), group[-1].old_end + CONTEXT_LINES)
    new_start = group[0].new_start - (group[0].old_start - old_start)
    new_end = group[-1].new_end + (old_end - group[-1].old_end)
    lines = [f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n"]
    position = old_start
    for change in group:
        lines.extend(_mark(" ", before[position : change.old_start]))
        lines.extend(_mark("-", before[change.old_start : change.old_end]))
        lines.extend(_mark("+", after[change.new_start : change.new_end]))
        position = change.old_end
    lines.extend(_mark(" ", before[position:old_end]))
    return lines


def _range(start: int, end: int) -> str:
    # An empty range names the line before it.
    return f"{start + 1 if end > start else start},{end - start}"


def _mark(sign: str, lines: list[str]) -> list[str]:
    return [
        f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n" for line in lines
    ]
