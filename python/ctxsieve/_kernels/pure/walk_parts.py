"""Parts of a walk for who follows a tree by events: its folders, and what a walk would say about one entry.

They run once for a watch and once for a changed entry, so that one implementation serves both backends; the rules are
those of `walk_tree`.
"""

import os
import stat

from ctxsieve._kernels.pure.walk_tree import Folder, ignore_kinds, is_ignored, open_folder
from ctxsieve._kernels.trees import WalkedEntry

__all__ = ["walk_entry", "walk_folders"]


def walk_folders(root: bytes, *, with_git_rules: bool) -> list[bytes]:
    """Return the folders that a walk reads, relative to the root and sorted; the root itself is the empty path."""
    kinds = ignore_kinds(with_git_rules=with_git_rules)
    found: list[bytes] = []
    pending: list[tuple[bytes, Folder | None]] = [(b"", None)]
    while pending:
        path, parent = pending.pop()
        try:
            with os.scandir(os.path.join(root, path)) as listing:
                names = [entry.name for entry in listing if _is_folder(entry)]
        except OSError:
            continue
        found.append(path)
        folder = open_folder(root, path, parent, kinds)
        for name in names:
            inner = path + b"/" + name if path else name
            if name != b".git" and not is_ignored(inner, True, folder):
                pending.append((inner, folder))
    return sorted(found)


def walk_entry(root: bytes, path: bytes, *, with_git_rules: bool) -> WalkedEntry:
    """Return what a walk says about one path of a folder that it reads."""
    kinds = ignore_kinds(with_git_rules=with_git_rules)
    folder = open_folder(root, b"", None, kinds)
    parts = path.split(b"/")
    for depth in range(1, len(parts)):
        folder = open_folder(root, b"/".join(parts[:depth]), folder, kinds)
    try:
        status = os.lstat(os.path.join(root, path))
    except (FileNotFoundError, NotADirectoryError):
        return WalkedEntry(is_folder=False, status=None, skip=None)
    except OSError:
        return WalkedEntry(is_folder=False, status=None, skip=2)
    is_folder = stat.S_ISDIR(status.st_mode)
    if parts[-1] == b".git" or is_ignored(path, is_folder, folder):
        return WalkedEntry(is_folder=False, status=None, skip=None)
    if is_folder:
        return WalkedEntry(is_folder=True, status=None, skip=None)
    if stat.S_ISREG(status.st_mode):
        return WalkedEntry(is_folder=False, status=status, skip=None)
    return WalkedEntry(is_folder=False, status=None, skip=0 if stat.S_ISLNK(status.st_mode) else 1)


def _is_folder(entry: "os.DirEntry[bytes]") -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
