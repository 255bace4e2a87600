"""The text of a declaration in `signatures`: what a reader needs to use it, on one line."""

import re

from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import Definition, DefinitionKind
from ctxsieve.patterns import lazy_pattern

__all__ = ["declaration_of"]

_VALUES = frozenset({DefinitionKind.CONSTANT, DefinitionKind.VARIABLE, DefinitionKind.FIELD})
_CALLABLES = frozenset({DefinitionKind.FUNCTION, DefinitionKind.METHOD})
# A value whose declaration is longer (an object type, a table) is named alone.
_LONGEST_VALUE = 160
_MACRO = lazy_pattern(r"(#\s*define\s+\w+(?:\([^)]*\))?)")
_TAIL = lazy_pattern(r"(?:\s*(?:[{:;,=]|=>|\bdo\b))+$")
_COMMENT = lazy_pattern(r"/\*.*?\*/|(?:(?<=[\s,(])|^)//[^\n]*", re.DOTALL)
_HASH_COMMENT = lazy_pattern(r"(?:(?<=[\s,(])|^)#[^\n]*")


def declaration_of(source: SourceFile, number: int) -> str:
    """Return the declaration of a definition on one line, or "" where its name is enough.

    The name is enough for what is not exported, for members that a trait has declared already, for values whose
    declaration says no type, and for those that share one declaration.
    """
    definitions = source.parsed.definitions
    definition = definitions[number]
    if not definition.exported or _repeats_a_trait(source, definition):
        return ""
    text = source.data[definition.head_byte : definition.signature_end_byte].decode("utf-8", "replace")
    text = _one_line(text, source.language.comments.line if source.language else None)
    if definition.kind is DefinitionKind.MACRO:
        match = _MACRO.match(text)
        return "" if match is None else match[1]
    if definition.kind in _VALUES:
        return _typed_value(text, definition.name)
    if definition.kind is DefinitionKind.IMPLEMENTATION:
        # Bounds stand on each of many blocks of one type: without them rayon's signatures are a tenth smaller.
        text = text.split(" where ", 1)[0]
    if definition.body_start_byte is None and definition.kind not in _CALLABLES:
        text = text.split("{", 1)[0]
    return _TAIL.sub("", text) if definition.name in text else ""


def _repeats_a_trait(source: SourceFile, definition: Definition) -> bool:
    if definition.parent is None:
        return False
    parent = source.parsed.definitions[definition.parent]
    if parent.kind is not DefinitionKind.IMPLEMENTATION:
        return False
    head = source.data[parent.head_byte : parent.signature_end_byte]
    return re.search(rb"\bfor\b(?!\s*<)", head.split(b"where")[0]) is not None


def _one_line(text: str, line_comment: str | None) -> str:
    if line_comment == "//":
        text = _COMMENT.sub(" ", text)
    elif line_comment == "#" and "\n" in text:
        text = _HASH_COMMENT.sub(" ", text)
    text = " ".join(text.split())
    return re.sub(r",? (?=[)\]])|(?<=[(\[]) ", "", text)


def _typed_value(text: str, name: str) -> str:
    """Return the declaration without its value, or "" where that says no more than the name."""
    text = _TAIL.sub("", re.split(r"(?<![=!<>:])=(?![=>])", text, maxsplit=1)[0].rstrip())
    if len(text) > _LONGEST_VALUE or text.startswith(f"{name}(") or re.search(r"^[^(<\[{]*,", text):
        return ""
    rest = re.sub(r"\b(?:const|let|var|val|static|public|final|export|pub|default|readonly|mut|declare)\b", "", text)
    return "" if re.sub(r"[\s$:;,]", "", rest.replace(name, "", 1)) == "" else text
