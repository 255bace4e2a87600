"""The built-in tools for pre-hydration: files below the project root and, with the extra `web`, public web pages."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ctxsieve.compress.decoding import decode_text, is_binary
from ctxsieve.errors import InputError, PathError
from ctxsieve.jail import path_below, read_inside
from ctxsieve.reasoning.hydration_plan import ToolCall

__all__ = ["FileReader", "ToolTable"]

MAX_FILE_BYTES = 8 << 20


class FetchedText(str):
    """A file's text; `note` says why it is not the file's bytes, if it is not."""

    note: str = ""


class FileReader:
    """Reads files below one root; secrets files, special files and whatever leads out of the root are refused.

    Args:
        root: The project root.
        known_paths: Returns the project's files (POSIX, relative), asked at most once. Where given, a path that does
            not exist is looked up as the end of exactly one of them: a task may say `main.py` for `src/app/main.py`.
    """

    def __init__(self, root: str | os.PathLike[str], known_paths: Callable[[], Sequence[str]] = tuple) -> None:
        self._root = root
        self._known_paths = lru_cache(maxsize=1)(known_paths)

    def __call__(self, path: str) -> FetchedText:
        """Return the text of a file, decoded as `read` decodes it; where it is not its bytes, its `note` says so.

        Raises:
            PathError: The path is refused, missing, ambiguous, or the file is binary or larger than 8 MiB.
        """
        if os.path.isabs(path):
            path = path_below(self._root, path)
        data = self._read(path)
        if len(data) > MAX_FILE_BYTES:
            raise PathError(f"path {path!r} is larger than {MAX_FILE_BYTES >> 20} MiB: it is not fetched")
        if is_binary(data):
            raise PathError(f"path {path!r} is a binary file: it is not fetched")
        decoded = decode_text(data, path)
        text = FetchedText(decoded.text)
        text.note = decoded.note
        return text

    def _read(self, path: str) -> bytes:
        try:
            return read_inside(self._root, path, limit_bytes=MAX_FILE_BYTES + 1)
        except PathError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
            ending = "/" + path.removeprefix("./")
            matches = [known for known in self._known_paths() if known.endswith(ending)]
            if not matches:
                raise
            if len(matches) > 1:
                few = ", ".join(matches[:5])
                raise PathError(f"path {path!r} may be {few}{', ...' * (len(matches) > 5)}: name one") from None
            return read_inside(self._root, matches[0], limit_bytes=MAX_FILE_BYTES + 1)


class ToolTable:
    """Named tools as the executor of a plan: calls the tool of the call's name with its arguments as keywords."""

    def __init__(self, tools: Mapping[str, Callable[..., Any]]) -> None:
        self._tools = dict(tools)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools."""
        return tuple(self._tools)

    def __call__(self, call: ToolCall) -> Any:
        """Return what the tool returns, which may be awaitable."""
        if call.tool not in self._tools:
            raise InputError(f"there is no tool {call.tool!r}: the table has {', '.join(self._tools) or 'none'}")
        return self._tools[call.tool](**call.arguments)
