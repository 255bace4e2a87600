"""Finding what a task refers to: URLs, pull requests, issues, files, and what a caller's own patterns describe."""

import re
from collections.abc import Iterator, Sequence

from ctxsieve.errors import InputError
from ctxsieve.reasoning.configuration import StrictConfig
from ctxsieve.reasoning.issue_references import find_issues, read_issue_url
from ctxsieve.reasoning.mentions import FILE, ISSUE, PULL_REQUEST, URL, Mask, Reference
from ctxsieve.reasoning.path_references import find_paths, normalise_path
from ctxsieve.values import dataclass, replace

__all__ = ["CustomPattern", "find_mentions", "scan_references"]

_REF_TYPE = re.compile(r"[a-z][a-z0-9_]{0,31}")
_SCHEME = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,31}://")
_URL_END = re.compile(r"[\s<>\"`|\\^{}\x00-\x1f\x7f\u3000-\u303f\uff00-\uffef“”‘’«»…]|$")
_URL_HOST = re.compile(r"(?i)https?://(?:[^/?#@]*@)?(?:[^\W_]|\[[0-9a-f:.]+\])")
# Addresses of mail and of Git over SSH are no files.
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?::[^\s\"'`<>()]{1,1000})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomPattern(StrictConfig):
    """A caller's own kind of reference.

    Attributes:
        ref_type: Its name: lower-case letters, digits and `_`. One of the built-in names extends that kind.
        pattern: A regular expression of Python, trusted: its running time is the caller's affair. A group named
            `id`, the first group, or the whole match says which thing is meant.
    """

    ref_type: str
    pattern: str

    def _check(self) -> None:
        if not _REF_TYPE.fullmatch(self.ref_type):
            raise InputError(f"ref_type is {self.ref_type!r}: it must be lower-case letters, digits and _")
        try:
            expression = re.compile(self.pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise InputError(f"pattern {self.pattern!r} is no regular expression: {error}") from None
        if expression.match("") or expression.search(""):
            raise InputError(f"pattern {self.pattern!r} matches the empty text: it would match everywhere")


def scan_references(text: str, custom_patterns: Sequence[CustomPattern] = ()) -> list[Reference]:
    """Return what the text refers to, each thing once, in order of first appearance.

    An issue that is called a pull request anywhere is a pull request.
    """
    found: dict[tuple[str, str], Reference] = {}
    for mention in find_mentions(text, custom_patterns):
        is_numbered = mention.ref_type in (ISSUE, PULL_REQUEST)
        identity = ("number" if is_numbered else mention.ref_type, mention.key)
        first = found.setdefault(identity, mention)
        if mention.ref_type == PULL_REQUEST and first.ref_type == ISSUE:
            found[identity] = replace(first, ref_type=PULL_REQUEST)
    return list(found.values())


def find_mentions(text: str, custom_patterns: Sequence[CustomPattern] = ()) -> list[Reference]:
    """Return every mention in order; their spans slice back to the text and do not overlap.

    Where kinds compete for the same characters, the first of these wins: URL, pull request and issue, path, custom
    patterns in their order. Costs grow linearly with the text.
    """
    mask = Mask(text)
    mentions: list[Reference] = []
    for finder in (_find_urls, find_issues, find_paths):
        mentions += finder(text, mask)
    for custom in custom_patterns:
        mentions += _find_custom(text, mask, custom)
    return sorted(mentions, key=lambda mention: mention.start)


def _find_urls(text: str, mask: Mask) -> Iterator[Reference]:
    position = 0
    while (scheme := _SCHEME.search(text, position)) is not None:
        start = scheme.start()
        stop = _URL_END.search(text, scheme.end())
        end = _trimmed_end(text, start, len(text) if stop is None else stop.start())
        position = max(end, scheme.end())
        mask.claim(start, position)  # also what is no web address: other schemes name no files either
        if _URL_HOST.match(text, start, end):
            url = text[start:end]
            yield read_issue_url(url, start) or Reference(URL, url, start, end, _normalise_url(url), {"url": url})
    for address in _ADDRESS.finditer(text):
        mask.claim(*address.span())


def _trimmed_end(text: str, start: int, end: int) -> int:
    """Leave out punctuation that ends the sentence, not the URL; closing brackets belong to it if they are balanced."""
    balance = {
        close: text.count(close, start, end) - text.count(opening, start, end)
        for opening, close in (("(", ")"), ("[", "]"))
    }
    while end > start:
        last = text[end - 1]
        if last in balance:
            if balance[last] <= 0:
                break
            balance[last] -= 1
        elif last not in ".,;:!?'*([":
            break
        end -= 1
    return end


def _normalise_url(url: str) -> str:
    """Return the URL as a key: scheme and host folded, default port and fragment left out."""
    scheme, _, rest = url.partition("://")
    rest = rest.partition("#")[0]
    cut = min((position for position in map(rest.find, "/?") if position >= 0), default=len(rest))
    host, path = rest[:cut].lower(), rest[cut:]
    scheme = scheme.lower()
    return f"{scheme}://{host.removesuffix(':443' if scheme == 'https' else ':80')}{path or '/'}"


def _find_custom(text: str, mask: Mask, custom: CustomPattern) -> Iterator[Reference]:
    for match in re.finditer(custom.pattern, text):
        start, end = match.span()
        if start == end or not mask.is_free(start, end):
            continue
        mask.claim(start, end)
        named = {name: value for name, value in match.groupdict().items() if value is not None}
        first = next((value for value in match.groups() if value is not None), match[0])
        identifier = named.get("id", first)
        key, values = _identify(custom.ref_type, identifier)
        yield Reference(custom.ref_type, match[0], start, end, key, {**values, **named, "id": identifier})


def _identify(ref_type: str, identifier: str) -> tuple[str, dict[str, str | int]]:
    """Return key and values of a custom match; those of a built-in kind are what that kind's own mentions have."""
    if ref_type == FILE:
        path = normalise_path(identifier)
        return path, {"path": path}
    if ref_type == URL:
        return _normalise_url(identifier), {"url": identifier}
    if ref_type in (ISSUE, PULL_REQUEST):
        is_number = identifier.isascii() and identifier.isdigit() and len(identifier) < 10
        return (f"#{int(identifier)}", {"number": int(identifier)}) if is_number else (identifier, {})
    return f"{ref_type}:{identifier}", {}
