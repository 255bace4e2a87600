"""Which file a test is about, by name: `tests/test_auth.py` is about `auth.py`."""

import re
from collections.abc import Iterator

from ctxsieve.languages.registry import LANGUAGES
from ctxsieve.languages.resolution.project import EdgeKind, Project, shared_depth
from ctxsieve.languages.roles import Role, role_of
from ctxsieve.languages.table import LanguageKind

__all__ = ["subject_stem", "test_edges"]

_AFFIXES = re.compile(
    r"^(?:test[_-](?P<prefixed>.+)|Test(?P<camel>[A-Z].*)"
    r"|(?P<suffixed>.+?)(?:[._-](?:tests?|spec|unittest|kunit|e2e|bench)|Tests?|Spec|Suite|IT|TestCase))$"
)
# The extension families whose members test each other.
_FAMILY = {"ts": "js", "tsx": "js", "jsx": "js", "mjs": "js", "cjs": "js", "mts": "js", "cts": "js"} | {
    "pyi": "py",
    "exs": "ex",
    "bats": "sh",
    "kts": "kt",
    "cc": "c",
    "cpp": "c",
    "cxx": "c",
    "t": "pl",
    "pm": "pl",
}


def subject_stem(stem: str) -> str | None:
    """Return the stem of the file that a test's stem names; None when it is no test's name."""
    match = _AFFIXES.match(stem)
    if match is None:
        return None
    return match["prefixed"] or match["camel"] or match["suffixed"]


def test_edges(project: Project) -> Iterator[tuple[int, int, EdgeKind]]:
    """Yield an edge from each test to the source file that it is named after, the nearest where several are."""
    subjects: dict[tuple[str, str], list[int]] = {}
    tests: list[tuple[int, str, str]] = []
    for document, path in enumerate(project.paths):
        name = project.view.languages[document]
        if name is None or name not in LANGUAGES or LANGUAGES[name].kind is not LanguageKind.CODE:
            continue
        stem, _, extension = path.rpartition("/")[2].rpartition(".")
        family = _FAMILY.get(extension, extension)
        subject = subject_stem(stem)
        if subject is not None:
            tests.append((document, subject.lower().replace("_", ""), family))
        else:
            subjects.setdefault((stem.lower().replace("_", ""), family), []).append(document)
    for document, subject, family in tests:
        named = subjects.get((subject, family), ())
        candidates = [other for other in named if role_of(project.paths[other]) is Role.SOURCE]
        target = _best_subject(project, document, candidates)
        if target is not None:
            yield document, target, EdgeKind.TEST_OF


def _best_subject(project: Project, document: int, candidates: list[int]) -> int | None:
    """Return the subject whose path has most components in common with the test's; None on a tie."""
    if len(candidates) == 1:
        return candidates[0]
    here = project.directories[document]
    words = set(here.split("/"))
    ranked = sorted(
        candidates,
        key=lambda other: (
            -len(words & set(project.directories[other].split("/"))),
            -shared_depth(here, project.directories[other]),
            project.paths[other],
        ),
    )
    return ranked[0] if ranked and words & set(project.directories[ranked[0]].split("/")) else None
