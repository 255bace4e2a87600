"""A project view built with the parser alone: the reference that the scanner is compared with."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ctxsieve._kernels import PARSE_LIMIT, query_capture_names, query_captures
from ctxsieve.errors import PathError
from ctxsieve.languages import LANGUAGES, Language, ProjectView, language_of, parse


def import_statements(source: bytes, language: Language) -> list[tuple[str, int]]:
    """Return (text, line) of every import statement that the grammar knows, comments left in."""
    query = language.query("imports")
    if language.grammar is None or not query:
        return []
    names = query_capture_names(language.grammar, query)
    captures = query_captures([source], language.grammar, query, parse_limit=PARSE_LIMIT, match_limit=65_535, threads=1)
    keywords = {entry["keyword"] for entry in language.scan.get("imports", ())}
    matches: dict[int, list[tuple[str, int, int, int]]] = {}
    columns = (captures.match, captures.capture, captures.start_byte, captures.end_byte, captures.start_row)
    for match, capture, start, end, row in zip(*(column.tolist() for column in columns), strict=True):
        matches.setdefault(match, []).append((names[capture], start, end, row))
    found: dict[tuple[int, str], int] = {}
    for members in matches.values():
        words = [
            source[start:end].decode() for name, start, end, _ in members if name in ("import.keyword", "import.callee")
        ]
        if words and words[0] not in keywords:
            continue
        for name, start, end, row in members:
            if name in ("import", "import.call", "import.head"):
                text = _statement(source[start:end].decode("utf-8", "replace"), name, keywords)
                found[start, text] = row + 1
    return [(text, line) for (_, text), line in sorted(found.items())]


def _statement(text: str, capture: str, keywords: set[str]) -> str:
    """Return the text from its keyword on, as the scanner does."""
    starts = [match.start() for word in keywords if (match := re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text))]
    text = text[min(starts, default=0) :]
    if capture == "import.head":
        return text.partition("{")[0].strip()
    return text.strip().rstrip(";").strip()


def _paths(root: Path) -> Iterator[str]:
    for path in root.rglob("*"):
        if path.is_file() and path.name != "edges.txt" and ".git" not in path.parts:
            yield path.relative_to(root).as_posix()


def project_view(root: Path) -> ProjectView:
    """Return the view of a tree as the parser sees it."""
    paths = sorted(_paths(root), key=lambda path: path.encode())
    languages: list[str | None] = []
    statements: list[tuple[int, str, int]] = []
    defining: dict[str, list[int]] = {}
    for document, path in enumerate(paths):
        source = (root / path).read_bytes()
        language = language_of(path, source[:4096])
        languages.append(language.name if language else None)
        if language is None or language.name not in LANGUAGES or language.kind != "code":
            continue
        for text, line in _with_path_attributes(source, import_statements(source, language)):
            statements.append((document, text, line))
        for name in {definition.name for definition in parse(source, language).definitions}:
            defining.setdefault(name, []).append(document)
    texts = sorted({text for _, text, _ in statements})
    numbers = {text: number for number, text in enumerate(texts)}

    def read_bytes(path: str) -> bytes:
        try:
            return (root / path).read_bytes()
        except OSError as error:
            raise PathError(f"{path} cannot be read") from error

    return ProjectView(
        paths=paths,
        languages=languages,
        texts=texts,
        statement_documents=np.array([document for document, _, _ in statements], dtype=np.uint32),
        statement_texts=np.array([numbers[text] for _, text, _ in statements], dtype=np.uint32),
        statement_lines=np.array([line for _, _, line in statements], dtype=np.uint32),
        read_bytes=read_bytes,
        documents_defining=lambda name: np.array(defining.get(name, ()), dtype=np.uint32),
    )


def _with_path_attributes(source: bytes, statements: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Add what the scan reports of Rust's `#[path = "x.rs"]`."""
    attributes = [
        (match[1].decode(), source.count(b"\n", 0, match.start()) + 1)
        for match in re.finditer(rb"#\[(?:cfg_attr\([^)\n]*?)?(path\s*=\s*\"[^\"\n]+\")", source)
    ]
    return sorted([*statements, *attributes], key=lambda item: item[1])
