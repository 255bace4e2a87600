"""What a task needs and the window lacks: the test of a bug, the manifests of a configuration (SPEC.md 11)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from ctxsieve.ledger.reinjection import is_target

__all__ = ["Deficit", "DeficitKind", "find_deficits"]

# Looked for in every project, beside the manifests of its languages.
COMMON_MANIFESTS = (
    ".env",
    ".env.example",
    "Dockerfile",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yaml",
    "Makefile",
)
_TESTED_TASKS = frozenset({"fix_bug", "refactor", "test"})
_CONFIGURED_TASKS = frozenset({"config", "deploy"})


class DeficitKind(StrEnum):
    """What kind of thing is lacking."""

    TEST = "test"
    MANIFEST = "manifest"


@dataclass(frozen=True, slots=True)
class Deficit:
    """A path that should be loaded; `exists` is False for one that would have to be written.

    `reason` says why, `for_path` names the file that asks for it ("" where the task does).
    """

    path: str
    kind: DeficitKind
    reason: str
    for_path: str
    exists: bool


def find_deficits(
    task_type: str,
    *,
    targets: Sequence[str],
    loaded: Iterable[str],
    paths: Sequence[str],
    is_test: Callable[[str], bool],
    test_candidates: Callable[[str], Sequence[str]],
    importers_of: Callable[[str], Iterable[str]],
    manifests: Sequence[str] = (),
    limit: int = 20,
) -> list[Deficit]:
    """What should be loaded for a task and is not, in the order of the targets.

    Args:
        task_type: The type of the intent: fix_bug, refactor and test want tests, config and deploy manifests.
        targets: What the task is about, as the intent names it: paths, their ends, or folders.
        loaded: Paths that the consumer holds.
        paths: Every path of the index.
        is_test: Whether a path is a test.
        test_candidates: Conventional test paths of a source path, the likeliest first.
        importers_of: Paths that import a path.
        manifests: Manifest names or paths of the project's languages.
        limit: How many to name at most.
    """
    held = set(loaded)
    if task_type in _TESTED_TASKS:
        return _missing_tests(targets, held, paths, is_test, test_candidates, importers_of)[:limit]
    if task_type in _CONFIGURED_TASKS:
        return _missing_manifests(held, paths, manifests)[:limit]
    return []


def _missing_tests(
    targets: Sequence[str],
    held: set[str],
    paths: Sequence[str],
    is_test: Callable[[str], bool],
    test_candidates: Callable[[str], Sequence[str]],
    importers_of: Callable[[str], Iterable[str]],
) -> list[Deficit]:
    known = set(paths)
    deficits: dict[str, Deficit] = {}
    for source in _targeted_sources(targets, paths, is_test):
        conventional = list(test_candidates(source))
        by_name = [path for path in conventional if path in known]
        by_graph = sorted(path for path in importers_of(source) if is_test(path))
        evidence = dict.fromkeys(by_graph, f"imports {source}")
        evidence |= dict.fromkeys(by_name, f"test of {source} by convention")
        if not evidence and conventional:
            path = conventional[0]
            deficits.setdefault(path, Deficit(path, DeficitKind.TEST, f"{source} has no test", source, exists=False))
        elif not held.intersection(evidence):
            path = (by_name or by_graph)[0]
            deficits.setdefault(path, Deficit(path, DeficitKind.TEST, evidence[path], source, exists=True))
    return list(deficits.values())


def _targeted_sources(targets: Sequence[str], paths: Sequence[str], is_test: Callable[[str], bool]) -> list[str]:
    """The source files that the targets name; a target that nobody has yet stands for itself."""
    sources: dict[str, None] = {}
    for target in targets:
        found = [path for path in paths if is_target(path, [target])]
        if not found and PurePosixPath(target).suffix:
            found = [target.removeprefix("./")]
        sources |= dict.fromkeys(path for path in found if not is_test(path))
    return list(sources)


def _missing_manifests(held: set[str], paths: Sequence[str], manifests: Sequence[str]) -> list[Deficit]:
    names = dict.fromkeys((*manifests, *COMMON_MANIFESTS))
    order = {name: position for position, name in enumerate(names)}
    found = []
    for path in paths:
        name = next((name for name in (path, path.rsplit("/", 1)[-1]) if name in order), None)
        if name is not None and path not in held:
            # Those of the whole project come before those of a part.
            found.append((path.count("/"), order[name], path))
    return [
        Deficit(path, DeficitKind.MANIFEST, "holds the project's configuration", "", exists=True)
        for _, _, path in sorted(found)
    ]
