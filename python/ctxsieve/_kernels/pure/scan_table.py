"""Twin of the native compiled scan table: what the lexer knows about a language."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

__all__ = ["Keyword", "Rule", "Table", "load_table"]

_BASE_START = rb"A-Za-z_\x80-\xff"
_BASE_TAIL = rb"0-9A-Za-z_\x80-\xff"


class Rule:
    """One rule of a table; texts are bytes."""

    def __init__(self, mapping: Mapping[str, Any]) -> None:
        for key, value in mapping.items():
            setattr(self, "not_" if key == "not" else key, _as_bytes(value))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def _as_bytes(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("ascii")
    if isinstance(value, list):
        return [_as_bytes(item) for item in value]
    return value


@dataclass(slots=True)
class Keyword:
    """What one word means in this language."""

    definers: list[int] = field(default_factory=list)
    imports: list[int] = field(default_factory=list)
    is_modifier: bool = False
    is_transparent: bool = False
    is_operand_word: bool = False
    is_docstring_word: bool = False
    is_typedef: bool = False
    is_never_callable: bool = False


class Table:
    """A scan table in the form that the lexer uses."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.rules = Rule({key: value for key, value in rules.items() if not isinstance(value, dict)})
        self.kind: str = rules["kind"]
        self.interpreters = self.rules.interpreters
        self.strings = [Rule(rule) for rule in rules["strings"]]
        self.definers = [Rule(rule) for rule in rules["definers"]]
        self.bindings = [Rule(rule) for rule in rules["bindings"]]
        self.imports = [Rule(rule) for rule in rules["imports"]]
        self.marked_comments = [Rule(rule) for rule in rules["marked_comments"]]
        self.callables = None if rules["callables"] is None else Rule(rules["callables"])
        extra_start = re.escape(self.rules.identifier_start)
        extra_tail = re.escape(self.rules.identifier_tail)
        prefix = rb"[" + extra_start + rb"]*" if extra_start else rb""
        self.identifier = re.compile(prefix + rb"[" + _BASE_START + rb"][" + _BASE_TAIL + extra_tail + rb"]*")
        self.has_extra = bool(extra_start or extra_tail)
        self.triggers = self._collect_triggers()
        self.keywords = self._collect_keywords()
        self.stops = [_stops_of(rule) for rule in self.strings]
        self.prefixed = [index for index, rule in enumerate(self.strings) if rule.prefixes]
        self.prefixes = frozenset(prefix.lower() for rule in self.strings for prefix in rule.prefixes)
        self.dot_imports = [index for index, rule in enumerate(self.imports) if rule.keyword == b"."]

    def _collect_triggers(self) -> dict[int, list[tuple[str, int]]]:
        triggers: dict[int, list[tuple[str, int]]] = {}

        def add(opener: bytes, kind: str, index: int) -> None:
            if opener and (kind, index) not in triggers.setdefault(opener[0], []):
                triggers[opener[0]].append((kind, index))

        for index, pair in enumerate(self.rules.line_start_comments):
            add(pair[0], "line_start", index)
        for index, rule in enumerate(self.marked_comments):
            add(rule.open, "marked", index)
        for index, pair in enumerate(self.rules.block_comments):
            add(pair[0], "block", index)
        for index, opener in enumerate(self.rules.line_comments):
            add(opener, "line", index)
        for index, rule in enumerate(self.strings):
            if rule.form == b"bracketed":
                for introducer in rule.introducers:
                    add(introducer, "string", index)
            elif rule.form == b"marked" and not rule.open:
                add(rule.open_end if rule.mark == b"word" else rule.mark, "string", index)
            else:
                add(rule.open, "string", index)
        return triggers

    def _collect_keywords(self) -> dict[bytes, Keyword]:
        keywords: dict[bytes, Keyword] = {}

        def entry(word: bytes) -> Keyword:
            return keywords.setdefault(word, Keyword())

        for index, rule in enumerate(self.definers):
            entry(rule.keyword).definers.append(index)
        for index, rule in enumerate(self.imports):
            entry(rule.keyword).imports.append(index)
        for word in self.rules.modifiers:
            entry(word).is_modifier = True
        for word in self.rules.transparent:
            entry(word).is_transparent = True
        for word in self.rules.docstring_words:
            entry(word).is_docstring_word = True
        for word in self.rules.typedef_words:
            entry(word).is_typedef = True
        for word in self.callables.not_ if self.callables is not None else ():
            entry(word).is_never_callable = True
        for rule in self.strings:
            for word in rule.operand_words:
                entry(word).is_operand_word = True
        return keywords


def _stops_of(rule: Rule) -> re.Pattern[bytes]:
    """Return what finds the bytes at which a string's content is looked at."""
    texts = [rule.escape, rule.close, *rule.interpolation[:1]]
    return re.compile(rb"[\n" + b"".join(re.escape(text[:1]) for text in texts) + rb"]")


@lru_cache(maxsize=256)
def load_table(compiled: bytes) -> Table:
    """Return the table of a compiled scan table."""
    return Table(json.loads(compiled))
