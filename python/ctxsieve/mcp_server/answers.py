"""What a tool answers, and how it goes over the wire.

An answer has one text for a model. The record, the same facts for a program, is sent where the caller asks for
`"format": "json"`, and then it is the text too: clients differ in whether a model is shown the text, the structured
content or both, so the two must never say different things, and repository text must not be sent twice.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, TextContent

from ctxsieve.values import dataclass, field

if TYPE_CHECKING:
    from ctxsieve.ledger import Delivery

__all__ = ["Answer", "error_result", "render_record", "render_rows", "to_result"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one call of a tool gives.

    Attributes:
        text: for a model.
        record: the same for a program.
        delivery: the ledger's record, to be confirmed when the client has the answer.
    """

    text: str
    record: Mapping[str, Any]
    delivery: "Delivery | None" = field(default=None)


def to_result(answer: Answer, *, is_json: bool) -> CallToolResult:
    """Return the answer as the protocol carries it."""
    if not is_json:
        return CallToolResult(content=[_text(answer.text)])
    record = json.loads(json.dumps(answer.record, ensure_ascii=False, default=str))
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[_text(text)], structured_content=_encodable(record))


def error_result(message: str) -> CallToolResult:
    """Return an error that the model sees and can correct."""
    return CallToolResult(content=[_text(message)], is_error=True)


def render_record(record: Mapping[str, Any]) -> str:
    """Return a line per field that says something."""
    shown = {key: _cell(value) for key, value in record.items()}
    return "".join(f"{key}: {value}\n" for key, value in shown.items() if value)


def render_rows(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a heading and a line per row, its cells separated by two spaces; "" without rows."""
    if not rows:
        return ""
    lines = ["  ".join(cell for value in row.values() if (cell := _cell(value))) for row in rows]
    return f"{title}:\n" + "".join(f"{line}\n" for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_cell(item) for item in value)
    return " ".join(str(value).splitlines()) if "\n" in str(value) else str(value)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=_encodable(text))


def _encodable(value: Any) -> Any:
    """Return the value with what UTF-8 cannot carry (undecodable bytes of files and names) escaped."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    return value
