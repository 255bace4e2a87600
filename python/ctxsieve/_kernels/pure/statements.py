"""Twin of the native statement machine: from tokens to rough definitions and import statements."""

import re
from typing import NamedTuple

from ctxsieve._kernels.pure.recorder import ImportRecorder
from ctxsieve._kernels.pure.scan_table import Keyword, Rule, Table
from ctxsieve._kernels.pure.words import DEFINITIONS, WORD_BYTES, Words

__all__ = ["Findings", "Statements"]

_MAX_ANNOTATION_BYTES = 512
_MAX_CONDITIONALS = 256
_BODY, _TYPE, _TOP = b"body", b"type", b"top"
_BLANKS = re.compile(rb"[ \t\r]*")
_WHITE = re.compile(rb"[ \t\r\n]*")
_QUOTES = b"\"'`"


class Findings:
    """What a scan collects: words, definitions (name, kind, line) and imports (text, line)."""

    def __init__(self) -> None:
        self.words = Words()
        self.definitions: list[tuple[bytes, bytes, int]] = []
        self.imports: list[tuple[bytes, int]] = []


class _Frame(NamedTuple):
    scope: bytes
    brackets: int
    is_typedef: bool


class _Name(NamedTuple):
    start: int
    end: int
    line: int


class Statements:
    """Where statements start, which scope a brace opens, what is defined and imported."""

    def __init__(self, table: Table, source: bytes, findings: Findings) -> None:
        self.table = table
        self.rules = table.rules
        self.source = source
        self.findings = findings
        self.recorder = ImportRecorder(table, source, findings.imports)
        self.frames: list[_Frame] = []
        self.brackets = 0
        self.opens: bytes | None = None
        self.defined_end = -1
        # The callable that may be opening: (name, brackets) in its arguments, (name, closing line, has a colon) after.
        self.arguments: tuple[_Name, int] | None = None
        self.tail: tuple[_Name, int, bool] | None = None
        self.conditionals: list[tuple[list[_Frame], int]] = []
        self._reset()

    def _reset(self) -> None:
        self.at_start = True
        self.tokens = 0
        self.is_transparent = False
        self.is_typedef = False
        self.is_blocked = False
        self.previous_word: _Name | None = None
        self.before_word = -1
        self.last_punctuation = -1
        self.pending: int | None = None
        self.group = 0

    def is_empty_statement(self) -> bool:
        """Tell whether no token of the statement was seen."""
        return self.tokens == 0 and self.brackets == 0

    def _scope(self) -> bytes:
        return self.frames[-1].scope if self.frames else _TOP

    def _is_in(self, scope: bytes) -> bool:
        if scope == b"any":
            return True
        if self.brackets:
            return False
        here = self._scope()
        if scope == b"top":
            return here == _TOP
        return here != _BODY if scope == b"type" else here == _TYPE

    def _byte_at(self, position: int) -> int:
        return self.source[position] if position < len(self.source) else 0

    def _skip(self, pattern: re.Pattern[bytes], start: int) -> int:
        found = pattern.match(self.source, start)
        return found.end() if found else start

    def _stands_at(self, position: int, texts: list[bytes]) -> bool:
        return any(
            self.source.startswith(text, position)
            and not (text[-1] in WORD_BYTES and self._byte_at(position + len(text)) in WORD_BYTES)
            for text in texts
        )

    def take_word(self, start: int, end: int, keyword: Keyword | None, line: int) -> None:
        """Take an identifier."""
        name = _Name(start, end, line)
        if self.pending is not None and not self.group:
            self._resolve_pending(name, keyword)
        if keyword is not None:
            if keyword.definers:
                self._start_definer(keyword)
            for rule in keyword.imports:
                if self._starts_import(rule, end):
                    self.recorder.start(rule, start, line)
                    break
            self.is_transparent |= keyword.is_transparent
            self.is_typedef |= keyword.is_typedef
        if self.at_start:
            if self.table.bindings:
                self._try_bindings(name)
            self.at_start = keyword is not None and keyword.is_modifier
        self.before_word = self.last_punctuation
        self.last_punctuation = -1
        self.previous_word = name
        self.tokens += 1

    def _resolve_pending(self, name: _Name, keyword: Keyword | None) -> None:
        assert self.pending is not None
        definer = self.table.definers[self.pending]
        if self.source[name.start : name.end] in definer.skip:
            return
        self.pending = None
        restarts = keyword is not None and bool(keyword.definers)
        if not restarts and definer.name == b"identifier":
            self._define_after_keyword(definer, name)

    def _start_definer(self, keyword: Keyword) -> None:
        for index in keyword.definers:
            definer = self.table.definers[index]
            if (definer.at == b"anywhere" or self.at_start) and self._is_in(definer.scope):
                if definer.name == b"none":
                    self.opens = definer.opens
                else:
                    self.pending, self.group = index, 0
                return

    def _define_after_keyword(self, definer: Rule, name: _Name) -> None:
        last = name
        while True:
            joiner = next((text for text in definer.joiners if self.source.startswith(text, last.end)), None)
            found = None if joiner is None else self.table.identifier.match(self.source, last.end + len(joiner))
            if found is None:
                break
            last = _Name(found.start(), found.end(), name.line)
        if definer.followed_by and not self._stands_at(self._skip(_WHITE, last.end), definer.followed_by):
            return
        self.opens = definer.opens
        self._define(last, definer.kind)

    def _define(self, name: _Name, kind: bytes) -> None:
        self.findings.words.add_all(self.source, name.start, name.end, DEFINITIONS)
        self.findings.definitions.append((self.source[name.start : name.end], kind, name.line))
        self.defined_end = name.end
        self.arguments = self.tail = None

    def _try_bindings(self, name: _Name) -> None:
        for binding in self.table.bindings:
            if self._binds(binding, name):
                self._define(name, binding.kind)
                return

    def _binds(self, binding: Rule, name: _Name) -> bool:
        if not self._is_in(binding.scope) or (binding.column_zero and not self._is_column_zero(name.start)):
            return False
        if binding.pattern == b"upper" and not 0x41 <= self.source[name.start] <= 0x5A:
            return False
        position = self._skip(_BLANKS, name.end)
        if binding.annotated and self._byte_at(position) == 0x3A and self._byte_at(position + 1) not in b"=:":
            operator_at = self._end_of_annotation(position + 1)
            if operator_at is None:
                return False
            position = operator_at
        operator = next((text for text in binding.operators if self.source.startswith(text, position)), None)
        if operator is None:
            return False
        after = position + len(operator)
        if operator == b"=" and self._byte_at(after) in b"=>~":
            return False
        return bool(
            binding.pattern != b"assigned_function" or self._stands_at(self._skip(_WHITE, after), binding.functions)
        )

    def _is_column_zero(self, position: int) -> bool:
        return position == 0 or self.source[position - 1] == 0x0A

    def _end_of_annotation(self, start: int) -> int | None:
        depth = 0
        for position in range(start, min(len(self.source), start + _MAX_ANNOTATION_BYTES)):
            byte = self.source[position]
            if byte in b"([{":
                depth += 1
            elif byte in b")]}":
                if depth == 0:
                    return None
                depth -= 1
            elif depth == 0:
                if byte == 0x3D:
                    return position
                if byte in b"\n;,":
                    return None
        return None

    def take_number(self) -> None:
        """Take a number."""
        self.pending = None
        self._take_operand()

    def _take_operand(self) -> None:
        self.at_start = False
        self.tokens += 1
        self.previous_word = None
        self.last_punctuation = -1

    def take_string(self, start: int, end: int, in_directive: bool, line: int) -> None:
        """Take a string with its quotes."""
        if in_directive:
            return
        if self.pending is not None and not self.group:
            definer = self.table.definers[self.pending]
            self.pending = None
            if definer.name == b"string":
                text = self.source[start:end]
                if text and text[0] in _QUOTES:
                    text = text[1:]
                if text and text[-1] in _QUOTES:
                    text = text[:-1]
                self.findings.definitions.append((text, definer.kind, line))
                self.opens = definer.opens
        self._take_operand()

    def take_directive(self, start: int, word: bytes, end: int, line: int) -> None:
        """Take `#` and the word after it."""
        if word in (b"if", b"ifdef", b"ifndef"):
            if len(self.conditionals) < _MAX_CONDITIONALS:
                self.conditionals.append((self.frames.copy(), self.brackets))
        elif word in (b"else", b"elif", b"elifdef", b"elifndef"):
            if self.conditionals:
                frames, self.brackets = self.conditionals[-1]
                self.frames = frames.copy()
        elif word == b"endif" and self.conditionals:
            self.conditionals.pop()
        keyword = self.table.keywords.get(b"#" + word)
        if keyword is None:
            return
        if keyword.definers:
            name = self.table.identifier.match(self.source, self._skip(_BLANKS, end))
            if name is not None:
                definer = self.table.definers[keyword.definers[0]]
                self.findings.words.add_all(self.source, name.start(), name.end(), DEFINITIONS)
                self.findings.definitions.append((name.group(), definer.kind, line))
        if keyword.imports:
            self.recorder.start(keyword.imports[0], start, line)

    def take_punctuation(self, byte: int, at: int, in_directive: bool, line: int) -> None:
        """Take one byte of punctuation."""
        if self.recorder.is_active:
            self.recorder.take_punctuation(byte, at)
        if in_directive:
            return
        if self.pending is not None:
            self._pass_pending(byte)
        if byte == 0x2E and self.at_start and self.table.dot_imports and self._byte_at(at + 1) in b" \t":
            self.recorder.start(self.table.dot_imports[0], at, line)
        if byte in b"{}" and self.rules.braces_open_scopes:
            if byte == 0x7B:
                self._open_brace()
            else:
                self._close_brace(at)
            return
        if byte in b"([{":
            if byte == 0x28 and not self.brackets:
                self._consider_callable(line)
            self.brackets += 1
        elif byte in b")]}":
            self._close_bracket(line)
        elif byte == 0x3B and not self.brackets:
            self._end_statement()
            return
        elif byte == 0x3D and not self.brackets:
            self._take_equals(at)
        elif byte == 0x3A and self.tail is not None:
            self.tail = (self.tail[0], self.tail[1], True)
        self._take_operand()
        self.last_punctuation = byte

    def _pass_pending(self, byte: int) -> None:
        assert self.pending is not None
        definer = self.table.definers[self.pending]
        opener = definer.skip_group[0] if definer.skip_group else -1
        if self.group:
            closer = {0x28: 0x29, 0x5B: 0x5D}.get(opener, 0x3E)
            if byte == opener:
                self.group += 1
            elif byte == closer and not (byte == 0x3E and self.last_punctuation in (0x2D, 0x3D)):
                self.group -= 1
        elif byte == opener:
            self.group = 1
        elif bytes([byte]) not in definer.skip:
            if byte == 0x7B:
                self.opens = definer.opens
            self.pending = None

    def _consider_callable(self, line: int) -> None:
        rules, name = self.table.callables, self.previous_word
        if rules is None or name is None:
            return
        if self.is_blocked or name.end == self.defined_end or not self._is_in(rules.scope):
            return
        if self.before_word in (0x40, 0x2E):
            return
        keyword = self.table.keywords.get(self.source[name.start : name.end])
        if keyword is not None and keyword.is_never_callable:
            return
        if self.tail is not None and (self.tail[2] or line <= self.tail[1]):
            return
        self.arguments, self.tail = (name, self.brackets), None

    def _close_bracket(self, line: int) -> None:
        self.brackets = max(0, self.brackets - 1)
        if self.arguments is not None and self.arguments[1] == self.brackets:
            self.tail = (self.arguments[0], line, False)
            self.arguments = None

    def _emit_callable(self, name: _Name) -> None:
        rules = self.table.callables
        if rules is not None:
            self._define(name, rules.kind_in_type if self._scope() == _TYPE else rules.kind)

    def _open_brace(self) -> None:
        scope = self._scope() if self.is_transparent else (self.opens or _BODY)
        if self.tail is not None and not self.brackets:
            self._emit_callable(self.tail[0])
            scope = _BODY
        self.frames.append(_Frame(scope, self.brackets, self.is_typedef))
        self.brackets = 0
        self.opens = None
        self.arguments = self.tail = None
        self._reset()

    def _close_brace(self, at: int) -> None:
        closed = self.frames.pop() if self.frames else None
        if self.rules.column_zero_resets and self._is_column_zero(at):
            closed = self.frames[0] if self.frames else closed
            closed = None if closed is None else closed._replace(brackets=0)
            self.frames.clear()
        self.brackets = 0 if closed is None else closed.brackets
        self.opens = None
        self.arguments = self.tail = None
        self._reset()
        self.is_typedef = closed is not None and closed.is_typedef

    def _end_statement(self) -> None:
        if self.is_typedef and self._is_in(b"type") and self.previous_word is not None:
            self._define(self.previous_word, b"type")
        if self.tail is not None:
            rules = self.table.callables
            counts = rules is not None and rules.semicolon_in_type
            if counts and self._scope() == _TYPE and not self.is_blocked:
                self._emit_callable(self.tail[0])
        self.opens = None
        self.arguments = self.tail = None
        self._reset()

    def _take_equals(self, at: int) -> None:
        rules = self.table.callables
        if self.tail is not None and rules is not None and b"=>" in rules.body and self._byte_at(at + 1) == 0x3E:
            self._emit_callable(self.tail[0])
        self.arguments = self.tail = None
        self.is_blocked = True

    def end_line(self, position: int, in_directive: bool) -> None:
        """Take a line break that is not continued."""
        if self.recorder.is_active:
            self.recorder.end_line(position)
        if in_directive or self.brackets or not self.rules.newline_ends_statement:
            return
        if self.tail is not None and self._byte_at(self._skip(_WHITE, position)) != 0x7B:
            self.tail = None
        self._reset()

    def _starts_import(self, index: int, end: int) -> bool:
        rule = self.table.imports[index]
        if self.recorder.is_active or not (rule.at == b"anywhere" or self.at_start):
            return False
        following = self._skip(_BLANKS, end)
        if b"call" in rule.end and self._byte_at(following) not in b"(\"'`[":
            return False
        return not rule.next or self._stands_at(following, rule.next)
