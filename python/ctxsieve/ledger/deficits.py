"""What a task needs and the window lacks: the test of a bug, the manifests of a configuration (docs/ledger.md)."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import PurePosixPath

from ctxsieve.errors import InputError
from ctxsieve.languages import Role, candidate_test_paths, is_manifest, manifest_patterns, role_of
from ctxsieve.ledger.reinjection import is_target
from ctxsieve.values import dataclass

__all__ = ["Deficit", "DeficitKind", "find_deficits"]

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
    importers_of: Callable[[str], Iterable[str]],
    languages: Iterable[str] = (),
    limit: int = 20,
) -> list[Deficit]:
    """What should be loaded for a task and is not, in the order of the targets.

    Args:
        task_type: The type of the intent: fix_bug, refactor and test want tests, config and deploy manifests.
        targets: What the task is about, as the intent names it: paths, their ends, or folders.
        loaded: Paths that the consumer holds.
        paths: Every path of the index.
        importers_of: Paths that import a path.
        languages: The project's languages, for their manifests.
        limit: How many to name at most.
    """
    if limit < 1:
        raise InputError(f"limit is {limit}: it must be 1 or more")
    held = set(loaded)
    if task_type in _TESTED_TASKS:
        return _missing_tests(targets, held, paths, importers_of)[:limit]
    if task_type in _CONFIGURED_TASKS:
        return _missing_manifests(held, paths, languages)[:limit]
    return []


def _missing_tests(
    targets: Sequence[str], held: set[str], paths: Sequence[str], importers_of: Callable[[str], Iterable[str]]
) -> list[Deficit]:
    known = set(paths)
    deficits: dict[str, Deficit] = {}
    for source in _targeted_sources(targets, paths):
        conventional = candidate_test_paths(source)
        by_name = [path for path in conventional if path in known]
        by_graph = sorted({path for path in importers_of(source) if _is_test(path)})
        evidence = dict.fromkeys(by_graph, f"imports {source}")
        evidence |= dict.fromkeys(by_name, f"test of {source} by convention")
        if not evidence and conventional:
            path = _likeliest_place(conventional, paths)
            deficits.setdefault(path, Deficit(path, DeficitKind.TEST, f"{source} has no test", source, exists=False))
        elif evidence and not held.intersection(evidence):
            path = (by_name or by_graph)[0]
            deficits.setdefault(path, Deficit(path, DeficitKind.TEST, evidence[path], source, exists=True))
    return list(deficits.values())


def _targeted_sources(targets: Sequence[str], paths: Sequence[str]) -> list[str]:
    """The source files that the targets name; a target that nobody has yet stands for itself."""
    sources: dict[str, None] = {}
    for target in targets:
        found = [path for path in paths if is_target(path, [target])]
        if not found and PurePosixPath(target).suffix:
            found = [target.removeprefix("./")]
        sources |= dict.fromkeys(path for path in found if not _is_test(path))
    return list(sources)


def _likeliest_place(conventional: Sequence[str], paths: Sequence[str]) -> str:
    """The first conventional path in a folder where the project keeps tests, otherwise the first."""
    folders = {path.rpartition("/")[0] for path in paths if _is_test(path)}
    return next((path for path in conventional if path.rpartition("/")[0] in folders), conventional[0])


def _is_test(path: str) -> bool:
    return role_of(path) is Role.TEST


def _missing_manifests(held: set[str], paths: Sequence[str], languages: Iterable[str]) -> list[Deficit]:
    patterns = manifest_patterns(languages)
    found = [path for path in paths if path not in held and is_manifest(path, patterns)]
    roles = {path: role_of(path) for path in found}
    # Those of the whole project come before those of a part, examples and fixtures last.
    found = [path for path in found if roles[path] is not Role.VENDORED]
    found.sort(key=lambda path: (roles[path] in (Role.TEST, Role.EXAMPLE), path.count("/"), path))
    return [Deficit(path, DeficitKind.MANIFEST, "configures the project", "", exists=True) for path in found]
