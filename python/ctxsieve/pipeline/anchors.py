"""The end of an answer: the top chunk's name and last lines again, where models read well (docs/assembly.md)."""

from ctxsieve.chunking import TopChunk
from ctxsieve.compress import SourceFile
from ctxsieve.pipeline.framing import Style, frame_anchor, one_line
from ctxsieve.tokens import count_tokens

__all__ = ["anchor_limit", "anchor_rows", "write_anchor"]

# Three lines are repeated where they cost at most half of what an anchor may cost, otherwise two.
_LINES = ((3, 2), (2, 1))
# An anchor may cost an eightieth of the answer: 20 tokens are usual, and every one is missing elsewhere.
_SHARE = 80
_CLOSERS = frozenset({"end", "fi", "done", "esac", "else", "else:", "} else {", "endif", "#endif", "pass"})


def anchor_limit(budget_tokens: int) -> int:
    """Return what the anchor of an answer may cost."""
    return budget_tokens // _SHARE


def write_anchor(source: SourceFile, chunk: TopChunk, style: Style, *, limit_tokens: int) -> str:
    """Return the framed anchor, or "" where its lines would cost more than the limit."""
    rows = anchor_rows(source, chunk, limit_tokens=limit_tokens)
    language = source.language.name if source.language else None
    return frame_anchor(style, path=source.path, language=language, content=rows) if rows else ""


def anchor_rows(source: SourceFile, chunk: TopChunk, *, limit_tokens: int) -> str:
    """Return the chunk's name and its last lines as comments, or "" where that would cost more than the limit."""
    rows = [line.strip() for line in source.lines[chunk.span.first - 1 : chunk.span.last]]
    lines = [row for row in rows if _says_something(row)]
    if not lines:
        return ""
    name = chunk.name or f"{source.path}:{chunk.span.first}-{chunk.span.last}"
    for count, share in _LINES:
        rows = [f"anchor: {one_line(name)}", *lines[-count:]]
        text = "".join(f"{_as_comment(source, row)}\n" for row in rows)
        if count_tokens(text) * share <= limit_tokens:
            return text
    return ""


def _says_something(row: str) -> bool:
    """Say whether there is more on a line than what closes something."""
    return any(character.isalnum() for character in row) and row not in _CLOSERS


def _as_comment(source: SourceFile, text: str) -> str:
    """Return the text as a comment; where there are none, indented, so that it cannot pass for a header."""
    comment = text if source.language is None else source.language.comment(text)
    return f"  {text}" if comment == text else comment
