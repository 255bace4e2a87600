"""Twin of the native import recorder: cuts import statements out of the source."""

from ctxsieve._kernels.pure.scan_table import Table
from ctxsieve._kernels.pure.words import WORD

__all__ = ["ImportRecorder"]

_MAX_STATEMENT_BYTES = 8192
_WHITE = b" \t\n\x0c\r"


class ImportRecorder:
    """Records one statement at a time; comments are left out."""

    def __init__(self, table: Table, source: bytes, imports: list[tuple[bytes, int]]) -> None:
        self.table = table
        self.source = source
        self.imports = imports
        self.is_active = False

    def start(self, rule: int, start: int, line: int) -> None:
        """Start at a keyword, unless a statement is being recorded."""
        if not self.is_active:
            self.is_active = True
            self.rule = self.table.imports[rule]
            self.text = b""
            self.segment = start
            self.depth = 0
            self.line = line

    def skip_comment(self, start: int, end: int) -> None:
        """Leave a comment out."""
        if self.is_active:
            self.text += self.source[self.segment : start]
            self.segment = end

    def _is_too_long(self, at: int) -> bool:
        return len(self.text) + at - self.segment > _MAX_STATEMENT_BYTES

    def end_line(self, position: int) -> None:
        """Take a line break that is not continued."""
        if (self.depth == 0 and b"line" in self.rule.end) or self._is_too_long(position):
            self._finish(position)

    def take_punctuation(self, byte: int, at: int) -> None:
        """Take one byte of punctuation."""
        if self._is_too_long(at):
            self._finish(at)
            return
        ends = self.rule.end
        if self.depth == 0 and byte in self.rule.drop_at:
            self.is_active = False
        elif byte == 0x7B and self.depth == 0 and b"{" in ends:
            self._finish(at)
        elif byte in b"([{":
            self.depth += 1
        elif byte in b")]}":
            if self.depth == 0:
                self._finish(at)
                return
            self.depth -= 1
            if self.depth == 0 and b"call" in ends:
                self._finish(at + 1)
        elif byte == 0x3B and self.depth == 0 and b";" in ends:
            self._finish(at)

    def end_call(self, end: int) -> None:
        """End a recorded call whose argument was a string without brackets."""
        if self.is_active and self.depth == 0 and b"call" in self.rule.end:
            self._finish(end)

    def finish(self, end: int) -> None:
        """End what the end of the source leaves open."""
        if self.is_active and b"call" not in self.rule.end:
            self._finish(end)
        self.is_active = False

    def _finish(self, end: int) -> None:
        self.is_active = False
        text = self.text + self.source[self.segment : max(end, self.segment)]
        text = text.strip(_WHITE)[:_MAX_STATEMENT_BYTES]
        if not self.rule.requires or any(_contains_word(text, word) for word in self.rule.requires):
            self.imports.append((text, self.line))


def _contains_word(text: bytes, word: bytes) -> bool:
    """Tell whether `text` holds `word` outside of quoted strings."""
    position = 0
    while position < len(text):
        byte = text[position]
        if byte in b"\"'`":
            position += 1
            while position < len(text) and text[position] != byte:
                position += 2 if text[position] == 0x5C else 1
            position += 1
            continue
        found = WORD.match(text, position)
        if found is None:
            position += 1
        elif found.group() == word:
            return True
        else:
            position = found.end()
    return False
