"""The mode that keeps what a task needs: the information bottleneck (docs/compression.md)."""

from collections.abc import Sequence

from ctxsieve.compress.costs import LineCosts
from ctxsieve.compress.error_lines import handles_errors
from ctxsieve.compress.modes import Mode
from ctxsieve.compress.native import remove_natively
from ctxsieve.compress.nodes import NodeClass, RemovableNode, find_removable_nodes
from ctxsieve.compress.options import CompressionOptions
from ctxsieve.compress.removal import Removal, remove_nodes
from ctxsieve.compress.source import SourceFile

__all__ = ["render_task"]


def render_task(
    source: SourceFile,
    relevance: Sequence[float],
    *,
    has_error_lines_first: bool,
    options: CompressionOptions | None = None,
) -> Removal:
    """Return the file with the statements that the task is about; of the rest the signatures stay.

    Args:
        source: the file.
        relevance: one number per line, larger for lines that the task is more about; 0 for none.
        has_error_lines_first: statements that handle errors stay in every definition that the task touches.
        options: `task_share` is the share of the best line's relevance from which on a statement stays.
    """
    options = options or CompressionOptions()
    best = max(relevance, default=0.0)
    wanted = best * options.task_share
    kept = [value > 0 and value >= wanted for value in relevance]
    if has_error_lines_first:
        # Half as relevant is enough for a line that handles errors.
        kept = [
            is_kept or (value > 0 and value >= wanted / 2 and handles_errors(text))
            for is_kept, value, text in zip(kept, relevance, source.lines, strict=True)
        ]
    removal = remove_natively(source, Mode.TASK, (), gap_tokens=options.gap_tokens, kept=bytes(kept))
    if removal is None:
        skeleton = find_removable_nodes(source)
        chosen = [node for node in skeleton.nodes if _may_go(node, kept)]
        removal = remove_nodes(source, skeleton, chosen, LineCosts(source), Mode.TASK, gap_tokens=options.gap_tokens)
    if best == 0 and removal.rendering is not None and not removal.reason:
        return Removal(removal.rendering, "nothing in it is about the task, so only signatures are shown")
    return removal


def _may_go(node: RemovableNode, kept: Sequence[bool]) -> bool:
    if node.kind is NodeClass.ATTRIBUTE:
        return False
    return not any(kept[node.first_line - 1 : node.last_line])
