"""A graph that follows its tree by file events, so that an answer needs no walk while nothing changed."""

import bisect
import os
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ctxsieve._kernels import WalkedTree, walk_entry, walk_folders
from ctxsieve.graph.build import ProjectGraph, load_or_build
from ctxsieve.graph.file_events import FileEvents, check_watching, relative_path
from ctxsieve.graph.index_options import IndexOptions, ProgressCallback
from ctxsieve.graph.segment import Segment
from ctxsieve.graph.walking import GIT_RULES_NOTICE, ProjectWalk, walk_project
from ctxsieve.graph.watch_options import WatchOptions

__all__ = ["LiveGraph"]

_IGNORE_FILES = frozenset({b".ctxsieveignore", b".ignore", b".gitignore", b".git"})
_REPOSITORY_RULES = (b".git/info", b".git/info/exclude")
_ATTEMPTS = 3


class LiveGraph:
    """The graph of one tree, current as of each call of `graph`; a context manager, safe to share between threads.

    While no event arrived the answer comes from memory. After events only the changed entries are looked at. The tree
    is walked again when a folder appeared, moved or went, when an ignore file changed, when events were lost, and
    where it cannot be watched; `problem` says why.

    Attributes:
        walks: how often the tree was walked.
        problem: why the tree cannot be watched, None while it can.
    """

    def __init__(
        self,
        root: Path,
        *,
        cache_directory: Path,
        options: IndexOptions | None = None,
        watch_options: WatchOptions | None = None,
    ) -> None:
        check_watching()
        self.walks = 0
        self.problem: str | None = None
        self._root = os.fsencode(os.path.realpath(root))
        self._cache_directory = cache_directory
        self._options = options or IndexOptions()
        self._watch_options = watch_options or WatchOptions()
        self._lock = threading.RLock()
        self._segments: dict[str, Segment] = {}
        self._events: FileEvents | None = None
        self._folders: frozenset[bytes] = frozenset()
        self._walk: ProjectWalk | None = None
        self._walked_at = 0.0
        self._identity: tuple[int, int] | None = None
        self._graph: ProjectGraph | None = None
        self._unwatched: dict[str, tuple[int, ...] | None] = {}

    def __enter__(self) -> "LiveGraph":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop watching; another call of `graph` starts anew."""
        with self._lock:
            self._forget()

    def graph(self, *, on_progress: ProgressCallback | None = None) -> ProjectGraph:
        """Return the graph, current as of this call, and equal to a fresh build; see `load_or_build`."""
        with self._lock:
            try:
                is_same = self._follow()
                if is_same and self._graph is not None and self._unwatched == self._look_at(self._unwatched):
                    return self._graph
                return self._load(on_progress)
            except BaseException:
                # Events that were taken are not applied: only a walk tells now.
                self._forget()
                raise

    def wait(self, stop: threading.Event, *, timeout_seconds: float = 2.0) -> bool:
        """Wait until something may have changed; False when `stop` was set. Not for use beside `graph` calls.

        A tree that cannot be watched may have changed after `timeout_seconds`.
        """
        events = self._events
        if events is None:
            return not stop.wait(timeout_seconds)
        return events.wait(stop)

    def _follow(self) -> bool:
        """Bring the walk up to date; say whether it is the one that the graph was loaded for."""
        status = os.stat(self._root)
        is_due = time.monotonic() - self._walked_at > self._watch_options.walk_interval_seconds
        if self._events is None or is_due or self._identity != (status.st_dev, status.st_ino):
            return self._walk_all()
        changes = self._events.collect(timeout_seconds=self._watch_options.event_timeout_seconds)
        walk = self._walk
        if changes is None or walk is None or len(changes) > self._watch_options.maximum_changes:
            return self._walk_all()
        entries = self._changed_entries(changes)
        if entries is None:
            return self._walk_all()
        if not entries:
            return True
        tree = _with_entries(walk.tree, self._root, entries, with_git_rules=walk.has_git_rules)
        if not tree.paths:
            return self._walk_all()
        self._walk = ProjectWalk(tree, walk.has_git_rules)
        return not any(self._concerns(path, walk.tree) or self._concerns(path, tree) for path in entries)

    def _concerns(self, path: bytes, tree: WalkedTree) -> bool:
        """Say whether the graph rests on a path; equal times prove nothing so shortly after a change."""
        if _find(tree.paths, path) is not None or any(path == skipped for skipped, _ in tree.skipped):
            return True
        return self._graph is not None and os.fsdecode(path) in self._graph.edges.read_paths

    def _changed_entries(self, changes: Iterable[str]) -> list[bytes] | None:
        """Return the relative paths that must be looked at, None where the whole tree must be."""
        assert self._walk is not None
        found = set()
        for change in changes:
            path = relative_path(self._root, change)
            if path is None:
                continue
            if not path:
                return None
            parent, _, name = path.rpartition(b"/")
            if path.endswith(_REPOSITORY_RULES) or path in self._folders:
                return None
            if parent not in self._folders:
                continue
            if name in _IGNORE_FILES or not self._walk.has_git_rules:
                return None
            if walk_entry(self._root, path, with_git_rules=True).is_folder:
                return None
            found.add(path)
        return sorted(found)

    def _walk_all(self) -> bool:
        """Watch the folders anew and walk; folders that come and go meanwhile leave the tree unwatched for now.

        Returns False: a walk alone cannot tell that nothing changed within the same tick of the clock.
        """
        before = self._walk
        self._forget_events()
        self.problem = None
        status = os.stat(self._root)
        has_git_rules = True if before is None else before.has_git_rules
        for _ in range(_ATTEMPTS):
            folders = walk_folders(self._root, with_git_rules=has_git_rules)
            self._watch(folders)
            is_settled = walk_folders(self._root, with_git_rules=has_git_rules) == folders
            walk = walk_project(self._root, threads=self._options.threads)
            self.walks += 1
            if self._events is None or (is_settled and walk.has_git_rules == has_git_rules and walk.tree.paths):
                break
            has_git_rules = walk.has_git_rules
            self._forget_events()
        self._walk = walk
        self._folders = frozenset(folders)
        self._walked_at = time.monotonic()
        self._identity = (status.st_dev, status.st_ino)
        return False

    def _watch(self, folders: Sequence[bytes]) -> None:
        watched = [os.path.join(self._root, folder) if folder else self._root for folder in folders]
        for folder in list(watched):
            rules = (os.path.join(folder, b".git"), os.path.join(folder, b".git", b"info"))
            watched += [path for path in rules if os.path.isdir(path) and not os.path.islink(path)]
        try:
            self._events = FileEvents(os.fsdecode(self._root), [path.decode("utf-8") for path in watched])
        except FileNotFoundError:
            # A folder went meanwhile: what is walked next tells.
            self._events = None
        except UnicodeDecodeError:
            self.problem = "a folder has a name that is no text: it cannot be watched, every call walks the tree"
        except (OSError, RuntimeError) as error:
            self.problem = f"the folders cannot be watched ({error}): every call walks the tree"

    def _load(self, on_progress: ProgressCallback | None) -> ProjectGraph:
        graph = load_or_build(
            os.fsdecode(self._root),
            cache_directory=self._cache_directory,
            options=self._options,
            on_progress=on_progress,
            walk=self._walk,
            segments=self._segments,
        )
        kept = tuple(notice for notice in graph.notices if notice == GIT_RULES_NOTICE)
        self._graph = replace(graph, notices=kept, rescanned=0)
        outside = [path for path in graph.edges.read_paths if os.fsencode(os.path.dirname(path)) not in self._folders]
        self._unwatched = self._look_at(outside)
        return graph

    def _look_at(self, paths: Iterable[str]) -> dict[str, tuple[int, ...] | None]:
        """Return what tells whether files that no event is about have changed."""
        found: dict[str, tuple[int, ...] | None] = {}
        for path in paths:
            try:
                status = os.lstat(os.path.join(self._root, os.fsencode(path)))
            except (OSError, ValueError):
                found[path] = None
            else:
                found[path] = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        return found

    def _forget_events(self) -> None:
        if self._events is not None:
            self._events.close()
            self._events = None

    def _forget(self) -> None:
        self._forget_events()
        self._walk = self._graph = None


# Array of a walk -> attribute of a status.
_STATUS_FIELDS = {"sizes": "st_size", "mtimes_ns": "st_mtime_ns", "ctimes_ns": "st_ctime_ns", "inodes": "st_ino"}


def _with_entries(tree: WalkedTree, root: bytes, paths: Sequence[bytes], *, with_git_rules: bool) -> WalkedTree:
    """Return the tree with these entries as they are now."""
    changed = set(paths)
    seen = [(path, walk_entry(root, path, with_git_rules=with_git_rules)) for path in paths]
    files = [(path, entry.status) for path, entry in seen if entry.status is not None]
    gone = [place for path in paths if (place := _find(tree.paths, path)) is not None]
    kept = list(tree.paths)
    for place in reversed(gone):
        del kept[place]
    places = [bisect.bisect_left(kept, path) for path, _ in files]
    arrays = {
        name: np.insert(
            np.delete(getattr(tree, name), gone), places, np.array([getattr(s, field) for _, s in files], dtype=object)
        )
        for name, field in _STATUS_FIELDS.items()
    }
    for place, (path, _) in reversed(list(zip(places, files, strict=True))):
        kept.insert(place, path)
    skipped = [entry for entry in tree.skipped if entry[0] not in changed]
    skipped += [(path, entry.skip) for path, entry in seen if entry.skip is not None]
    return WalkedTree(kept, **arrays, skipped=sorted(skipped), repositories=tree.repositories)


def _find(paths: Sequence[bytes], path: bytes) -> int | None:
    place = bisect.bisect_left(paths, path)
    return place if place < len(paths) and paths[place] == path else None
