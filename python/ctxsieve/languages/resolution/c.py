"""C and C++: includes relative to the file, over include roots, and by suffix where a build would add a path."""

import re
from collections.abc import Hashable, Sequence

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Project, Target, ancestors, shared_depth

__all__ = ["Resolver"]

_INCLUDE = re.compile(r"#\s*(?:include|include_next|import)\s*(?:<([^>\n]+)>|\"([^\"\n]+)\")")
_IMPORT_UNIT = re.compile(r"import\s*(?:<([^>\n]+)>|\"([^\"\n]+)\")")
# The tail of a directory that a build passes with -I: include/, include/uapi/, inc/, src/, lib/.
_ROOT_TAIL = re.compile(r"(?:^|/)(?:(?:include|inc|includes|headers|Include)(?:/(?:uapi|generated|public))*|src|lib)$")
# Headers of the C library and the C++ standard library that projects also have files named like.
_SYSTEM = frozenset(
    [
        "assert.h",
        "complex.h",
        "ctype.h",
        "errno.h",
        "fcntl.h",
        "features.h",
        "float.h",
        "getopt.h",
        "inttypes.h",
        "iso646.h",
        "limits.h",
        "locale.h",
        "malloc.h",
        "math.h",
        "memory.h",
        "netdb.h",
        "poll.h",
        "pthread.h",
        "sched.h",
        "semaphore.h",
        "setjmp.h",
        "signal.h",
        "stdarg.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "stdnoreturn.h",
        "string.h",
        "strings.h",
        "syslog.h",
        "termios.h",
        "tgmath.h",
        "threads.h",
        "time.h",
        "uchar.h",
        "unistd.h",
        "wchar.h",
        "wctype.h",
        "dirent.h",
        "dlfcn.h",
        "elf.h",
        "endian.h",
        "err.h",
        "error.h",
        "grp.h",
        "pwd.h",
        "libgen.h",
        "regex.h",
        "search.h",
        "spawn.h",
        "utime.h",
        "wait.h",
        "windows.h",
    ]
)
_DEFAULT_ARCHITECTURE = "arch/x86"


class Resolver(ImportResolver):
    """Resolves `#include`.

    A quoted name is tried beside the file first. Then, for both spellings, every file whose path ends with the name is
    a candidate: the rest of its path is the include root that a build would have to pass. A root belongs to the
    directory above its `include` (or `src`, `lib`) tail; roots whose owner holds the including file come first, the
    deepest owner before others, shorter roots before longer (`include/` before `include/uapi/`). Outside of every owner
    a quoted name goes to the candidate that shares most of the path, an angle name only when it is the one candidate or
    has a directory part, and names of the C library never. Where each architecture has its own root (`arch/*/include`),
    files outside of `arch` see x86's.
    """

    def __init__(self, project: Project, documents: Sequence[int]) -> None:
        super().__init__(project, documents)
        self._candidates: dict[str, list[tuple[str, str, int]]] = {}
        self._answers: dict[tuple[str, str, bool], int | None] = {}
        self._depths: dict[str, frozenset[str]] = {}

    def context_of(self, document: int) -> Hashable:
        """The directory."""
        return self.project.directories[document]

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the included file, if it is one of the project's."""
        match = _INCLUDE.match(text) or _IMPORT_UNIT.match(text)
        if match is None:
            return []
        directory = self.project.directories[document]
        if match[2] is not None:
            beside = self.project.find_joined(directory, match[2])
            if beside is not None:
                return [(beside, EdgeKind.INCLUDE)]
        name = (match[1] or match[2]).strip()
        target = self._search(name, directory, is_quoted=match[2] is not None)
        return [] if target is None else [(target, EdgeKind.INCLUDE)]

    def _search(self, name: str, directory: str, *, is_quoted: bool) -> int | None:
        candidates = self._candidates_of(name)
        if not candidates:
            return None
        above = self._above(directory)
        best: tuple[int, int, str] | None = None
        found: int | None = None
        for owner, root, document in candidates:
            if owner in above and (is_quoted or name not in _SYSTEM or root != owner):
                key = (-len(owner), len(root), self.project.paths[document])
                if best is None or key < best:
                    best, found = key, document
        if found is not None or (name in _SYSTEM and not is_quoted):
            return found
        return self._outside(name, directory, candidates, is_quoted=is_quoted)

    def _outside(
        self, name: str, directory: str, candidates: Sequence[tuple[str, str, int]], *, is_quoted: bool
    ) -> int | None:
        if len(candidates) == 1 and (is_quoted or "/" in name or _ROOT_TAIL.search(candidates[0][1])):
            return candidates[0][2]
        if not is_quoted and "/" not in name:
            return None
        architectures = [item for item in candidates if item[0].startswith("arch/")]
        if architectures and not directory.startswith("arch/"):
            for owner, _, document in architectures:
                if owner == _DEFAULT_ARCHITECTURE:
                    return document
        ranked = sorted(
            candidates,
            key=lambda item: (-shared_depth(item[1], directory), len(item[1]), self.project.paths[item[2]]),
        )
        return ranked[0][2] if shared_depth(ranked[0][1], directory) > 0 else None

    def _candidates_of(self, name: str) -> list[tuple[str, str, int]]:
        """Return (owner, root, document) of every file whose path ends with an included name."""
        known = self._candidates.get(name)
        if known is None:
            suffix = name.removeprefix("./")
            while suffix.startswith("../"):
                suffix = suffix[3:]
            known = []
            for document in self.project.find_suffix(suffix):
                root = self.project.paths[document][: -len(suffix)].rstrip("/")
                match = _ROOT_TAIL.search(root)
                known.append((root[: match.start()] if match else root, root, document))
            self._candidates[name] = known
        return known

    def _above(self, directory: str) -> frozenset[str]:
        known = self._depths.get(directory)
        if known is None:
            known = self._depths[directory] = frozenset(ancestors(directory))
        return known
