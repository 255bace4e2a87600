"""How files are told apart in an answer: fences that the text inside them cannot forge."""

import re
from enum import StrEnum

from ctxsieve.fragments import one_line

__all__ = ["Style", "frame", "one_line", "separator"]

_LEADING_EQUALS = re.compile(r"^=+", re.MULTILINE)
_LEADING_BACKTICKS = re.compile(r"^\s*(`+)", re.MULTILINE)


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
        longest = max((len(run) for run in _LEADING_EQUALS.findall(body)), default=0)
        return f"{'=' * max(3, longest + 1)} {path} ({mode})\n{body}"
    if style is Style.MARKDOWN:
        longest = max((len(run) for run in _LEADING_BACKTICKS.findall(body)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"## {path} ({mode})\n\n{fence}{language or ''}\n{body}{fence}\n"
    from html import escape

    escaped = body.replace("]]>", "]]]]><![CDATA[>")
    return f'<file path="{escape(path)}" mode="{escape(mode)}"><![CDATA[\n{escaped}]]></file>\n'


def separator(style: Style) -> str:
    """Return what stands between two framed files."""
    return "\n" if style is Style.MARKDOWN else ""
