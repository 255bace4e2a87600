"""Words that prose can do without: fillers and articles, in prompts and descriptions."""

import re
from collections.abc import Mapping

from ctxsieve.terse.levels import CompressionLevel, levels_up_to
from ctxsieve.tokens import count_tokens

__all__ = ["compress_prose"]

# Each phrase is removed as a whole; what stands around it keeps its order. Negations and conditions are in none.
_PHRASES: Mapping[CompressionLevel, tuple[str, ...]] = {
    CompressionLevel.LITE: (
        r"please note that",
        r"note that",
        r"it (?:is|should be) (?:important|worth) (?:to note|noting|mentioning) that",
        r"please",
        r"kindly",
        r"in order(?= to\b)",
        r"as a matter of fact",
        r"basically",
        r"actually",
        r"simply",
        r"really",
        r"of course",
        r"feel free to",
        r"if you (?:would|could|don't mind)",
        r"i would like you to",
        r"i want you to",
        r"could you",
        r"can you",
        r"would you",
        r"for your (?:information|convenience)",
        r"thank you(?: very much| so much)?(?: in advance)?",
        r"thanks(?: a lot| so much)?(?: in advance)?",
    ),
    CompressionLevel.STANDARD: (
        r"the",
        r"an?",
        r"very",
        r"quite",
        r"rather(?! than)",
        r"just",
        r"also",
        r"this (?:tool|function|command|endpoint|method) (?:allows you to|lets you|can be used to|is used to|will)",
        r"(?:used|useful|helpful) (?:to|for)(?= [a-z]+ing\b)",
        r"as well(?! as)",
        r"additionally,?",
        r"furthermore,?",
        r"moreover,?",
    ),
    CompressionLevel.MAX: (
        r"that(?= (?:is|are|was|were|will|can|should|must|has|have)\b)",
        r"(?:it|this|there) (?:is|are)(?= (?!not\b|no\b))",
        r"you can(?= (?!not\b))",
        r"(?:allows|enables) you to",
        r"its",
        r"your",
        r"some",
        r"any(?= of\b)",
        r"of the",
    ),
}
_PIECE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|[^\s`\"]+", re.DOTALL)
_KEPT = re.compile(r"[`\"/\\_\d(){}\[\]<>=]|\w\.\w")
_ENGLISH = re.compile(r"\b(?:the|of|to|is|are|and|with|for|this|that|you|in|or|if|be)\b", re.IGNORECASE)
_LEAST_ENGLISH_SHARE = 0.1
_LOOSE_COMMA = re.compile(r",[ \t]*([.!?]?)[ \t]*$")
_PATTERNS = {
    level: re.compile(r"(?<![\w'-])(?:" + "|".join(phrases) + r")(?![\w'-])[ \t]*", re.IGNORECASE)
    for level, phrases in _PHRASES.items()
}


def compress_prose(text: str, *, level: CompressionLevel = CompressionLevel.STANDARD) -> str:
    """`text` without fillers (lite), without articles and weak adverbs (standard), and tersest where still clear (max).

    Only listed English words go, so the words left are words of `text` in order. Code, quotations, addresses, paths,
    numbers and identifiers are untouched, and so are texts in other languages. No result has more tokens than that of
    a lower level, and compressing again changes nothing.
    """
    if level is CompressionLevel.OFF or not _is_english(text):
        return text
    steps = levels_up_to(level)
    position = 0
    while position < len(steps):
        shorter = _without_phrases(text, _PATTERNS[steps[position]])
        if len(shorter) < len(text) and count_tokens(shorter) <= count_tokens(text) and _is_english(shorter):
            text = shorter
            position = 0
        else:
            position += 1
    return text


def _is_english(text: str) -> bool:
    words = len(text.split())
    return words > 0 and len(_ENGLISH.findall(text)) >= _LEAST_ENGLISH_SHARE * words


def _without_phrases(text: str, pattern: re.Pattern[str]) -> str:
    pieces: list[str] = []
    position = 0
    for piece in _PIECE.finditer(text):
        if _KEPT.search(piece[0]):
            pieces.append(pattern.sub("", text[position : piece.start()]))
            pieces.append(piece[0])
            position = piece.end()
    pieces.append(pattern.sub("", text[position:]))
    return _without_loose_commas(text, "".join(pieces))


def _without_loose_commas(before: str, after: str) -> str:
    """Return the lines without the commas at their ends that lost what followed them; no phrase spans lines."""
    return "\n".join(
        line if line == source or _LOOSE_COMMA.search(source) else _LOOSE_COMMA.sub(r"\1", line)
        for source, line in zip(before.split("\n"), after.split("\n"), strict=True)
    )
