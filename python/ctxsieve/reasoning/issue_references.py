"""Issues and pull requests: as URLs of GitHub and GitLab, as `owner/repo#12`, and in the words of a sentence."""

import re
from collections.abc import Iterator
from itertools import chain

from ctxsieve.reasoning.mentions import ISSUE, PULL_REQUEST, Mask, Reference

__all__ = ["find_issues", "read_issue_url"]

_GITHUB_URL = re.compile(
    r"(?i)https?://(?:www\.)?(?P<host>github\.(?:com|[\w.-]{1,200}))/(?P<owner>[\w.-]{1,100})/(?P<repo>[\w.-]{1,100})"
    r"/(?P<kind>issues|pull)/(?P<number>[1-9]\d{0,8})(?=[/?#]|$)"
)
_GITLAB_URL = re.compile(
    r"(?i)https?://(?P<host>[\w.-]{1,200}(?::\d{1,5})?)/(?P<owner>[\w.-]{1,100}(?:/[\w.-]{1,100}){0,20}?)"
    r"/(?P<repo>[\w.-]{1,100})/(?P<dash>-/)?(?P<kind>issues|merge_requests)/(?P<number>[1-9]\d{0,8})(?=[/?#]|$)"
)

_NUMBER = r"(?P<number>[1-9]\d{0,8})(?![\w-]|\.\d)"
_QUALIFIED = re.compile(
    r"(?<![\w./@#&-])(?:(?i:(?P<word>prs?|mrs?|pull[ -]requests?|merge[ -]requests?)\s{1,2}))?"
    rf"(?P<owner>[A-Za-z0-9][\w-]{{0,38}})/(?P<repo>[\w.-]{{1,100}})(?P<mark>[#!]){_NUMBER}"
)
# `docs/page.md#12` is a place in a file.
_ANCHORED = re.compile(r"(?i)\.(?:md|html?|rst|adoc)$")
_WORDED = re.compile(
    r"(?i)(?<![\w-])(?P<word>prs?|mrs?|pull[ -]requests?|merge[ -]requests?|issues?|bugs?|tickets?|gh-)"
    rf"(?P<gap>:?\s{{0,2}}(?:(?:number|num\.?|no\.?|nr\.?)\s{{0,2}})?)(?P<mark>[#!]?){_NUMBER}"
)
_AND_NEXT = re.compile(rf"(?:\s{{0,2}},\s{{0,2}}(?:(?:and|or)\s{{1,2}})?|\s{{1,2}}(?:and|or|&)\s{{1,2}})[#!]{_NUMBER}")
_BARE = re.compile(rf"(?<![\w&#/=!-])(?<!\]\()#{_NUMBER}")
# "issue 12 warnings" is a verb; with one of these after it, or nothing, the number is a name.
_AFTER_BARE_NUMBER = re.compile(
    r"\s{0,2}(?:$|[^\w\s]|(?:is|was|in|on|of|from|has|and|or|about|says|describes|reports|mentions|for|by|as|with)\b)"
)
_COLOUR_BEFORE = re.compile(
    r"(?i)(?:colou?r|background|border|fill|stroke|shade|hex|rgba?)[\w-]{0,20}\s{0,3}(?:is|to|of|[:=(])?\s{0,3}[\"'(]?$"
)
_FENCE = re.compile(r"^[ >]{0,9}(`{3,}|~{3,})", re.MULTILINE)
_INLINE_CODE = re.compile(r"`[^`\n]{1,500}`")


def read_issue_url(url: str, start: int) -> Reference | None:
    """Return the issue or pull request that a URL of GitHub or GitLab stands for, or None."""
    if (found := _GITHUB_URL.match(url)) is None:
        found = _GITLAB_URL.match(url)
        # Without the `-` of GitLab's own paths, only the name of the host says that it is GitLab.
        if found is None or not (found["dash"] or found["host"].lower().startswith("gitlab.")):
            return None
    kind = PULL_REQUEST if found["kind"].lower() in ("pull", "merge_requests") else ISSUE
    host, owner, repo, number = found["host"].lower(), found["owner"], found["repo"], int(found["number"])
    mark = "!" if found["kind"].lower() == "merge_requests" else "#"
    place = f"{owner}/{repo}".lower() if host == "github.com" else f"{host}/{owner}/{repo}".lower()
    values: dict[str, str | int] = {"url": url, "host": host, "owner": owner, "repo": repo, "number": number}
    return Reference(kind, url, start, start + len(url), f"{place}{mark}{number}", values)


def find_issues(text: str, mask: Mask) -> Iterator[Reference]:
    """Yield issues and pull requests and claim them; a bare `#12` in code, a colour or an entity is none."""
    yield from _find_qualified(text, mask)
    yield from _find_worded(text, mask)
    yield from _find_bare(text, mask)


def _find_qualified(text: str, mask: Mask) -> Iterator[Reference]:
    for found in _QUALIFIED.finditer(text):
        start, end = found.start("owner"), found.end()
        if not mask.is_free(start, end) or _ANCHORED.search(found["repo"]):
            continue
        mask.claim(found.start(), end)
        is_pull_request = found["word"] is not None or found["mark"] == "!"
        owner, repo, number = found["owner"], found["repo"], int(found["number"])
        key = f"{owner}/{repo}{found['mark']}{number}".lower()
        values: dict[str, str | int] = {"owner": owner, "repo": repo, "number": number}
        kind = PULL_REQUEST if is_pull_request else ISSUE
        yield Reference(kind, text[start:end], start, end, key, values)


def _find_worded(text: str, mask: Mask) -> Iterator[Reference]:
    for found in _WORDED.finditer(text):
        word = found["word"].lower()
        kind = PULL_REQUEST if word[0] in "pm" else ISSUE
        if not mask.is_free(*found.span()) or not _names_a_number(text, found, word):
            continue
        yield _numbered(text, mask, kind, found, found.start())
        end = found.end()
        while (following := _AND_NEXT.match(text, end)) and mask.is_free(*following.span()):
            yield _numbered(text, mask, kind, following, following.start("number") - 1)
            end = following.end()


def _names_a_number(text: str, found: re.Match[str], word: str) -> bool:
    if word == "gh-":
        return not found["mark"] and not found["gap"]
    if found["mark"]:
        return found["mark"] == "#" or word[0] == "m"
    if not found["gap"] or found["word"] in ("Mr", "Mrs"):
        return False  # `PR55` and `bug7` are names
    if word[0] in "pm" or found["gap"].strip():
        return True
    return word in ("issue", "bug", "ticket") and _AFTER_BARE_NUMBER.match(text, found.end()) is not None


def _find_bare(text: str, mask: Mask) -> Iterator[Reference]:
    code = Mask(text)
    for start, end in chain(_fenced_spans(text), (match.span() for match in _INLINE_CODE.finditer(text))):
        code.claim(start, end)
    for found in _BARE.finditer(text):
        start, end = found.span()
        if mask.is_free(start, end) and code.is_free(start, end) and not _is_colour(text, found):
            yield _numbered(text, mask, ISSUE, found, start)


def _numbered(text: str, mask: Mask, kind: str, found: re.Match[str], start: int) -> Reference:
    mask.claim(start, found.end())
    number = int(found["number"])
    mark = "!" if text[found.start("number") - 1] == "!" else "#"
    return Reference(kind, text[start : found.end()], start, found.end(), f"{mark}{number}", {"number": number})


def _is_colour(text: str, found: re.Match[str]) -> bool:
    if len(found["number"]) not in (3, 4, 6, 8):
        return False
    return _COLOUR_BEFORE.search(text[max(0, found.start() - 40) : found.start()]) is not None


def _fenced_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of fenced code; a fence that is never closed runs to the end."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]):
            yield opened.start(), fence.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)
