"""Twin of the native lexer: comments, strings, words and brackets of a source, by the table of its language."""

import re
from dataclasses import dataclass

from ctxsieve._kernels.pure.scan_table import Table
from ctxsieve._kernels.pure.statements import Findings, Statements
from ctxsieve._kernels.pure.string_forms import (
    find_character_end,
    find_heredoc_end,
    find_marked,
    match_bracketed,
    match_heredoc,
    match_regex,
)
from ctxsieve._kernels.pure.words import CODE, COMMENTS, STRINGS

__all__ = ["scan_source"]

_MAX_INTERPOLATIONS = 64
_SPACE = re.compile(rb"[ \t\r\x0b\x0c]+")
_NUMBER = re.compile(rb"[0-9][0-9A-Za-z_\x80-\xff]*")
_DIRECTIVE = re.compile(rb"#[ \t]*([0-9A-Za-z_\x80-\xff]*)")
_COMMENT_MAY_FOLLOW = b" \t\r\n;|&(){}"


def scan_source(table: Table | None, source: bytes, findings: Findings) -> None:
    """Collect the words, definitions and import statements of a decoded source."""
    if table is not None and table.kind == "code":
        _Lexer(table, source, findings).run()
    else:
        field = STRINGS if table is not None and table.kind == "data" else COMMENTS
        findings.words.add_all(source, 0, len(source), field)


@dataclass(slots=True)
class _Interpolation:
    rule: int
    field: int
    nested: int


class _Lexer:
    def __init__(self, table: Table, source: bytes, findings: Findings) -> None:
        self.table = table
        self.rules = table.rules
        self.source = source
        self.words = findings.words
        self.statements = Statements(table, source, findings)
        self.recorder = self.statements.recorder
        self.position = 0
        self.line = 1
        self.interpolations: list[_Interpolation] = []
        self.heredocs: list[tuple[bytes, bool]] = []
        self.in_directive = False
        self.line_has_token = False
        self.operand_before = False
        self.after_docstring_word = False
        self.takers = {
            "line_start": self._take_line_start_comment,
            "marked": self._take_marked_comment,
            "block": self._take_block_comment,
            "line": self._take_line_comment,
            "string": self._take_string,
        }

    def run(self) -> None:
        source, triggers, identifier = self.source, self.table.triggers, self.table.identifier
        size = len(source)
        while self.position < size:
            position = self.position
            byte = source[position]
            if byte in b" \t\r\x0b\x0c":
                spaces = _SPACE.match(source, position)
                assert spaces is not None
                self.position = spaces.end()
                continue
            if byte == 0x0A:
                self._end_line()
                continue
            if byte in triggers and any(self.takers[kind](index) for kind, index in triggers[byte]):
                continue
            word = identifier.match(source, position)
            if word is not None:
                self._take_identifier(position, word.end())
                continue
            number = _NUMBER.match(source, position)
            if number is not None:
                self._take_number(number.end())
            else:
                self._take_punctuation(byte)
        self.recorder.finish(size)

    def _is_gated(self) -> bool:
        return self.in_directive or bool(self.interpolations)

    def _end_line(self) -> None:
        end = self.position
        if end > 0 and self.source[end - 1] == 0x0D:
            end -= 1
        is_continued = end > 0 and self.source[end - 1] == 0x5C
        if not is_continued and not self.interpolations:
            self.statements.end_line(self.position, self.in_directive)
            self.in_directive = False
        self.position += 1
        self.line += 1
        self.line_has_token = False
        if self.heredocs:
            self._take_heredoc_bodies()

    def _finish_comment(self, start: int, end: int) -> bool:
        self.words.add_all(self.source, start, end, COMMENTS)
        self.recorder.skip_comment(start, end)
        self.line += self.source.count(b"\n", start, end)
        self.position = end
        return True

    def _line_end(self, start: int) -> int:
        end = self.source.find(b"\n", start)
        return len(self.source) if end < 0 else end

    def _take_line_start_comment(self, index: int) -> bool:
        start = self.position
        opener, closer = self.rules.line_start_comments[index]
        if start and self.source[start - 1] != 0x0A:
            return False
        if not self.source.startswith(opener, start):
            return False
        end = start
        while True:
            is_last = end > start and self.source.startswith(closer, end)
            end = self._line_end(end)
            if is_last or end == len(self.source):
                return self._finish_comment(start, end)
            end += 1

    def _take_marked_comment(self, index: int) -> bool:
        found = find_marked(self.source, self.position, self.table.marked_comments[index])
        return found is not None and self._finish_comment(self.position, found[1])

    def _take_block_comment(self, index: int) -> bool:
        start = self.position
        opener, closer = self.rules.block_comments[index]
        if not self.source.startswith(opener, start):
            return False
        end = start + len(opener)
        depth = 1
        while depth:
            close_at = self.source.find(closer, end)
            if close_at < 0:
                end = len(self.source)
                break
            open_at = self.source.find(opener, end, close_at) if self.rules.nested_comments else -1
            if open_at >= 0:
                depth += 1
                end = open_at + len(opener)
            else:
                depth -= 1
                end = close_at + len(closer)
        return self._finish_comment(start, end)

    def _take_line_comment(self, index: int) -> bool:
        start, source = self.position, self.source
        if not source.startswith(self.rules.line_comments[index], start):
            return False
        if self.rules.line_comment_after_space and start and source[start - 1] not in _COMMENT_MAY_FOLLOW:
            return False
        if any(source.startswith(text, start) for text in self.rules.line_comment_exceptions):
            return False
        end = self._line_end(start)
        while self.rules.continued_line_comments and end < len(source) and source[end - 1] == 0x5C:
            end = self._line_end(end + 1)
        return self._finish_comment(start, end)

    def _take_string(self, index: int) -> bool:
        rule = self.table.strings[index]
        form = rule.form
        if form == b"quoted":
            if not self.source.startswith(rule.open, self.position):
                return False
            self._take_quoted(index, self.position)
            return True
        if form == b"character":
            return self._take_character(self.position)
        if form == b"marked":
            return self._take_marked_string(index, self.position)
        if form == b"heredoc":
            return self._open_heredoc(index)
        return self._take_bracketed(index) if form == b"bracketed" else self._take_regex()

    def _string_field(self, is_multiline: bool) -> int:
        if self._is_gated():
            return STRINGS
        is_docstring = self.rules.docstrings and is_multiline and self.statements.is_empty_statement()
        return COMMENTS if is_docstring or self.after_docstring_word else STRINGS

    def _finish_string(self, start: int, end: int) -> None:
        self.position = end
        self.line_has_token = True
        self.operand_before = True
        self.after_docstring_word = False
        if not self.interpolations:
            self.statements.take_string(start, end, self.in_directive, self.line)
            self.recorder.end_call(end)

    def _take_quoted(self, index: int, open_at: int) -> None:
        rule = self.table.strings[index]
        self._continue_quoted(index, open_at, open_at + len(rule.open), self._string_field(rule.multiline))

    def _continue_quoted(self, index: int, string_start: int, content: int, field: int) -> None:
        source, rule, stops = self.source, self.table.strings[index], self.table.stops[index]
        escape, closer = rule.escape, rule.close
        position = content
        while True:
            found = stops.search(source, position)
            if found is None:
                content_end = end = len(source)
                break
            position = found.start()
            byte = source[position]
            if escape and byte == escape[0] and not self._is_interpolation(index, position):
                position = min(position + 2, len(source))
            elif source.startswith(closer, position):
                after = position + len(closer)
                if not (rule.doubled and source.startswith(closer, after)):
                    content_end, end = position, after
                    break
                position = after + len(closer)
            elif byte == 0x0A and not rule.multiline:
                content_end = end = position
                break
            elif self._is_interpolation(index, position):
                self.words.add_all(source, content, position, field, escape)
                self.line += source.count(b"\n", string_start, position)
                self.interpolations.append(_Interpolation(index, field, 0))
                self.position = position + len(rule.interpolation[0])
                self.operand_before = False
                return
            else:
                position += 1
        self.words.add_all(source, content, content_end, field, escape)
        self.line += source.count(b"\n", string_start, end)
        self._finish_string(string_start, end)

    def _is_interpolation(self, index: int, position: int) -> bool:
        pair = self.table.strings[index].interpolation
        return (
            bool(pair) and self.source.startswith(pair[0], position) and len(self.interpolations) < _MAX_INTERPOLATIONS
        )

    def _take_character(self, start: int) -> bool:
        end = find_character_end(self.source, start)
        if end is None:
            return False
        self._finish_string(start, end)
        return True

    def _take_marked_string(self, index: int, start: int) -> bool:
        found = find_marked(self.source, start, self.table.strings[index])
        if found is None:
            return False
        content, end, content_end = found
        self.words.add_all(self.source, content, content_end, self._string_field(True))
        self.line += self.source.count(b"\n", start, end)
        self._finish_string(start, end)
        return True

    def _open_heredoc(self, index: int) -> bool:
        found = match_heredoc(self.source, self.position, self.table.strings[index])
        if found is None:
            return False
        word, is_indented, end = found
        if find_heredoc_end(self.source, word, is_indented, self._line_end(end) + 1) is None:
            return False
        self.heredocs.append((word, is_indented))
        self._finish_string(self.position, end)
        return True

    def _take_heredoc_bodies(self) -> None:
        heredocs, self.heredocs = self.heredocs, []
        for word, is_indented in heredocs:
            start = self.position
            found = find_heredoc_end(self.source, word, is_indented, start)
            if found is None:
                continue
            close_line, end = found
            self.words.add_all(self.source, start, close_line, STRINGS)
            self.line += self.source.count(b"\n", start, end)
            self.position = end
            self.line_has_token = True

    def _take_bracketed(self, index: int) -> bool:
        found = match_bracketed(self.source, self.position, self.table.strings[index], self.operand_before)
        if found is None:
            return False
        start, (content, end) = self.position, found
        self.words.add_all(self.source, content, end, STRINGS, b"\\")
        self.line += self.source.count(b"\n", start, end)
        self._finish_string(start, end)
        return True

    def _take_regex(self) -> bool:
        found = None if self.operand_before else match_regex(self.source, self.position)
        if found is None:
            return False
        content_end, end = found
        self.words.add_all(self.source, self.position + 1, content_end, STRINGS, b"\\")
        self._finish_string(self.position, end)
        return True

    def _take_identifier(self, start: int, end: int) -> None:
        word = self.source[start:end]
        if word.lower() in self.table.prefixes and self._take_prefixed_string(word, end):
            return
        if self.table.has_extra:
            self.words.add_all(self.source, start, end, CODE)
        else:
            self.words.add(word, CODE)
        keyword = self.table.keywords.get(word)
        self.after_docstring_word = keyword is not None and keyword.is_docstring_word
        self.operand_before = keyword is None or not keyword.is_operand_word
        self.line_has_token = True
        self.position = end
        if not self._is_gated():
            self.statements.take_word(start, end, keyword, self.line)

    def _take_prefixed_string(self, word: bytes, end: int) -> bool:
        lower = word.lower()
        for index in self.table.prefixed:
            rule = self.table.strings[index]
            is_prefix = any(prefix.lower() == lower for prefix in rule.prefixes)
            if not is_prefix or not self.source.startswith(rule.open, end) or end >= len(self.source):
                continue
            if rule.form == b"quoted":
                self._take_quoted(index, end)
                return True
            if rule.form == b"marked" and self._take_marked_string(index, end):
                return True
            if rule.form == b"character" and self._take_character(end):
                return True
        return False

    def _take_number(self, end: int) -> None:
        self.position = end
        self.line_has_token = True
        self.operand_before = True
        self.after_docstring_word = False
        if not self._is_gated():
            self.statements.take_number()

    def _take_punctuation(self, byte: int) -> None:
        is_hash = byte == 0x23 and self.rules.preprocessor
        if is_hash and not self.line_has_token and not self.interpolations:
            self._take_directive()
            return
        if self.interpolations and self._close_interpolation(byte):
            return
        at = self.position
        self.position += 1
        self.line_has_token = True
        self.operand_before = byte in b")]}"
        self.after_docstring_word = False
        if not self.interpolations:
            self.statements.take_punctuation(byte, at, self.in_directive, self.line)

    def _close_interpolation(self, byte: int) -> bool:
        top = self.interpolations[-1]
        opener, closer = self.table.strings[top.rule].interpolation
        if byte == closer[0]:
            if top.nested == 0:
                self.interpolations.pop()
                self._continue_quoted(top.rule, self.position, self.position + 1, top.field)
                return True
            top.nested -= 1
        elif byte == opener[-1]:
            top.nested += 1
        return False

    def _take_directive(self) -> None:
        start = self.position
        found = _DIRECTIVE.match(self.source, start)
        assert found is not None
        self.in_directive = True
        self.line_has_token = True
        self.operand_before = False
        self.position = found.end()
        self.statements.take_directive(start, found.group(1), found.end(), self.line)
