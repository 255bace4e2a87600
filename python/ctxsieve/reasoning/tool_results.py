"""The text in what a tool gave back: plain text, bytes, or the result shapes of MCP, OpenAI and Anthropic."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["member_of", "read_result"]


def read_result(result: Any) -> tuple[str, bool]:
    """Return the text of a result and whether it says that the call failed.

    Bytes are UTF-8, a cut or invalid sequence becomes U+FFFD. Of content lists the text parts are joined by a newline;
    another kind of part leaves its type. Anything else is written as JSON.
    """
    if isinstance(result, str):
        return result, False
    if isinstance(result, (bytes, bytearray, memoryview)):
        return bytes(result).decode("utf-8", "replace"), False
    if result is None:
        return "", False
    content = member_of(result, "content")
    if content is not None:
        failed = any(member_of(result, name) is True for name in ("isError", "is_error"))
        parts = [content] if isinstance(content, str) or not isinstance(content, Sequence) else content
        return "\n".join(map(_read_part, parts)), failed
    return json.dumps(result, ensure_ascii=False, default=str), False


def _read_part(part: Any) -> str:
    if isinstance(part, str):
        return part
    text = member_of(part, "text")
    if isinstance(text, str):
        return text
    inner = member_of(part, "resource")
    if isinstance(text := member_of(inner, "text"), str):
        return text
    return f"[{member_of(part, 'type') or type(part).__name__}]"


def member_of(value: Any, name: str) -> Any:
    """Return an item of a mapping or an attribute of an object, None where there is none."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
