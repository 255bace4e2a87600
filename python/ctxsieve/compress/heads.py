"""The text of a declaration in `signatures`: what a reader needs to use it, on one line."""

import re
from collections.abc import Iterator, Sequence

from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import Definition, DefinitionKind
from ctxsieve.patterns import lazy_pattern

__all__ = ["declaration_of", "trait_of"]

_VALUES = frozenset({DefinitionKind.CONSTANT, DefinitionKind.VARIABLE, DefinitionKind.FIELD})
_CALLABLES = frozenset({DefinitionKind.FUNCTION, DefinitionKind.METHOD})
# A value whose declaration is longer (an object type, a table) is named alone, and of a type so long the braces lose
# what they hold.
_LONGEST_VALUE = _LONGEST_TYPE = 160
_MACRO = lazy_pattern(r"(#\s*define\s+\w+(?:\([^)]*\))?)")
_TAIL = lazy_pattern(r"(?:\s*(?:[{:;,=]|=>|\bdo\b))+$")
_COMMENT = lazy_pattern(r"/\*.*?\*/|(?:(?<=[\s,(])|^)//[^\n]*", re.DOTALL)
# Literals, brackets and signs of assignment, each apart from the signs that look like one.
_SIGN = lazy_pattern(
    r'"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`'
    r"|'(?:\\.|[^'\\])'|'[^'\\\s,;<>()\[\]{}]*'"
    r"|[=-]>|<=>|[=!<>:]=+|[=()\[\]{}<>]"
)
_IS_PLAIN = lazy_pattern(r"(?:[\w\s$@#.,;*&:/]|\[[\w\s]*\])*+(?<!:)\Z")
_IMPL = lazy_pattern(r"(?:\A|[\s\]])impl(?=[\s<])")
_MODULE = lazy_pattern(r"\A(!?)(?:::)?(?:\w+::)+(?=\w)")
# Arguments that are nothing but parameters of the block.
_LETTERS = lazy_pattern(r"<(?:'\w+|[A-Z]\d?)(?:, (?:'\w+|[A-Z]\d?))*>\Z")
_LIFETIME = lazy_pattern(r"&\s*'\w+\s+")
_DEFIMPL = lazy_pattern(r"defimpl\b[^,]*,\s*for:\s*(.*?)\)?\Z")
_INSTANCE = lazy_pattern(r"instance\b\s*(?:\{-.*?-\}\s*)*(.*?)(?:\s*\bwhere)?\Z")
_EXTENSION = lazy_pattern(r"(?:\A|\s)extension\s+([^{]*)")
# `for<'a>` before a function type names lifetimes, no type that a trait is implemented for.
_QUANTIFIER = lazy_pattern(r"\bfor\s*<\s*(?:'[^<>]*)?>\s*")
_OPENINGS = {")": "(", "]": "[", "}": "{", ">": "<"}
_HASH_COMMENT = lazy_pattern(r"(?:(?<=[\s,(])|^)#[^\n]*")


def declaration_of(source: SourceFile, number: int) -> str:
    """Return the declaration of a definition on one line, or "" where its name is enough.

    The name is enough for what is not exported (implementations name their trait), for members that a trait has
    declared already, for values whose declaration says no type, and for those that share one declaration.
    """
    definitions = source.parsed.definitions
    definition = definitions[number]
    if not definition.exported or _repeats_a_trait(source, definition):
        return trait_of(source, number)
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
        text = _without_braced(text)
    return _TAIL.sub("", text) if definition.name in text else ""


def trait_of(source: SourceFile, number: int) -> str:
    """Return `impl Trait for Type` for a block that says so in these words, "" for all but implementations.

    Without parameters, bounds, the module of the trait and arguments that only name parameters or belong to the type.
    For blocks in other words, what the name leaves out: `for Type` behind a class or protocol, else the protocols.
    """
    definition = source.parsed.definitions[number]
    if definition.kind is not DefinitionKind.IMPLEMENTATION:
        return ""
    text = source.data[definition.head_byte : definition.signature_end_byte].decode("utf-8", "replace")
    text = _one_line(text, source.language.comments.line if source.language else None)
    if (word := _IMPL.search(text)) is None:
        return _other_side(text, definition.name)
    if not _implements_a_trait(source, definition):
        return ""
    head = _without_parameters(text[word.end() :].split(" where ", 1)[0])
    trait, _, owner = head.rpartition(" for ")
    trait = _LETTERS.sub("", _MODULE.sub(r"\1", trait))
    return f"impl {trait} for {_without_arguments(owner)}"


def _other_side(text: str, name: str) -> str:
    """Return `for Type` of `defimpl` and `instance`, whose names are protocol and class, and what `extension` adds."""
    if (found := _DEFIMPL.match(text)) is not None:
        return f"for {found[1]}"
    if (found := _INSTANCE.match(text)) is not None:
        types = found[1].rpartition("=>")[2].partition(name)[2].strip()
        return f"for {types}" if types and "--" not in types else ""
    if (found := _EXTENSION.search(text)) is not None:
        owner, _, protocols = found[1].split(" where ", 1)[0].rpartition(":")
        # The colon of a dictionary is none that protocols follow.
        return protocols.strip() if owner and owner.count("[") == owner.count("]") else ""
    return ""


def _without_arguments(text: str) -> str:
    """Return a type without what stands in angle brackets, and without the lifetimes of its references."""
    text = _QUANTIFIER.sub("", text)
    parts: list[str] = []
    shown = 0
    for sign, start, depth in _signs(text):
        if depth == 0 and sign == "<" and start > 0:  # not in `<T as Trait>::Item`
            parts.append(text[shown:start])
            shown = len(text)
        elif depth == 0 and sign == ">" and shown == len(text):
            shown = start + 1
    return _LIFETIME.sub("&", "".join([*parts, text[shown:]]).strip(" {"))


def _without_parameters(text: str) -> str:
    """Return the text behind the parameters in angle brackets that it may begin with."""
    if not text.startswith("<"):
        return text.lstrip()
    end = next((start for sign, start, depth in _signs(text) if sign == ">" and depth == 0), -1)
    return text[end + 1 :].lstrip()


def _repeats_a_trait(source: SourceFile, definition: Definition) -> bool:
    return definition.parent is not None and _implements_a_trait(source, source.parsed.definitions[definition.parent])


def _implements_a_trait(source: SourceFile, definition: Definition) -> bool:
    if definition.kind is not DefinitionKind.IMPLEMENTATION:
        return False
    head = source.data[definition.head_byte : definition.signature_end_byte]
    return re.search(rb"\bfor\b(?!\s*<\s*['>])", head.split(b"where")[0]) is not None


def _one_line(text: str, line_comment: str | None) -> str:
    if line_comment == "//":
        text = _COMMENT.sub(" ", text)
    elif line_comment == "#" and "\n" in text:
        text = _HASH_COMMENT.sub(" ", text)
    text = " ".join(text.split())
    return re.sub(r",? (?=[)\]])|(?<=[(\[]) ", "", text)


def _typed_value(text: str, name: str) -> str:
    """Return the declaration without its value, or "" where that says no more than the name."""
    text = _TAIL.sub("", _before_value(text).rstrip())
    if len(text) > _LONGEST_VALUE or text.startswith(f"{name}(") or re.search(r"^[^(<\[{]*,", text):
        return ""
    rest = re.sub(r"\b(?:const|let|var|val|static|public|final|export|pub|default|readonly|mut|declare)\b", "", text)
    return "" if re.sub(r"[\s$:;,]", "", rest.replace(name, "", 1)) == "" else text


def _before_value(text: str) -> str:
    before, _, rest = text.partition("=")
    # A value may be a table of any length: nearly always nothing is open before it, and it need not be looked at.
    if not rest.startswith(("=", ">")) and _IS_PLAIN.match(before):
        return before
    value = next((start for sign, start, depth in _signs(text) if sign == "=" and depth == 0), len(text))
    return text[:value]


def _without_braced(text: str) -> str:
    """Return a type whole where it is short, else with `{...}` for each pair of braces outside of all others."""
    if len(text) <= _LONGEST_TYPE:
        return text
    parts: list[str] = []
    shown, opened = 0, []
    for sign, start, _ in _signs(text):
        if sign == "{":
            opened.append(start)
        elif sign == "}" and opened:
            first = opened.pop()
            if not opened:
                parts += [text[shown:first], "{...}"]
                shown = start + 1
    return "".join(parts) + text[shown:] if not opened else "".join(parts) + text[shown : opened[0]]


def _signs(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield brackets and `=` outside of literals, with their places and the number of brackets around them."""
    found = [(match[0], match.start()) for match in _SIGN.finditer(text)]
    pairs = _paired(found)
    depth = 0
    for number, (sign, start) in enumerate(found):
        if number in pairs and sign in _OPENINGS:
            depth -= 1
        yield sign, start, depth
        if number in pairs and sign not in _OPENINGS:
            depth += 1


def _paired(found: Sequence[tuple[str, int]]) -> set[int]:
    """Return the numbers of those brackets that have a counterpart; less and greater are signs where they have none."""
    pairs: set[int] = set()
    opened: list[int] = []
    for number, (sign, _) in enumerate(found):
        if sign in ("(", "[", "{", "<"):
            opened.append(number)
        elif sign in _OPENINGS:
            wanted = _OPENINGS[sign]
            if sign == ">":
                if not opened or found[opened[-1]][0] != "<":
                    continue
            else:
                while opened and found[opened[-1]][0] == "<":
                    opened.pop()
                if not opened or found[opened[-1]][0] != wanted:
                    continue
            pairs |= {opened.pop(), number}
    return pairs
