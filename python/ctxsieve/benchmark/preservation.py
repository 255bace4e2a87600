"""What of a file is found again in its rendering. Shares are None where there is nothing to find.

- Definitions: (kind, qualified name) of the source found again by parsing the text of `full`, `aggressive`, `entropy`
  and `task`; in `map` and `signatures` (kind, qualified name, line span) read back from the outline's rows. Fields and
  other values count.
- Identifiers: distinct identifier nodes of the source found again as whole words.
- Lines: lines with text that are shown.
"""

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from ctxsieve._kernels import NODE_IS_NAMED, PARSE_LIMIT, grammar_kinds, syntax_nodes
from ctxsieve.compress import SourceFile, is_minified, parse_outline
from ctxsieve.fragments import Definition, LineRange
from ctxsieve.languages import parse
from ctxsieve.values import dataclass

__all__ = ["Preservation", "measure_preservation"]

_WORD = re.compile(r"[^\W\d]\w*")
_PARSED_MODES = frozenset({"full", "aggressive", "entropy", "task"})


@dataclass(frozen=True, slots=True)
class Preservation:
    """Shares from 0 to 1, and whether the text has no more error nodes than its source (None where it is no code)."""

    definitions: float | None
    identifiers: float | None
    lines: float | None
    is_valid: bool | None


def measure_preservation(source: SourceFile, content: str, mode: str, shown: tuple[LineRange, ...]) -> Preservation:
    """Return what of the source the content preserves."""
    language = source.language
    with_text = [number for number, line in enumerate(source.lines, start=1) if line.strip()]
    visible = {number for span in shown for number in range(span.first, span.last + 1)}
    lines = sum(number in visible for number in with_text) / len(with_text) if with_text else None
    if language is None or language.grammar is None or not language.query("definitions"):
        return Preservation(None, None, lines, None)
    identifiers = _identifiers(source)
    words = set(_WORD.findall(content))
    kept = len(identifiers & words) / len(identifiers) if identifiers else None
    definitions = source.parsed.definitions
    if mode not in _PARSED_MODES:
        share = None if is_minified(source) else _share_of_rows(definitions, content, language.separator)
        return Preservation(share, kept, lines, None)
    after = parse(content.encode("utf-8", "surrogatepass"), language)
    wanted = {(found.kind, found.qualified_name) for found in definitions}
    found_again = wanted & {(found.kind, found.qualified_name) for found in after.definitions}
    share = len(found_again) / len(wanted) if wanted else None
    return Preservation(share, kept, lines, after.error_nodes <= source.parsed.error_nodes)


def _share_of_rows(definitions: Sequence[Definition], content: str, separator: str) -> float | None:
    if not definitions:
        return None
    rows = {(entry.kind, entry.qualified_name, entry.span) for entry in parse_outline(content, separator)}
    wanted = [(found.kind, found.qualified_name, LineRange(found.first_line, found.last_line)) for found in definitions]
    return sum(definition in rows for definition in wanted) / len(wanted)


@cache
def _identifier_kinds(grammar: str) -> tuple[int, ...]:
    return tuple(number for number, name in enumerate(grammar_kinds(grammar)) if "identifier" in name)


def _identifiers(source: SourceFile) -> set[str]:
    language = source.language
    if language is None or language.grammar is None:
        return set()
    tree = syntax_nodes([source.data], language.grammar, parse_limit=PARSE_LIMIT, threads=1)
    is_name = np.isin(tree.kind, _identifier_kinds(language.grammar)) & ((tree.flags & NODE_IS_NAMED) != 0)
    spans = zip(tree.start_byte[is_name].tolist(), tree.end_byte[is_name].tolist(), strict=True)
    texts = {source.data[start:end].decode("utf-8", "replace") for start, end in spans}
    return {text for text in texts if _WORD.fullmatch(text)}
