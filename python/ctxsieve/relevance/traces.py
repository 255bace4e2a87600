"""Stack frames in a task: Python, JavaScript, Java and its kin, Go, Rust, C, and compiler messages."""

import re

from ctxsieve.patterns import lazy_pattern
from ctxsieve.values import dataclass

__all__ = ["Frame", "find_frames"]

_MOST_FRAMES = 64
_PYTHON = lazy_pattern(r'^[ \t]*File "([^"\n]{1,400})", line (\d{1,7})(?:, in ([\w<>.]{1,200}))?', re.MULTILINE)
_JAVA = lazy_pattern(
    r"^[ \t]*at (?:[\w.@-]{1,200}/)?((?:[\w$]{1,100}\.){1,30})([\w$<>]{1,100})\(([\w$-]{1,100}\.\w{1,10}):(\d{1,7})\)",
    re.MULTILINE,
)
_EXTENSION_AND_LINE = lazy_pattern(r"\.[A-Za-z]\w{0,5}:(\d{1,7})(?!\w)")
_PATH_BEFORE = lazy_pattern(r"(?:(?<!\w)[A-Za-z]:)?[\w./\\@+~-]*\Z")
_FUNCTION_BEFORE = lazy_pattern(r"(?:\bin|\bat) ([\w$.:<>~*\[\] ]{1,120}?)(?:\([^()\n]{0,120}\))? ?(?:\(|at )?\Z")
_LONGEST_PATH = 400
_DRIVE_OR_SCHEME = lazy_pattern(r"^(?:file|webpack(?:-internal)?)?:?/{2,}")


@dataclass(frozen=True, slots=True)
class Frame:
    """One place that a stack trace or a compiler message names.

    `depth` is 0 for the frame where the error was raised; `function` may be empty, `line` counts from 1.
    """

    path: str
    line: int
    function: str
    depth: int


def find_frames(text: str) -> tuple[Frame, ...]:
    """Return at most 64 frames, the innermost of each trace first."""
    if ":" not in text and '"' not in text:
        # As in most tasks: none of the expressions need be compiled.
        return ()
    python = [(found[1], int(found[2]), found[3] or "") for found in _PYTHON.finditer(text)]
    # Python prints the innermost call last, everybody else first.
    ordered = python[::-1][:_MOST_FRAMES]
    for found in _JAVA.finditer(text):
        folders = found[1].split(".")[:-2]
        ordered.append(("/".join([*folders, found[3]]), int(found[4]), found[2]))
    ordered += _read_colon_frames(_JAVA.sub(" ", _PYTHON.sub(" ", text)))
    frames: dict[tuple[str, int], Frame] = {}
    for path, line, function in ordered:
        if line > 0:
            frames.setdefault((path, line), Frame(path.removeprefix("./"), line, function.strip("<>"), len(frames)))
    return tuple(frames.values())[:_MOST_FRAMES]


def _read_colon_frames(text: str) -> list[tuple[str, int, str]]:
    """Return `path.ext:line` places, with the function that `in` or `at` names before them."""
    found = []
    for place in _EXTENSION_AND_LINE.finditer(text):
        end = place.start() + place[0].index(":")
        before = text[max(0, end - _LONGEST_PATH) : end].rpartition("\n")[2]
        path = _PATH_BEFORE.search(before)
        if path is None or (path[0].startswith(".") and not path[0].startswith(("./", "../", ".\\"))):
            continue
        function = _FUNCTION_BEFORE.search(before[: path.start()])
        name = function[1].split("::")[-1].split(".")[-1].strip() if function else ""
        found.append((_DRIVE_OR_SCHEME.sub("/", path[0].replace("\\", "/")), int(place[1]), name))
        if len(found) == _MOST_FRAMES:
            break
    return found
