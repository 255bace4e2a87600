"""Twin of the native `walk_tree`: the files of a tree that no ignore rule excludes.

Rules, strongest first: `.ctxsieveignore`, `.ignore`, `.gitignore`, `.git/info/exclude`; within one kind the file
nearest to the path wins, within one file the last matching line.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ctxsieve._kernels.pure.ignore_rules import IgnoreFile, read_ignore_file
from ctxsieve._kernels.trees import WalkedTree

__all__ = ["Folder", "ignore_kinds", "is_ignored", "open_folder", "walk_tree"]

# Strongest first.
_KINDS = (b".ctxsieveignore", b".ignore", b".gitignore", os.path.join(b".git", b"info", b"exclude"))
_N_KINDS_WITHOUT_GIT = 2
_LINK, _SPECIAL, _UNREADABLE = range(3)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with its ignore files by kind; the chain of parents ends at the root."""

    path: bytes
    rules: tuple[IgnoreFile | None, ...]
    is_repository: bool
    parent: "Folder | None"


def walk_tree(root: bytes, *, with_git_rules: bool, threads: int) -> WalkedTree:  # noqa: ARG001
    """Return the files below `root` that no ignore rule excludes; see `WalkedTree`."""
    files: list[tuple[bytes, os.stat_result]] = []
    skipped: list[tuple[bytes, int]] = []
    repositories: list[bytes] = []
    pending: list[tuple[bytes, Folder | None]] = [(b"", None)]
    kinds = ignore_kinds(with_git_rules=with_git_rules)
    while pending:
        path, parent = pending.pop()
        try:
            with os.scandir(os.path.join(root, path)) as listing:
                entries = list(listing)
        except OSError:
            if path:
                skipped.append((path, _UNREADABLE))
            continue
        folder = open_folder(root, path, parent, kinds)
        if path and folder.is_repository:
            repositories.append(path)
        for entry in entries:
            _visit(entry, folder, files, skipped, pending)
    files.sort(key=lambda file: file[0])
    stats = [status for _, status in files]
    return WalkedTree(
        [path for path, _ in files],
        np.array([status.st_size for status in stats], dtype=np.uint64),
        np.array([status.st_mtime_ns for status in stats], dtype=np.int64),
        np.array([status.st_ctime_ns for status in stats], dtype=np.int64),
        np.array([status.st_ino for status in stats], dtype=np.uint64),
        sorted(skipped),
        sorted(repositories),
    )


def ignore_kinds(*, with_git_rules: bool) -> Sequence[bytes]:
    """Return the names of the ignore files that count, strongest first."""
    return _KINDS if with_git_rules else _KINDS[:_N_KINDS_WITHOUT_GIT]


def open_folder(root: bytes, path: bytes, parent: Folder | None, kinds: Sequence[bytes]) -> Folder:
    """Return a folder with its rules; `parent` is the folder that holds it."""
    full = os.path.join(root, path)
    rules = tuple(read_ignore_file(os.path.join(full, kind)) for kind in kinds)
    return Folder(path, rules, os.path.lexists(os.path.join(full, b".git")), parent)


def _visit(
    entry: "os.DirEntry[bytes]",
    folder: Folder,
    files: list[tuple[bytes, os.stat_result]],
    skipped: list[tuple[bytes, int]],
    pending: list[tuple[bytes, Folder | None]],
) -> None:
    if entry.name == b".git":
        return
    path = folder.path + b"/" + entry.name if folder.path else entry.name
    try:
        is_folder = entry.is_dir(follow_symlinks=False)
        if is_ignored(path, is_folder, folder):
            return
        if is_folder:
            pending.append((path, folder))
        elif entry.is_symlink():
            skipped.append((path, _LINK))
        elif not entry.is_file(follow_symlinks=False):
            skipped.append((path, _SPECIAL))
        else:
            files.append((path, entry.stat(follow_symlinks=False)))
    except FileNotFoundError:
        return
    except OSError:
        skipped.append((path, _UNREADABLE))


def is_ignored(path: bytes, is_folder: bool, folder: Folder) -> bool:
    """Say whether a rule of the folder or of those above it excludes an entry of the folder."""
    for kind in range(len(folder.rules)):
        holder: Folder | None = folder
        while holder is not None:
            rules = holder.rules[kind]
            if rules is not None:
                relative = path[len(holder.path) + 1 :] if holder.path else path
                decision = rules.decide(relative, is_folder)
                if decision is not None:
                    return decision
            holder = holder.parent
    return False
