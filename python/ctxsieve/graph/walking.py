"""The files of a project, by the rules that hold there."""

from ctxsieve._kernels import WalkedTree, walk_tree
from ctxsieve.values import dataclass

__all__ = ["GIT_RULES_NOTICE", "ProjectWalk", "walk_project"]

GIT_RULES_NOTICE = ".gitignore excludes every file: it was not applied"


@dataclass(frozen=True, slots=True)
class ProjectWalk:
    """The files of a project; `has_git_rules` says whether the ignore rules of git were applied."""

    tree: WalkedTree
    has_git_rules: bool


def walk_project(root: bytes, *, threads: int) -> ProjectWalk:
    """Walk a project; ignore rules of git that leave nothing were not made for it.

    Source packages of distributions ship such a `.gitignore`: it keeps all but the packaging out of a repository.
    """
    tree = walk_tree(root, with_git_rules=True, threads=threads)
    if tree.paths:
        return ProjectWalk(tree, has_git_rules=True)
    without = walk_tree(root, with_git_rules=False, threads=threads)
    return ProjectWalk(without, has_git_rules=not without.paths)
