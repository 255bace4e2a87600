"""Layer 1: lines that say nothing new are left out, whatever command printed them."""

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from ctxsieve.terse.levels import CompressionLevel
from ctxsieve.terse.protect import continuation_lines, error_lines, protected_words, without_timestamps

__all__ = ["uninformative_lines"]

_WORD = re.compile(r"[^\W\d_]+|\d+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DECORATION = re.compile(r"^[\s\W_]*$")
_MEANINGFUL_SIGNS = re.compile(r"[{}()\[\];<>]")
_FILLER = re.compile(
    r"^\s*(?:please wait|this (?:may|might|could) take|hang tight|loading|starting|initiali[sz]ing|preparing"
    r"|done|ok|ready"
    r"|finished|complete[d]?|success(?:fully)?|all (?:done|good)|have a nice day|happy \w+|enjoy|thank(?:s| you)"
    r"|for more (?:information|details|help)|see (?:also|the (?:docs|documentation))|learn more"
    r"|run [`'\"].{1,60}--help"
    r"|use [`'\"]?--?help|type [`'\"].{1,40}(?:help|for)|tip:|hint:|note that|welcome to|powered by|press \S+ to"
    r"|you can now|get started|what'?s next)[\s\w.!…:,'`\"-]{0,60}$",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[;{}]\s*$|[\[({,]$|^\s*[)\]}]+[;,]?$|^\s*(?:def|class|import|from|return|if|elif|else|for|while|func|fn"
    r"|let|const"
    r"|var|public|private|static|struct|enum|type|package|use|#include|@\w+)\b.*[:{;)]?$|^\s*\"[^\"]+\":"
    r"|^\s*[\w.-]+\s?[:=] \S"
)
_CODE_SHARE = 0.4
_MOST_EXAMINED_LINES = 2000
_REMEMBERED_LINES = 1 << 16
_FUNCTION_WORDS = (
    frozenset(["a", "an", "the", "this", "that", "these", "those", "it", "its", "there", "which", "we", "you", "your"])
    | frozenset(["and", "or", "but", "if", "so", "than", "then", "as", "at", "by", "for", "from", "in", "into", "of"])
    | frozenset(["on", "to", "up", "with", "is", "are", "be", "been", "was", "were", "can", "do", "does", "did", "has"])
    | frozenset(["have", "had", "may", "will", "would"])
)
# At `max`, a line goes if at most this share of its words is new.
_LEAST_NEW_SHARE = 1 / 3
# Two lines from which nothing can be left out are not worth a judgement.
_LEAST_LINES = 3


def uninformative_lines(
    lines: Sequence[str], level: CompressionLevel, *, content: Set[int] = frozenset()
) -> dict[int, str]:
    """Positions of the lines to leave out, each with the reason.

    lite: decoration and filler phrases. standard: also lines whose words all stood in lines kept before
    (times do not count, function words do not count). max: also lines of which at most a third is new. Error lines
    with what continues them and `content` stay, and so does every line with a path, an address, a number with a unit
    or an identifier that no line kept before it has. In code and data nothing goes: there, repetition is meaning.
    """
    if len(lines) < _LEAST_LINES or level is CompressionLevel.OFF:
        return {}
    errors = error_lines(lines)
    kept = errors | continuation_lines(lines, errors) | content
    if _looks_like_code(lines):
        return {}
    least_new = {CompressionLevel.STANDARD: 0.0, CompressionLevel.MAX: _LEAST_NEW_SHARE}.get(level)
    seen: set[str] = set()
    seen_protected: set[str] = set()
    dropped: dict[int, str] = {}
    for position, line in enumerate(lines):
        words = _content_words(line)
        protected = protected_words(line)
        if position not in kept and protected <= seen_protected:
            reason = _noise(line)
            if reason is None and least_new is not None and words:
                is_known = len(words - seen) <= least_new * len(words)
                reason = "nothing new" if is_known else None
            if reason is not None:
                dropped[position] = reason
                continue
        seen |= words
        seen_protected |= protected
    return dropped


def _looks_like_code(lines: Sequence[str]) -> bool:
    examined = lines[:_MOST_EXAMINED_LINES]
    return sum(1 for line in examined if _CODE.search(line)) > _CODE_SHARE * len(examined)


def _noise(line: str) -> str | None:
    if _DECORATION.match(line) and not _MEANINGFUL_SIGNS.search(line):
        return "decoration"
    if _FILLER.match(line):
        return "filler"
    return None


@lru_cache(maxsize=_REMEMBERED_LINES)
def _content_words(line: str) -> frozenset[str]:
    """Folded words and numbers that carry meaning; scripts without spaces are compared by pairs of characters."""
    folded = without_timestamps(line).lower()
    words = {word for word in _WORD.findall(folded) if word not in _FUNCTION_WORDS}
    if _CJK.search(folded):
        words |= {folded[i : i + 2] for i in range(len(folded) - 1) if _CJK.match(folded[i])}
    return frozenset(words)
