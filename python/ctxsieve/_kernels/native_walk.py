"""The native walk in the shape that both backends share; loaded alone, since a command begins with it."""

from ctxsieve._kernels import _native
from ctxsieve._kernels.trees import WalkedTree


def walk_tree(root: bytes, *, with_git_rules: bool, threads: int) -> WalkedTree:
    """Return the files below `root` that no ignore rule excludes; see `WalkedTree`."""
    paths, sizes, mtimes_ns, ctimes_ns, inodes, skipped, reasons, repositories = _native.walk_tree(
        root, with_git_rules, threads
    )
    skipped_paths = skipped.split(b"\0") if skipped else []
    return WalkedTree(
        paths.split(b"\0") if paths else [],
        sizes,
        mtimes_ns,
        ctimes_ns,
        inodes,
        list(zip(skipped_paths, reasons.tolist(), strict=True)),
        repositories.split(b"\0") if repositories else [],
    )
