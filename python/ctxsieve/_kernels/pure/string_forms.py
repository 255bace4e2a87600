"""Twin of the native string forms: where marked, character, heredoc, bracketed and regex strings end."""

import re
from functools import lru_cache

from ctxsieve._kernels.pure.scan_table import Rule
from ctxsieve._kernels.pure.words import WORD_BYTES

__all__ = [
    "find_character_end",
    "find_heredoc_end",
    "find_marked",
    "match_bracketed",
    "match_heredoc",
    "match_regex",
]

_MAX_BRACKETED_BYTES = 65_536
_MAX_CHARACTER_BYTES = 12
_MAX_MARKS = 32
_PAIRS = {0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D, 0x3C: 0x3E}
_PUNCTUATION = frozenset(byte for byte in range(0x21, 0x7F) if not chr(byte).isalnum())
_ALPHABETIC = re.compile(rb"[A-Za-z]*")


@lru_cache(maxsize=64)
def _marks(mark: bytes) -> re.Pattern[bytes]:
    mark_class = rb"[0-9A-Za-z_]" if mark == b"word" else re.escape(mark)
    return re.compile(rb"(?:" + mark_class + rb"){0,%d}" % _MAX_MARKS)


def find_marked(source: bytes, start: int, rule: Rule) -> tuple[int, int, int] | None:
    """Return (content start, end after the closer, content end) of a marked string or comment at `start`."""
    if not source.startswith(rule.open, start):
        return None
    found = _marks(rule.mark).match(source, start + len(rule.open))
    assert found is not None
    marks, content = found.group(), found.end()
    if len(marks) < rule.min_marks or not source.startswith(rule.open_end, content):
        return None
    content += len(rule.open_end)
    closer = rule.close + marks + rule.close_end
    close_at = source.find(closer, content)
    if close_at < 0:
        return content, len(source), len(source)
    return content, close_at + len(closer), close_at


def find_character_end(source: bytes, start: int) -> int | None:
    """Return the end of a character literal at `start`: one character or one escape sequence between quotes."""
    quote = source[start]
    if start + 1 >= len(source):
        return None
    first = source[start + 1]
    if first == 0x5C:
        limit = min(len(source), start + _MAX_CHARACTER_BYTES)
        close_at = source.find(bytes([quote]), min(start + 3, limit), limit)
    elif first in (0x0A, quote):
        return None
    else:
        width = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
        close_at = start + 1 + width
        if close_at >= len(source) or source[close_at] != quote:
            return None
    if close_at < 0 or source.find(b"\n", start, close_at) >= 0:
        return None
    return close_at + 1


def match_heredoc(source: bytes, start: int, rule: Rule) -> tuple[bytes, bool, int] | None:
    """Return (closing word, may be indented, end of the opener) of a heredoc at `start`."""
    if not source.startswith(rule.open, start):
        return None

    def byte_at(position: int) -> int:
        return source[position] if position < len(source) else 0

    position = start + len(rule.open)
    if byte_at(position) == rule.open[0]:
        return None
    has_modifier = byte_at(position) != 0 and byte_at(position) in rule.modifiers
    position += has_modifier
    while rule.spaces and byte_at(position) in b" \t":
        position += 1
    quote = byte_at(position)
    is_quoted = quote in b"\"'`"
    position += is_quoted
    found = re.compile(rb"[0-9A-Za-z_]*").match(source, position)
    assert found is not None
    word, position = found.group(), found.end()
    if not word or 0x30 <= word[0] <= 0x39 or (is_quoted and byte_at(position) != quote):
        return None
    if rule.uppercase and not has_modifier and not is_quoted and not 0x41 <= word[0] <= 0x5A:
        return None
    return word, has_modifier or rule.indented, position + is_quoted


def find_heredoc_end(source: bytes, word: bytes, is_indented: bool, start: int) -> tuple[int, int] | None:
    """Return (start of the closing line, end of the closing word) at or after `start`."""
    line = start
    while line < len(source):
        position = line
        while is_indented and position < len(source) and source[position] in b" \t":
            position += 1
        after = position + len(word)
        if source.startswith(word, position) and not (after < len(source) and source[after] in WORD_BYTES):
            return line, after
        end = source.find(b"\n", line)
        line = len(source) if end < 0 else end + 1
    return None


def match_bracketed(source: bytes, start: int, rule: Rule, operand_before: bool) -> tuple[int, int] | None:
    """Return (content start, end) of a bracketed string at `start`."""
    before = source[start - 1] if start else 0x0A
    for introducer in rule.introducers:
        if not source.startswith(introducer, start):
            continue
        is_word = introducer[-1] in WORD_BYTES
        if introducer[:1].isalpha() and before in b"$@%&>.":
            continue
        if not is_word and operand_before:
            continue
        content = start + len(introducer) + 1
        end = _match_parts(source, content - 1, is_word, rule.parts)
        if end is not None:
            return content, end
    return None


def _match_parts(source: bytes, delimiter_at: int, is_word: bool, parts: int) -> int | None:
    if delimiter_at >= len(source):
        return None
    opener = source[delimiter_at]
    if opener not in _PUNCTUATION or opener in b"_,;)]}>=":
        return None
    if is_word and opener == 0x2D and source.startswith(b">", delimiter_at + 1):
        return None
    end = _match_delimited(source, delimiter_at)
    for _ in range(1, parts):
        if end is None:
            return None
        if opener not in _PAIRS:
            # `s/a/b/`: the second part shares the middle delimiter.
            end = _match_delimited(source, end - 1)
            continue
        while end < len(source) and source[end] in b" \t\n":
            end += 1
        if end >= len(source) or source[end] not in _PUNCTUATION:
            return None
        end = _match_delimited(source, end)
    return end


def _match_delimited(source: bytes, open_at: int) -> int | None:
    opener = source[open_at]
    closer = _PAIRS.get(opener, opener)
    limit = min(len(source), open_at + _MAX_BRACKETED_BYTES)
    depth = 1
    position = open_at + 1
    while position < limit:
        byte = source[position]
        if byte == 0x5C and closer != 0x5C:
            position += 1
        elif byte == closer:
            depth -= 1
            if depth == 0:
                return position + 1
        elif byte == opener:
            depth += 1
        position += 1
    return None


def match_regex(source: bytes, start: int) -> tuple[int, int] | None:
    """Return (content end, end with the flags) of a regular expression literal at `start`."""
    limit = min(len(source), start + _MAX_BRACKETED_BYTES)
    in_class = False
    position = start + 1
    while position < limit:
        byte = source[position]
        if byte == 0x0A:
            return None
        if byte == 0x5C:
            position += 1
        elif byte == 0x5B:
            in_class = True
        elif byte == 0x5D:
            in_class = False
        elif byte == 0x2F and not in_class:
            flags = _ALPHABETIC.match(source, position + 1)
            assert flags is not None
            return None if source.find(b"\n", start, flags.end()) >= 0 else (position, flags.end())
        position += 1
    return None
