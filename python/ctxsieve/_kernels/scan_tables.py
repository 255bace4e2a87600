"""Checks a scan table (the `[scan]` part of `language.toml`) and fills in what it leaves out.

The compiled form is JSON in which every key is present: the native lexer and its twin read the same bytes.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["compile_scan_table"]

_REQUIRED = object()
_TEXTS: tuple[str, ...] = ()

_STRING: dict[str, Any] = {
    "form": "quoted",
    "open": "",
    "close": "",
    "escape": None,
    "doubled": False,
    "multiline": False,
    "interpolation": _TEXTS,
    "prefixes": _TEXTS,
    "mark": "",
    "min_marks": 0,
    "open_end": "",
    "close_end": "",
    "modifiers": "",
    "indented": False,
    "spaces": False,
    "uppercase": False,
    "introducers": _TEXTS,
    "parts": 1,
    "operand_words": _TEXTS,
}
_MARKED: dict[str, Any] = {
    "open": _REQUIRED,
    "mark": _REQUIRED,
    "min_marks": 0,
    "open_end": "",
    "close": _REQUIRED,
    "close_end": "",
}
_DEFINER: dict[str, Any] = {
    "keyword": _REQUIRED,
    "kind": _REQUIRED,
    "scope": "any",
    "at": "anywhere",
    "skip": _TEXTS,
    "skip_group": "",
    "joiners": _TEXTS,
    "followed_by": _TEXTS,
    "opens": "body",
    "name": "identifier",
}
_BINDING: dict[str, Any] = {
    "operators": _REQUIRED,
    "kind": _REQUIRED,
    "scope": "top",
    "column_zero": False,
    "annotated": False,
    "pattern": "any",
    "functions": _TEXTS,
}
_CALLABLES: dict[str, Any] = {
    "kind": "function",
    "kind_in_type": "method",
    "scope": "type",
    "not": _TEXTS,
    "joiners": _TEXTS,
    "body": ("{",),
    "arrow": False,
    "semicolon_in_type": False,
}
_IMPORT: dict[str, Any] = {
    "keyword": _REQUIRED,
    "at": "statement",
    "end": ("line",),
    "next": _TEXTS,
    "drop_at": "",
    "requires": _TEXTS,
}
_TABLE: dict[str, Any] = {
    "kind": "code",
    "line_comments": _TEXTS,
    "line_comment_after_space": False,
    "line_comment_exceptions": _TEXTS,
    "continued_line_comments": False,
    "nested_comments": False,
    "docstrings": False,
    "docstring_words": _TEXTS,
    "identifier_start": "",
    "identifier_tail": "",
    "preprocessor": False,
    "column_zero_resets": False,
    "newline_ends_statement": True,
    "braces_open_scopes": True,
    "modifiers": _TEXTS,
    "transparent": _TEXTS,
    "typedef_words": _TEXTS,
}
_CHOICES = {
    "scan.kind": ("code", "text", "data"),
    "form": ("quoted", "character", "marked", "heredoc", "bracketed", "regex"),
    "scope": ("any", "top", "type", "inside_type"),
    "at": ("anywhere", "statement"),
    "opens": ("body", "type", "top"),
    "name": ("identifier", "none", "string"),
    "pattern": ("any", "upper", "assigned_function"),
}
_DEFAULT_OPENERS = {"character": "'", "regex": "/"}


def compile_scan_table(table: Mapping[str, Any], *, interpreters: Sequence[str] = ()) -> bytes:
    """Return the compiled scan table.

    Args:
        table: the `[scan]` mapping as `tomllib` gives it.
        interpreters: programs in `#!` lines that run this language, without version digits.

    Raises:
        ValueError: a key is unknown or missing, or a value has the wrong type; the text names it.
    """
    rest = dict(table)
    compiled: dict[str, Any] = {"interpreters": [name.rstrip("0123456789.") for name in interpreters]}
    pairs = rest.pop("block_comments", ())
    compiled["block_comments"] = [_pair(pair, "block_comments") for pair in pairs if not isinstance(pair, Mapping)]
    compiled["marked_comments"] = [
        _fill(pair, _MARKED, "block_comments") for pair in pairs if isinstance(pair, Mapping)
    ]
    compiled["line_start_comments"] = [
        _pair(pair, "line_start_comments") for pair in rest.pop("line_start_comments", ())
    ]
    compiled["strings"] = [_string(rule) for rule in rest.pop("strings", ())]
    for key, defaults in (("definers", _DEFINER), ("bindings", _BINDING), ("imports", _IMPORT)):
        compiled[key] = [_fill(rule, defaults, key) for rule in rest.pop(key, ())]
    callables = rest.pop("callables", None)
    compiled["callables"] = None if callables is None else _callables(callables)
    compiled |= _fill(rest, _TABLE, "scan")
    _check_identifier_bytes(compiled)
    text = json.dumps(compiled, sort_keys=True, separators=(",", ":"))
    if any(ord(character) > 126 for value in _texts(compiled) for character in value):
        raise ValueError("scan table has a character outside ASCII: openers, closers and keywords must be ASCII")
    return text.encode("ascii")


def _callables(rule: Any) -> dict[str, Any]:
    filled = _fill(rule, _CALLABLES, "callables")
    if filled.pop("arrow") and "=>" not in filled["body"]:
        filled["body"].append("=>")
    return filled


def _check_identifier_bytes(table: Mapping[str, Any]) -> None:
    for key in ("identifier_start", "identifier_tail"):
        for character in table[key]:
            if character.isalnum() or character.isspace() or character == "_":
                raise ValueError(f"scan.{key} has {character!r}: only ASCII punctuation can be added to identifiers")


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    return [text for item in value for text in _texts(item)] if isinstance(value, (list, tuple)) else []


def _pair(pair: Any, key: str) -> list[str]:
    is_texts = isinstance(pair, (list, tuple)) and all(isinstance(text, str) and text for text in pair)
    if not is_texts or len(pair) != 2:
        raise ValueError(f"scan.{key} has {pair!r}: it must be a pair of texts [open, close]")
    return list(pair)


def _string(rule: Mapping[str, Any]) -> dict[str, Any]:
    filled = _fill(rule, _STRING, "strings")
    form = filled["form"]
    if form in _DEFAULT_OPENERS and not filled["open"]:
        filled["open"] = _DEFAULT_OPENERS[form]
    if filled["escape"] is None:
        filled["escape"] = "" if form == "marked" else "\\"
    if len(filled["escape"]) > 1:
        raise ValueError(f"scan.strings escape is {filled['escape']!r}: it must be one character or empty")
    if form == "quoted":
        filled["close"] = filled["close"] or filled["open"]
        if len(filled["interpolation"]) not in (0, 2) or "" in filled["interpolation"]:
            raise ValueError(f"scan.strings interpolation is {filled['interpolation']!r}: it must be [open, close]")
    if form == "marked" and not (filled["mark"] == "word" or len(filled["mark"]) == 1):
        raise ValueError(f"scan.strings mark is {filled['mark']!r}: it must be one character or 'word'")
    if form == "bracketed":
        if not filled["introducers"]:
            raise ValueError("scan.strings of form 'bracketed' has no introducers: it must have one or more")
    elif not filled["open"] and form != "marked":
        raise ValueError(f"scan.strings of form {form!r} has no opener: 'open' must be a text")
    return filled


def _fill(rule: Any, defaults: Mapping[str, Any], place: str) -> dict[str, Any]:
    if not isinstance(rule, Mapping):
        raise ValueError(f"scan.{place} has {rule!r}: it must be a table")
    for key in rule:
        if key not in defaults:
            raise ValueError(f"scan.{place} has the unknown key {key!r}: allowed are {', '.join(sorted(defaults))}")
    filled = {key: rule.get(key, default) for key, default in defaults.items()}
    for key, value in filled.items():
        if value is _REQUIRED:
            raise ValueError(f"scan.{place} has no {key!r}: it must be given")
        filled[key] = _checked(value, defaults[key], key, place)
    return filled


def _checked(value: Any, default: Any, key: str, place: str) -> Any:
    choices = _CHOICES.get(f"{place}.{key}") or _CHOICES.get(key)
    if choices and not (place == "scan" and key != "kind") and value not in choices:
        raise ValueError(f"scan.{place} {key} is {value!r}: it must be one of {', '.join(choices)}")
    wants_list = isinstance(default, tuple) or key == "operators"
    if wants_list:
        if not (isinstance(value, (list, tuple)) and all(isinstance(text, str) and text for text in value)):
            raise ValueError(f"scan.{place} {key} is {value!r}: it must be a list of texts")
        return list(value)
    expected = bool if isinstance(default, bool) else int if isinstance(default, int) else str
    if value is not None and (not isinstance(value, expected) or (expected is int and isinstance(value, bool))):
        raise ValueError(f"scan.{place} {key} is {value!r}: it must be of type {expected.__name__}")
    if default is _REQUIRED and value == "":
        raise ValueError(f"scan.{place} {key} is empty: it must be a text")
    if isinstance(value, int) and value < 0:
        raise ValueError(f"scan.{place} {key} is {value}: it must be 0 or more")
    return value
