"""What a project says about itself in one sentence."""

import json
import re
import tomllib
from pathlib import Path

from ctxsieve.errors import PathError
from ctxsieve.fragments import one_line
from ctxsieve.graph import Index
from ctxsieve.jail import read_inside

__all__ = ["describe_project"]

_README = re.compile(r"readme(?:\.(?:md|markdown|rst|txt|adoc|org))?\Z", re.IGNORECASE)
_READ_BYTES = 64 * 1024
_LONGEST = 240
# Headings, badges, tables, HTML, comments, directives, lists and code are no sentences about the project.
_NO_PROSE = re.compile(r"\s*(?:#|=|[!<>|{}`~-]|\[!|\[?\[|\.\.|\*\s|\+\s|:\w+:|\d+\.\s|https?://)")
_UNDERLINE = re.compile(r"\s*([=\-~^*#\"'`.:+_])\1{2,}\s*\Z")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_RST_LINK = re.compile(r"`([^`<]+?)\s*<[^>`]*>`_+|`([^`]+)`_+")
_MARKUP = re.compile(r"<[^>]*>|[*`]+|(?<!\w)_+|_+(?!\w)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\W])")
_FEWEST_LETTERS = 20


def describe_project(index: Index) -> str:
    """Return the first sentence of the README's first paragraph, else the description of a manifest, else nothing."""
    readmes = sorted(
        (path for path in index.paths if "/" not in path and _README.match(path)), key=lambda path: (len(path), path)
    )
    readmes.sort(key=lambda path: not path.lower().endswith((".md", ".rst", ".markdown")))
    for path in readmes:
        sentence = _first_sentence(_read(index.root, path))
        if sentence:
            return sentence
    return _manifest_description(index)


def _read(root: Path, path: str) -> str:
    try:
        return read_inside(root, path)[:_READ_BYTES].decode("utf-8", "replace")
    except PathError:
        return ""


def _first_sentence(text: str) -> str:
    for paragraph in _paragraphs(text):
        plain = _plain(paragraph)
        if sum(letter.isalpha() for letter in plain) >= _FEWEST_LETTERS:
            return _shortened(_SENTENCE_END.split(plain)[0])
    return ""


def _paragraphs(text: str) -> list[str]:
    found: list[list[str]] = [[]]
    lines = text.splitlines()
    in_code = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            in_code = not in_code
        following = lines[number + 1] if number + 1 < len(lines) else ""
        is_heading = _UNDERLINE.match(following) is not None and bool(line.strip())
        if in_code or not line.strip() or is_heading or _NO_PROSE.match(line) or _UNDERLINE.match(line):
            found.append([])
        else:
            found[-1].append(line.strip())
    return [" ".join(part) for part in found if part]


def _plain(text: str) -> str:
    text = _LINK.sub(r"\1", text)
    text = _RST_LINK.sub(lambda match: match[1] or match[2], text)
    return " ".join(_MARKUP.sub("", text).split())


def _shortened(text: str) -> str:
    text = one_line(text)
    if len(text) <= _LONGEST:
        return text
    return text[:_LONGEST].rsplit(" ", 1)[0] + " ..."


def _manifest_description(index: Index) -> str:
    for path, tables in (("pyproject.toml", ("project", "tool.poetry")), ("Cargo.toml", ("package",))):
        if index.document(path) is None:
            continue
        try:
            manifest = tomllib.loads(_read(index.root, path))
        except (ValueError, RecursionError):
            continue
        for name in tables:
            table: object = manifest
            for part in name.split("."):
                table = table.get(part) if isinstance(table, dict) else None
            if isinstance(table, dict) and isinstance(table.get("description"), str):
                return _shortened(_plain(table["description"]))
    return _package_description(index)


def _package_description(index: Index) -> str:
    if index.document("package.json") is None:
        return ""
    try:
        manifest = json.loads(_read(index.root, "package.json"))
    except (ValueError, RecursionError):
        return ""
    description = manifest.get("description") if isinstance(manifest, dict) else None
    return _shortened(_plain(description)) if isinstance(description, str) else ""
