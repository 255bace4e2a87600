"""ls, find, grep, df, du, tree, tar and rsync."""

import re
from collections.abc import Sequence

from ctxsieve.terse.families.family import Family, lite, maximum, standard
from ctxsieve.terse.levels import CompressionLevel

__all__ = ["FAMILIES"]

_MATCH = re.compile(r"^(?P<path>(?:[A-Za-z]:)?[^\s:][^:\n]*)(?::\d+(?::\d+)?:|-\d+-|:)")
_HEADED_MATCH = re.compile(r"^\d+[:-]")
_SHOWN_MATCHES = {CompressionLevel.STANDARD: 10, CompressionLevel.MAX: 3}


def _further_matches(lines: Sequence[str], level: CompressionLevel) -> dict[int, str]:
    """Matches after the first few of each file; every file keeps some, so that no path is lost."""
    most = _SHOWN_MATCHES.get(level)
    if most is None:
        return {}
    further: dict[int, str] = {}
    counts: dict[str, int] = {}
    heading = ""
    for position, line in enumerate(lines):
        found = _MATCH.match(line)
        if _HEADED_MATCH.match(line):
            path = heading
        elif found:
            path = found["path"]
        else:
            heading = line
            continue
        counts[path] = counts.get(path, 0) + 1
        if counts[path] > most:
            further[position] = "further matches"
    return further


FAMILIES = (
    Family(
        "content",
        tuple(
            (program,)
            for program in ("cat", "head", "tail", "sed", "awk", "bat", "less", "jq", "yq", "echo", "printf", "cut")
        ),
        (),
        content=re.compile(r"\S"),
    ),
    Family(
        "ls",
        (("ls",), ("exa",), ("eza",), ("ll",), ("dir",)),
        (
            lite(r"^total [\d.]+\w?$", "totals"),
            lite(r"^[d-][rwxsStT-]{9}[.+@]?\s.*\s\.{1,2}$", "dot entries"),
        ),
        re.compile(r"^[dl-][rwxsStT-]{9}[.+@]?\s+\d+ "),
    ),
    Family(
        "find",
        (("find",), ("fd",), ("locate",)),
        (
            standard(
                r"/(?:\.git|node_modules|__pycache__|\.mypy_cache|\.pytest_cache|\.venv|\.tox)/",
                "generated trees",
                shown=3,
            ),
        ),
    ),
    Family(
        "grep",
        (("grep",), ("rg",), ("egrep",), ("git", "grep"), ("ag",), ("ack",)),
        (
            lite(r"^--$", "separators"),
            standard(
                r"^(?:grep: )?(?:Binary file )?\S+ ?:? ?binary file matches|^Binary file .* matches$",
                "binary files",
                shown=1,
            ),
        ),
        None,
        _further_matches,
        re.compile(r"\S"),
    ),
    Family(
        "df",
        (("df",),),
        (
            standard(
                r"^(?:tmpfs|udev|devtmpfs|none|overlay|shm|proc|sysfs|cgroup\w*|efivarfs"
                r"|/dev/loop\d+)\s(?!.*\s(?:9\d|100)%\s)",
                "pseudo file systems",
                shown=1,
            ),
        ),
        re.compile(r"^Filesystem\s+(?:1K-blocks|Size|1M-blocks|512-blocks|Inodes)"),
    ),
    Family(
        "tree",
        (("tree",),),
        (standard(r"(?:├──|└──) (?:__pycache__|\S+\.pyc)$", "generated files", shown=1),),
        re.compile(r"^(?:│\s+|\s{4})*(?:├──|└──) "),
    ),
    Family(
        "archive",
        (("tar",), ("unzip",), ("rsync",), ("zip",), ("scp",)),
        (
            lite(r"^\s*[\d,.]+[KMG]?\s+\d+%\s+[\d.]+[kKMG]?B/s", "progress"),
            maximum(r"^\s*(?:inflating|extracting|creating|adding): |^\S+/$", "entries", shown=20),
            lite(
                r"^(?:sending incremental file list|building file list|receiving (?:incremental )?file list)", "steps"
            ),
        ),
        re.compile(r"^\s*(?:inflating|extracting|creating): \S+|^sending incremental file list"),
    ),
)
