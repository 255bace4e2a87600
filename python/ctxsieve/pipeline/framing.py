"""How files are told apart in an answer: fences that the text inside them cannot forge."""

import re
from collections.abc import Sequence
from enum import StrEnum

from ctxsieve.chunking import BRIDGE
from ctxsieve.fragments import one_line
from ctxsieve.patterns import lazy_pattern

__all__ = ["Style", "frame", "frame_anchor", "join_framed", "one_line"]

_LEADING_EQUALS = lazy_pattern(r"^=+", re.MULTILINE)
# XML 1.0 has no spelling for these.
_FORBIDDEN_IN_XML = lazy_pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_BACKTICKS = lazy_pattern(r"`+")
_LEADING_BACKTICKS = lazy_pattern(r"^\s*(`+)", re.MULTILINE)


class Style(StrEnum):
    """The spelling of an answer's text."""

    TEXT = "text"
    MARKDOWN = "markdown"
    XML = "xml"


def frame(style: Style, *, path: str, mode: str, language: str | None, content: str) -> str:
    """Return the content with a header that names its path and mode.

    Repository text is data: the fence is longer than anything at the start of a line inside it, or escaped.
    """
    body = content if content.endswith("\n") or not content else content + "\n"
    path = one_line(path)
    if style is Style.TEXT:
        runs = _LEADING_EQUALS.findall(body) if body.startswith("=") or "\n=" in body else ()
        longest = max(map(len, runs), default=0)
        return f"{'=' * max(3, longest + 1)} {path} ({mode})\n{body}"
    if style is Style.MARKDOWN:
        longest = max((len(run) for run in _LEADING_BACKTICKS.findall(body)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"## {path} ({mode})\n\n{fence}{language or ''}\n{body}{fence}\n"
    from html import escape

    escaped = _FORBIDDEN_IN_XML.sub(_REPLACEMENT, body).replace("]]>", "]]]]><![CDATA[>")
    return f'<file path="{escape(path)}" mode="{escape(mode)}"><![CDATA[\n{escaped}]]></file>\n'


def frame_anchor(style: Style, *, path: str, language: str | None, content: str) -> str:
    """Return the anchor so that it is no part of the file before it; its lines are comments."""
    if style is Style.TEXT:
        return f"{BRIDGE}{content}"
    if style is Style.MARKDOWN:
        fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(content)), default=0))
        return f"\n{BRIDGE}\n{fence}{language or ''}\n{content}{fence}\n"
    from html import escape

    escaped = _FORBIDDEN_IN_XML.sub(_REPLACEMENT, content).replace("]]>", "]]]]><![CDATA[>")
    return f'<anchor path="{escape(one_line(path))}"><![CDATA[\n{escaped}]]></anchor>\n'


def join_framed(style: Style, blocks: Sequence[str], *, notice: str = "", ending: str = "") -> str:
    """Return framed files as one text, between a notice and what is framed already; XML has one root element."""
    if style is not Style.XML:
        return notice + ("\n" if style is Style.MARKDOWN else "").join(blocks) + ending
    from html import escape

    said = f"<notice>{escape(notice.strip())}</notice>\n" if notice else ""
    return f"<files>\n{said}{''.join(blocks)}{ending}</files>\n"
