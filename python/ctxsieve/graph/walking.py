"""The files of a project, by the rules that hold there."""

import contextlib
from threading import Thread
from typing import TYPE_CHECKING

from ctxsieve.values import dataclass

if TYPE_CHECKING:
    from ctxsieve._kernels import WalkedTree

__all__ = ["GIT_RULES_NOTICE", "ProjectWalk", "WalkAhead", "walk_project"]

GIT_RULES_NOTICE = ".gitignore excludes every file: it was not applied"


@dataclass(frozen=True, slots=True)
class ProjectWalk:
    """The files of a project; `has_git_rules` says whether the ignore rules of git were applied."""

    tree: "WalkedTree"
    has_git_rules: bool


def walk_project(root: bytes, *, threads: int) -> ProjectWalk:
    """Walk a project; ignore rules of git that leave nothing were not made for it.

    Source packages of distributions ship such a `.gitignore`: it keeps all but the packaging out of a repository.
    """
    # Loaded here: a walk may begin before what works with its arrays.
    from ctxsieve._kernels import walk_tree

    tree = walk_tree(root, with_git_rules=True, threads=threads)
    if tree.paths:
        return ProjectWalk(tree, has_git_rules=True)
    without = walk_tree(root, with_git_rules=False, threads=threads)
    return ProjectWalk(without, has_git_rules=not without.paths)


class WalkAhead:
    """A walk that begins at once in a thread of its own, while its caller does what needs no tree yet."""

    def __init__(self, root: bytes, *, threads: int) -> None:
        self._walk: ProjectWalk | None = None
        self._thread = Thread(target=self._run, args=(root, threads))
        self._thread.start()

    def _run(self, root: bytes, threads: int) -> None:
        # What goes wrong goes wrong again, and is said, where the tree is needed.
        with contextlib.suppress(Exception):
            self._walk = walk_project(root, threads=threads)

    def take(self) -> ProjectWalk | None:
        """Return the walk once, since trees change; None where there is none (any more)."""
        self._thread.join()
        walk, self._walk = self._walk, None
        return walk
