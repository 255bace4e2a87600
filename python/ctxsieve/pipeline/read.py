"""Reading files by name, in a mode."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ctxsieve.chunking import ChunkingOptions
from ctxsieve.compress import CompressionOptions, Mode, ModeRequest, RemovalsAhead, parse_mode
from ctxsieve.dedup import DedupOptions
from ctxsieve.errors import InputError
from ctxsieve.jail import OpenRoot, path_below
from ctxsieve.pipeline.auto_mode import WindowState
from ctxsieve.pipeline.file_reader import FileReader, LoadedText, ReadTask
from ctxsieve.pipeline.read_options import ReadOptions
from ctxsieve.pipeline.reading import ReadFile, Reading
from ctxsieve.pipeline.spelling import SpellingOptions

__all__ = ["ReadTask", "read_files"]

# The trees of so much text are kept until repeats are left out; of what is beyond, the text that is left is parsed.
_TREE_BYTES = 10 << 20


def read_files(
    root: Path,
    paths: Sequence[str],
    mode_text: str,
    *,
    task: ReadTask | None = None,
    budget_tokens: int | None = None,
    options: ReadOptions | None = None,
    compression: CompressionOptions | None = None,
    threads: int = 1,
    spelling: SpellingOptions | None = None,
    chunking: ChunkingOptions | None = None,
    dedup: DedupOptions | None = None,
    window: WindowState | None = None,
) -> tuple[Reading, ...]:
    """Return the files in the given mode, in the given order.

    Args:
        root: the project's root.
        paths: POSIX paths, relative to it or absolute and below it.
        mode_text: the mode, the same for all of them.
        task: what they are read for; the mode `task` needs it, `auto` heeds it.
        budget_tokens: what one file may cost in the mode `auto`, but for its line of reference; in no other mode.
        options: limits of `auto`.
        compression: how far the modes that leave nodes out may go.
        threads: so many files are read at the same time; parsing needs no interpreter lock.
        spelling: how what is not verbatim is spelled.
        chunking: how the text of several files is ordered.
        dedup: how repeats in several files are recognised.
        window: what the reader's window holds, which `auto` heeds.

    Raises:
        InputError: the mode, a range or the budget is wrong, the mode needs a task, or another mode than `auto` has a
            budget.
        PathError: a path is missing, outside the root, or of a kind that is never opened.
    """
    reader = FileReader(
        _request_of(mode_text, task, budget_tokens),
        task,
        budget_tokens,
        options or ReadOptions(),
        compression or CompressionOptions(),
        spelling or SpellingOptions(),
        is_one_of_many=len(paths) > 1,
        window=window,
    )
    search = dedup or DedupOptions()
    tree_bytes = _TREE_BYTES if search.enabled else 0
    with _without_collections():
        files = _read_all(reader, root, [path_below(root, path) for path in paths], threads, tree_bytes)
        if len(files) < 2 or not (task or search.enabled):
            return tuple(file.reading for file in files)
        from ctxsieve.pipeline.read_together import present_together

        return present_together(
            files,
            None if task is None else task.ranking,
            chunking=chunking or ChunkingOptions(),
            dedup=search,
            threads=threads,
        )


@contextmanager
def _without_collections() -> Iterator[None]:
    """Look for no garbage in cycles: a read makes ten thousands of values that stay, and looks at them are in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _request_of(mode_text: str, task: ReadTask | None, budget_tokens: int | None) -> ModeRequest:
    request = parse_mode(mode_text)
    if request.mode is Mode.TASK and task is None:
        raise InputError("mode is 'task' but no task is named: give the task that the file is read for")
    if budget_tokens is not None and budget_tokens < 1:
        raise InputError(f"budget is {budget_tokens} tokens: it must be 1 or more")
    if budget_tokens is not None and request.mode is not None:
        raise InputError(
            f"budget is {budget_tokens} tokens: it bounds each file in the mode auto alone; "
            "leave it out or read in the mode auto"
        )
    return request


def _read_all(reader: FileReader, root: Path, names: Sequence[str], threads: int, tree_bytes: int) -> list[ReadFile]:
    """Return the files in their order; in a window one after the other, since each adds to its pressure."""
    with OpenRoot(root) as opened:
        if threads > 1 and len(names) > 1:
            if reader.works_ahead:
                return _read_ahead(reader, opened, names, threads, tree_bytes)
            if reader.window is None:
                return _read_at_once(reader, opened, names, threads)
        files: list[ReadFile] = []
        for name in names:
            files.append(reader.show(reader.load(opened, name)))
            reader = reader.after(files[-1].reading)
        return files


def _read_ahead(
    reader: FileReader, root: OpenRoot, names: Sequence[str], threads: int, tree_bytes: int
) -> list[ReadFile]:
    """Return the files; native threads leave nodes out while this one reads files and takes what is done."""
    with RemovalsAhead(min(threads, len(names)), tree_bytes=tree_bytes) as ahead:
        loaded: list[LoadedText] = []
        for name in names:
            loaded.append(reader.load(root, name))
            reader.begin(loaded[-1], ahead)
        return list(map(reader.show, loaded))


def _read_at_once(reader: FileReader, root: OpenRoot, names: Sequence[str], threads: int) -> list[ReadFile]:
    """Return the files, shown in several threads: parsing needs no interpreter lock."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as executor:
        try:
            return list(executor.map(reader.show, [reader.load(root, name) for name in names]))
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
