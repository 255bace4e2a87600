"""What a declaration declares, read off its text alone, whatever its language.

Outlines show declarations as the source writes them. This reader finds kind and name in the common forms of all
languages; where it finds something else than the parser did, the outline says both beside the text.
"""

import re
from collections.abc import Mapping, Sequence

from ctxsieve.fragments import DefinitionKind
from ctxsieve.patterns import lazy_pattern

__all__ = ["HOLDER_KINDS", "read_declaration"]

# Kinds whose functions are methods and whose variables are fields.
HOLDER_KINDS = frozenset(
    {
        DefinitionKind.CLASS,
        DefinitionKind.INTERFACE,
        DefinitionKind.STRUCT,
        DefinitionKind.UNION,
        DefinitionKind.ENUM,
        DefinitionKind.TRAIT,
        DefinitionKind.IMPLEMENTATION,
    }
)
_NAME = r"~?[^\W\d][\w$]*(?:[!?](?!:))?"
_TOKEN = lazy_pattern(rf"macro_rules!|'[^\W\d]\w*(?!')|{_NAME}(?:(?:::|\.){_NAME})*|\$[\w$]*|\d\w*|->|=>|[?!]:|[^\w\s]")
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CALLABLE_WORDS = frozenset({"def", "defp", "fn", "func", "fun", "function", "sub", "proc"})
_TYPE_WORDS: Mapping[str, DefinitionKind] = {
    "class": DefinitionKind.CLASS,
    "record": DefinitionKind.CLASS,
    "object": DefinitionKind.CLASS,
    "interface": DefinitionKind.INTERFACE,
    "struct": DefinitionKind.STRUCT,
    "union": DefinitionKind.UNION,
    "enum": DefinitionKind.ENUM,
    "trait": DefinitionKind.TRAIT,
    "protocol": DefinitionKind.INTERFACE,
    "module": DefinitionKind.MODULE,
    "mod": DefinitionKind.MODULE,
    "namespace": DefinitionKind.MODULE,
    "package": DefinitionKind.MODULE,
    "type": DefinitionKind.TYPE,
    "typealias": DefinitionKind.TYPE,
    "using": DefinitionKind.TYPE,
}
_VALUE_WORDS: Mapping[str, DefinitionKind] = {
    "const": DefinitionKind.CONSTANT,
    "static": DefinitionKind.CONSTANT,
    "let": DefinitionKind.VARIABLE,
    "var": DefinitionKind.VARIABLE,
    "val": DefinitionKind.VARIABLE,
}
# What may follow the name of a type; other words after it mean that the type is that of a function or value.
_AFTER_TYPE_NAME = frozenset(
    {
        "(",
        "<",
        "[",
        "{",
        ":",
        "=",
        ";",
        ",",
        "extends",
        "implements",
        "where",
        "final",
        "permits",
        "with",
        "is",
        "|",
        "->",
    }
)
_AFTER_VALUE_NAME = frozenset({":", "=", ";", ",", "{"})
_WORD = lazy_pattern(r"~?[^\W\d$]|\$")

Found = tuple[DefinitionKind, str]


def read_declaration(text: str, parent: DefinitionKind | None, separator: str) -> Found | None:
    """Return the kind and the name that the text declares, or None where it has none of the common forms.

    Args:
        text: a declaration on one line, without its body.
        parent: the kind of what it stands in.
        separator: what stands between the parts of the name.
    """
    found = _read(_top_level(_TOKEN.findall(text)), parent)
    if found is None:
        return None
    return found[0], separator.join(re.split(r"::|\.", found[1]))


def _top_level(tokens: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    """Return the tokens outside of brackets; an opening bracket comes with the tokens up to its match."""
    level: list[tuple[str, Sequence[str]]] = []
    position = 0
    while position < len(tokens):
        part = tokens[position]
        if part in _OPENING or (part == "<" and _opens_generics(tokens, position)):
            end = _matching(tokens, position)
            level.append((part, tokens[position + 1 : end]))
            position = end + 1
        else:
            level.append((part, ()))
            position += 1
    return level


def _opens_generics(tokens: Sequence[str], position: int) -> bool:
    return position > 0 and _is_word(tokens[position - 1]) and tokens[position - 1] != "operator"


def _matching(tokens: Sequence[str], start: int) -> int:
    opening = tokens[start]
    closing = _OPENING.get(opening, ">")
    depth = 0
    for position in range(start, len(tokens)):
        if tokens[position] == opening:
            depth += 1
        elif tokens[position] == closing:
            depth -= 1
            if depth == 0:
                return position
    return len(tokens)


def _read(tokens: Sequence[tuple[str, Sequence[str]]], parent: DefinitionKind | None) -> Found | None:
    is_member = parent in HOLDER_KINDS
    position = 0
    while position < len(tokens):
        part = tokens[position][0]
        following = [tokens[k][0] if k < len(tokens) else "" for k in range(position + 1, position + 4)]
        if part == "@":
            position += 2
            continue
        if part == "#" and following[0] == "define":
            return DefinitionKind.MACRO, following[1]
        if part == "macro_rules!":
            return DefinitionKind.MACRO, following[0]
        if part == "impl" and following[0]:
            return _implementation(tokens[position + 1 :])
        if part == "typedef":
            return _type_definition(tokens[position + 1 :])
        if part in _CALLABLE_WORDS:
            return _callable(tokens, position + 1, is_member=is_member)
        if part in _TYPE_WORDS and _is_word(following[0]):
            name, after = following[0], following[1]
            if name in _TYPE_WORDS:
                position += 1
                continue
            if not after or after in _AFTER_TYPE_NAME:
                return _TYPE_WORDS[part], name
        if part in _VALUE_WORDS and _is_word(following[0]) and (not following[1] or following[1] in _AFTER_VALUE_NAME):
            kind = _VALUE_WORDS[part] if tokens[0][0] != "export" else DefinitionKind.VARIABLE
            return _value(tokens[position + 2 :], kind, following[0], is_member=is_member)
        if _is_word(part) and part != "pub" and following[0] == "(":
            return DefinitionKind.METHOD if is_member else DefinitionKind.FUNCTION, part
        if part in (":", "=", "?:") and position and _is_word(tokens[position - 1][0]):
            return DefinitionKind.FIELD if is_member else DefinitionKind.VARIABLE, tokens[position - 1][0]
        position += 1
    words = [part for part, _ in tokens if _is_word(part)]
    if not words:
        return None
    return DefinitionKind.FIELD if is_member else DefinitionKind.VARIABLE, words[-1]


def _callable(tokens: Sequence[tuple[str, Sequence[str]]], position: int, *, is_member: bool) -> Found | None:
    receiver = ""
    while position < len(tokens) and not _is_word(tokens[position][0]):
        words = [word for word in tokens[position][1] if _is_word(word)]
        if tokens[position][0] == "(" and words:
            receiver = words[1] if len(words) > 1 else words[0]
        position += 1
    if position == len(tokens):
        return None
    name = tokens[position][0]
    if receiver:
        return DefinitionKind.METHOD, f"{receiver}.{name}"
    return DefinitionKind.METHOD if is_member else DefinitionKind.FUNCTION, name


def _implementation(tokens: Sequence[tuple[str, Sequence[str]]]) -> Found | None:
    """Return the type that a block adds to: what stands behind `for`, else the first one."""
    names = [part for part, _ in tokens]
    where = names.index("where") if "where" in names else len(names)
    start = names.index("for") + 1 if "for" in names[:where] else 0
    for name in names[start:where]:
        if _is_word(name) and name not in ("mut", "dyn", "const"):
            return DefinitionKind.IMPLEMENTATION, name.rpartition("::")[2]
    return None


def _type_definition(tokens: Sequence[tuple[str, Sequence[str]]]) -> Found | None:
    """Return what a C `typedef` names: its last word, or the pointer in parentheses."""
    for part, inside in tokens:
        if part == "(" and inside[:1] == ["*"] and len(inside) > 1:
            return DefinitionKind.TYPE, inside[1]
    words = [part for part, _ in tokens if _is_word(part)]
    return (DefinitionKind.TYPE, words[-1]) if words else None


def _value(rest: Sequence[tuple[str, Sequence[str]]], kind: DefinitionKind, name: str, *, is_member: bool) -> Found:
    # Outlines leave the values of values out, so that what is assigned here is a function.
    if any(part == "=" for part, _ in rest):
        return DefinitionKind.METHOD if is_member else DefinitionKind.FUNCTION, name
    if is_member and kind is DefinitionKind.VARIABLE:
        kind = DefinitionKind.FIELD
    return kind, name


def _is_word(part: str) -> bool:
    return _WORD.match(part) is not None
