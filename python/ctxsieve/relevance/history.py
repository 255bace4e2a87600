"""What the past commits of a repository say: which files changed for which words, lately, and together.

Only HEAD and its ancestors are read, a bounded number of them, and nothing that the repository configures is run.
"""

import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import sha256
from ctxsieve.relevance.options import HistoryOptions
from ctxsieve.relevance.terms import parse_task
from ctxsieve.values import dataclass

__all__ = ["History", "read_history", "ticket_key"]

_FORMAT = 2
_RECORD, _FIELD, _BODY = "\x01", "\x02", "\x03"
_LONGEST_MESSAGE = 4_000
_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class History:
    """The past commits, newest first; a file carries its name of today.

    `term_indptr`/`term_commits` map each of `term_keys` (words and tickets, sorted) to the commits whose message has
    it; `commit_indptr`/`commit_paths` map each commit to positions in `paths`. `ages` counts commits from HEAD.
    """

    head: str
    paths: tuple[str, ...]
    ages: npt.NDArray[np.int64]
    file_counts: npt.NDArray[np.int64]
    term_counts: npt.NDArray[np.int64]
    commit_indptr: npt.NDArray[np.int64]
    commit_paths: npt.NDArray[np.int64]
    term_keys: tuple[str, ...]
    term_indptr: npt.NDArray[np.int64]
    term_commits: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ages)


_ARRAYS = (
    "ages",
    "file_counts",
    "term_counts",
    "commit_indptr",
    "commit_paths",
    "term_indptr",
    "term_commits",
)


def read_history(
    root: str | os.PathLike[str], *, cache_directory: Path | None = None, options: HistoryOptions | None = None
) -> History | None:
    """Return the history of the tree at `root`, None where there is no git repository, no commit or no git.

    The result is kept in `cache_directory` under HEAD's name and the options; a damaged copy is read anew.
    """
    options = options or HistoryOptions()
    directory = os.path.realpath(root)
    if not _may_have_git(directory):
        return None
    place = _run_git(directory, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", "--show-prefix")
    if place is None:
        return None
    head, _, prefix = place.decode("utf-8", "surrogateescape").partition("\n")
    name = sha256(f"{_FORMAT}\n{directory}\n{prefix}\n{options!r}".encode("utf-8", "surrogateescape")).hex()
    cached = None if cache_directory is None else cache_directory / f"history-{name[:32]}.bin"
    if cached is not None and (known := _load(cached, head.strip())) is not None:
        return known
    log = _read_log(directory, options)
    if log is None:
        return None
    history = _parse_log(head.strip(), log, options)
    if cached is not None:
        _store(cached, history)
    return history


def _may_have_git(directory: str) -> bool:
    """Say whether git could find a repository here; starting git to learn that there is none takes longer."""
    if os.path.exists(os.path.join(directory, "objects")):
        # A bare repository has no folder of its own for git's files.
        return True
    while not os.path.lexists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return False
        directory = parent
    return True


def _run_git(directory: str, *arguments: str) -> bytes | None:
    """Return what git prints, None on any failure.

    No configuration of the user or the system is read, no hook, pager, textconv, external diff, signature check,
    file-system monitor or remote helper can run, and missing objects are not fetched.
    """
    import subprocess

    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") and name in ("PATH", "HOME", "SYSTEMROOT", "TMPDIR", "TEMP")
    }
    environment |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_PAGER": "cat",
        "LC_ALL": "C",
    }
    settings = (
        *("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "-c", "log.showSignature=false"),
        *("-c", "protocol.allow=never", "-c", "core.sshCommand=false", "-c", "core.quotePath=false"),
        *("-c", f"core.attributesFile={os.devnull}", "-c", f"safe.directory={directory}"),
    )
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "--no-pager", *settings, "-C", directory, *arguments],  # noqa: S607
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _read_log(directory: str, options: HistoryOptions) -> str | None:
    output = _run_git(
        directory,
        "log",
        "HEAD",
        f"--max-count={options.max_commits}",
        "--no-merges",
        "--no-color",
        "--no-notes",
        "--no-mailmap",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
        "--encoding=UTF-8",
        "--find-renames",
        "-l200",
        "--name-status",
        "--relative",
        "-z",
        "--format=%x01%H%x02%B%x03",
        "--",
    )
    return None if output is None else output.decode("utf-8", "surrogateescape")


def _parse_log(head: str, log: str, options: HistoryOptions) -> History:
    numbers: dict[str, int] = {}
    name_today: dict[str, str] = {}
    terms: dict[str, list[int]] = {}
    file_counts: list[int] = []
    term_counts: list[int] = []
    ages: list[int] = []
    touched: list[int] = []
    indptr = [0]
    for age, record in enumerate(log.split(_RECORD)[1:]):
        changes = _read_changes(record.partition(_BODY)[2])
        paths = _names_today(changes, name_today)
        if not 0 < len(changes) <= options.max_files:
            continue
        commit = len(ages)
        said = parse_task(_message(record))
        keys = [term.key for term in said.terms]
        for key in (*keys, *(ticket_key(name) for name in said.tickets)):
            terms.setdefault(key, []).append(commit)
        ages.append(age)
        file_counts.append(len(changes))
        term_counts.append(len(keys))
        touched += [numbers.setdefault(path, len(numbers)) for path in paths]
        indptr.append(len(touched))
    ordered = sorted(terms)
    term_indptr = np.cumsum([0, *(len(terms[key]) for key in ordered)])
    return History(
        head,
        tuple(numbers),
        np.array(ages, dtype=np.int64),
        np.array(file_counts, dtype=np.int64),
        np.array(term_counts, dtype=np.int64),
        np.array(indptr, dtype=np.int64),
        np.array(touched, dtype=np.int64),
        tuple(ordered),
        term_indptr.astype(np.int64),
        np.array([commit for key in ordered for commit in terms[key]], dtype=np.int64),
    )


def ticket_key(name: str) -> str:
    """Return the key of a ticket among `term_keys`; no word has it."""
    return "#" + name


def _message(record: str) -> str:
    return record.partition(_BODY)[0].partition(_FIELD)[2][:_LONGEST_MESSAGE]


def _read_changes(text: str) -> list[tuple[str, ...]]:
    """Return the (status, path) or (status, old, new) entries of one commit."""
    fields = [field.lstrip("\n") for field in text.split("\0")]
    fields = [field for field in fields if field]
    changes: list[tuple[str, ...]] = []
    position = 0
    while position + 1 < len(fields):
        width = 3 if fields[position][0] in "RC" else 2
        changes.append(tuple(fields[position : position + width]))
        position += width
    return changes


def _names_today(changes: Sequence[tuple[str, ...]], name_today: dict[str, str]) -> list[str]:
    """Return today's names of the changed files, and remember renames for the commits before."""
    found: dict[str, None] = {}
    for status, *names in changes:
        now = name_today.get(names[-1], names[-1])
        found[now] = None
        if status[0] == "R":
            name_today[names[0]] = now
    return list(found)


def _store(path: Path, history: History) -> None:
    header = json.dumps({"head": history.head, "paths": history.paths, "term_keys": history.term_keys}).encode()
    arrays = [getattr(history, name).astype(np.int64).tobytes() for name in _ARRAYS]
    sizes = np.array([len(part) for part in (header, *arrays)], dtype=np.int64).tobytes()
    body = zlib.compress(sizes + header + b"".join(arrays), 1)
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(zlib.crc32(body).to_bytes(4, "little") + body)
        os.replace(temporary, path)
    except OSError:
        # Without a cached copy the next run reads the history again.
        temporary.unlink(missing_ok=True)


def _load(path: Path, head: str) -> History | None:
    try:
        content = path.read_bytes()
        if zlib.crc32(content[4:]).to_bytes(4, "little") != content[:4]:
            return None
        body = zlib.decompress(content[4:])
        start = 8 * (1 + len(_ARRAYS))
        sizes = np.frombuffer(body, dtype=np.int64, count=1 + len(_ARRAYS)).tolist()
        bounds = np.cumsum([start, *sizes]).tolist()
        header = json.loads(body[bounds[0] : bounds[1]])
        arrays = [
            np.frombuffer(body[bounds[number + 1] : bounds[number + 2]], dtype=np.int64)
            for number in range(len(_ARRAYS))
        ]
    except (OSError, ValueError, KeyError, zlib.error):
        return None
    if header["head"] != head:
        return None
    named = dict(zip(_ARRAYS, arrays, strict=True))
    return History(head=head, paths=tuple(header["paths"]), term_keys=tuple(header["term_keys"]), **named)
