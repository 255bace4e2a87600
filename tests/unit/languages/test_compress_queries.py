"""Leaving out one captured node, with the semicolon or comma behind it, never adds an error, in any language."""

from pathlib import Path

import pytest

from ctxsieve._kernels import PARSE_LIMIT, query_capture_names, query_captures
from ctxsieve.languages import LANGUAGES, Language, LanguageKind, language_of

FIXTURES = Path(__file__).parents[2] / "fixtures"
CODE = sorted(name for name, language in LANGUAGES.items() if language.kind is LanguageKind.CODE)
# Where a block may not be empty, the renderer puts the language's ellipsis in place of what it leaves out.
KEPT = {"body", "block", "block.delimited", "import.keyword", "sealed"}


def sources_of(name: str) -> list[bytes]:
    paths = [*(FIXTURES / "definitions").glob(f"{name}.*"), *(FIXTURES / "projects" / name).rglob("*")]
    found = ((path, language_of(path.name)) for path in sorted(paths) if path.is_file())
    return [path.read_bytes() for path, language in found if language is not None and language.name == name]


def error_counts(sources: list[bytes], language: Language) -> list[int]:
    assert language.grammar is not None
    query = language.query("definitions")
    captures = query_captures(sources, language.grammar, query, parse_limit=PARSE_LIMIT, match_limit=65_535, threads=1)
    return [int(errors + missing) for errors, missing in zip(captures.error_nodes, captures.missing_nodes, strict=True)]


def removable_spans(source: bytes, language: Language) -> list[tuple[str, int, int]]:
    assert language.grammar is not None
    query = language.query("compress")
    names = query_capture_names(language.grammar, query)
    captures = query_captures([source], language.grammar, query, parse_limit=PARSE_LIMIT, match_limit=65_535, threads=1)
    rows = zip(captures.capture.tolist(), captures.start_byte.tolist(), captures.end_byte.tolist(), strict=True)
    removable = {(names[capture], start, end) for capture, start, end in rows if names[capture] not in KEPT}
    if language.ellipsis is None:
        removable = {(name, start, with_separator(source, end)) for name, start, end in removable if name != "row"} | {
            row for row in removable if row[0] == "row"
        }
    commented = {(start, end) for name, start, end in removable if name == "comment"}
    return sorted(
        (name, start, end + 1 if name == "row" else end)
        for name, start, end in removable
        if name != "row" or (source[end : end + 1] == b"," and (start, end) not in commented)
    )


def with_separator(source: bytes, end: int) -> int:
    """Return the end of a node with the semicolon that parts it from the next one in the same line."""
    return end + 1 if source[end : end + 1] == b";" else end


@pytest.mark.parametrize("name", CODE)
def test_leaving_out_one_node_adds_no_error(name: str) -> None:
    language = LANGUAGES[name]
    filler = (language.ellipsis or "").encode()
    for source in sources_of(name):
        spans = removable_spans(source, language)
        without = [
            source[:start] + filler + source[end:] if kind == "body.statement" else source[:start] + source[end:]
            for kind, start, end in spans
        ]
        before = error_counts([source], language)[0]
        for (kind, start, end), errors in zip(spans, error_counts(without, language) if without else [], strict=True):
            assert errors <= before, (kind, source[start:end])


@pytest.mark.parametrize("name", CODE)
def test_something_may_be_left_out_of_the_fixtures(name: str) -> None:
    assert any(removable_spans(source, LANGUAGES[name]) for source in sources_of(name))
