"""git."""

import re
from collections.abc import Sequence

from ctxsieve.terse.families.family import Family, lite, maximum, standard
from ctxsieve.terse.levels import CompressionLevel

__all__ = ["FAMILIES"]

_TRAILER_NAMES = (
    r"(?:Signed-off-by|Co-authored-by|Reviewed-by|Acked-by|Tested-by|Reported-by|Suggested-by|Cc|Change-Id"
    r"|Reviewed-on|Commit-Queue|Auto-Submit): "
)
_TRAILER = r"^\s*" + _TRAILER_NAMES
_CHANGED = re.compile(r"^[+-](?![+-]{2} )")
_HUNK = re.compile(r"^@@ .* @@")
_CONTEXT = re.compile(r"^ ")
_CONTEXT_LINES_AT_MAX = 1


def _far_context(lines: Sequence[str], level: CompressionLevel) -> dict[int, str]:
    """Context lines of a diff further than one line from a change, at `max`."""
    if level is not CompressionLevel.MAX:
        return {}
    in_hunk = False
    context: list[int] = []
    near: set[int] = set()
    for position, line in enumerate(lines):
        if _HUNK.match(line):
            in_hunk = True
        elif in_hunk and _CHANGED.match(line):
            near.update(range(position - _CONTEXT_LINES_AT_MAX, position + _CONTEXT_LINES_AT_MAX + 1))
        elif in_hunk and _CONTEXT.match(line):
            context.append(position)
        elif not line.startswith("\\"):
            in_hunk = False
    return {position: "unchanged context" for position in context if position not in near}


# Every changed line of a diff is what was asked for, and so is its context as far as it is shown.
_DIFF_CONTENT = re.compile(
    rf"^[-+@]|^ (?!\* |create mode|delete mode|\s*{_TRAILER_NAMES})|^diff --git "
    r"|^(?:rename|copy|new file|deleted file) "
)
_DIFF_RULES = (
    lite(r"^index [0-9a-f]{6,}\.\.[0-9a-f]{6,}", "object names"),
    standard(r"^(?:dis)?similarity index ", "similarity"),
    standard(r"^\\ No newline at end of file", "missing final newlines"),
)

FAMILIES = (
    Family(
        "git status",
        (("git", "status"),),
        (
            lite(r"^\s*\((?:use|commit or discard|fix conflicts|all conflicts) ?.*\)$", "hints"),
            standard(r"^Your branch is up to date with", "up to date"),
        ),
        re.compile(r'^On branch |^\s+\(use "git |^Changes (?:not staged|to be committed)|^Untracked files:'),
    ),
    Family(
        "git log",
        (("git", "log"), ("git", "shortlog"), ("git", "reflog")),
        (
            lite(_TRAILER, "trailers"),
            standard(r"^(?:AuthorDate|CommitDate|Commit): ", "commit metadata"),
            maximum(r"^(?:Date:|Merge: )", "dates"),
            *_DIFF_RULES,
        ),
        re.compile(r"^commit [0-9a-f]{40}\b|^Author: .+ <.+>$|^Date:   "),
        _far_context,
        _DIFF_CONTENT,
    ),
    Family(
        "git diff",
        (("git", "diff"), ("git", "show"), ("git", "stash"), ("diff",)),
        (lite(_TRAILER, "trailers"), *_DIFF_RULES),
        re.compile(r"^diff --git |^@@ -\d+"),
        _far_context,
        _DIFF_CONTENT,
    ),
    Family(
        "git transfer",
        (("git", "clone"), ("git", "fetch"), ("git", "pull"), ("git", "push"), ("git", "submodule"), ("git", "gc")),
        (
            lite(
                r"^(?:remote: )?\s*(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking|Updating"
                r"|Filtering content|Checking out|Finding sources|Getting size|Building bitmaps|Total \d"
                r"|Delta compression"
                r"|Selecting commits)",
                "transfer progress",
            ),
            lite(r"^remote:\s*$", "transfer progress"),
            standard(r"^ \* \[new (?:branch|tag)\]", "new branches and tags", shown=5),
            standard(r"^ (?:create|delete) mode \d+ ", "file modes", shown=20),
        ),
        re.compile(
            r"^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Writing) (?:objects|deltas)"
        ),
    ),
    Family(
        "git commit",
        (("git", "commit"), ("git", "merge"), ("git", "rebase"), ("git", "cherry-pick"), ("git", "am")),
        (
            standard(r"^ (?:create|delete) mode \d+ ", "file modes", shown=20),
            lite(r"^(?:Rebasing \(\d+/\d+\)|Auto-merging .*|Applying: .*)$", "progress"),
        ),
    ),
)
