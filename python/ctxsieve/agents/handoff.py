"""The package that carries one agent's session to another, as one canonical, hashed file (docs/agents.md).

The hash finds damage and careless edits. It is no signature: whoever can rewrite the file can hash it anew.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from enum import StrEnum
from types import UnionType
from typing import Any, get_args, get_origin

from ctxsieve.errors import InputError, PathError
from ctxsieve.intent import Scope, StructuredIntent, TaskType
from ctxsieve.jail import check_path
from ctxsieve.knowledge import Fact, facts_from_json, facts_to_json
from ctxsieve.values import dataclass

__all__ = [
    "HANDOFF_VERSION",
    "HandoffPackage",
    "LedgerSnapshot",
    "SnapshotEntry",
    "SnapshotFile",
    "decode_handoff",
    "encode_handoff",
]

HANDOFF_VERSION = 1
_FORMAT = "ctxsieve-handoff"


@dataclass(frozen=True, slots=True)
class SnapshotEntry:
    """One line of the sender's ledger: what it was sent, and whether it still held it."""

    path: str
    mode: str
    original_tokens: int
    sent_tokens: int
    content_hash: str
    recorded_at: float
    is_resident: bool


@dataclass(frozen=True, slots=True)
class LedgerSnapshot:
    """The sender's ledger: its window and everything it was sent, in order."""

    session: str
    consumer: str
    window_tokens: int
    emitted_tokens: int
    resident_tokens: int
    entries: tuple[SnapshotEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class SnapshotFile:
    """One file of the context: its block as it is handed over, and the hash of the file that it shows.

    `was_changed` says that the file differed from what the sender had been sent when the package was made.
    """

    path: str
    mode: str
    original_tokens: int
    content_hash: str
    text: str
    text_hash: str = ""
    was_changed: bool = False


@dataclass(frozen=True, slots=True)
class HandoffPackage:
    """All that the receiver starts with: what the task is, what was seen, what is known."""

    project: str
    created_at: float
    sender_role: str
    task: str
    note: str
    intent: StructuredIntent | None
    ledger: LedgerSnapshot
    files: tuple[SnapshotFile, ...] = ()
    facts: tuple[Fact, ...] = ()

    @property
    def text(self) -> str:
        """The context as one text."""
        return "".join(file.text for file in self.files)


def encode_handoff(package: HandoffPackage) -> str:
    """The package as canonical JSON: sorted keys, no spaces, ASCII; the same package gives the same bytes."""
    body = _body(package)
    return _canonical({**body, "sha256": _digest(body)}) + "\n"


def decode_handoff(text: str, *, name: str = "handoff package") -> HandoffPackage:
    """Read a package back.

    Raises:
        InputError: it is no package, of another version, or was changed after it was made.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not valid JSON ({error}): export it again") from error
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise InputError(f"{name} is no handoff package: give a file that `ctxsieve handoff export` wrote")
    if document.get("version") != HANDOFF_VERSION:
        raise InputError(
            f"{name} has version {document.get('version')!r}, this program reads {HANDOFF_VERSION}: "
            "export it with a matching ctxsieve"
        )
    stated = document.pop("sha256", None)
    actual = _digest(document)
    if stated != actual:
        raise InputError(
            f"{name} was changed after it was exported (sha256 {stated!r}, content has {actual!r}): export it again"
        )
    try:
        return _package(document)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def _body(package: HandoffPackage) -> dict[str, Any]:
    values = asdict(package)
    values["facts"] = facts_to_json(package.facts)
    return {"format": _FORMAT, "version": HANDOFF_VERSION, **values}


def _canonical(value: Mapping[str, Any]) -> str:
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except ValueError as error:
        raise InputError(f"handoff package holds a number that JSON has no form for ({error})") from error


def _digest(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical(body).encode()).hexdigest()


def _package(document: dict[str, Any]) -> HandoffPackage:
    del document["format"], document["version"]
    values = _checked(HandoffPackage, document)
    values["ledger"] = _ledger(values["ledger"])
    values["files"] = tuple(SnapshotFile(**_with_path(_checked(SnapshotFile, item))) for item in values["files"])
    values["facts"] = tuple(facts_from_json(values["facts"]))
    values["intent"] = None if values["intent"] is None else _intent(values["intent"])
    return HandoffPackage(**values)


def _ledger(document: object) -> LedgerSnapshot:
    values = _checked(LedgerSnapshot, document)
    if values["window_tokens"] < 1:
        raise InputError(f"window_tokens is {values['window_tokens']}: it must be 1 or more")
    values["entries"] = tuple(SnapshotEntry(**_checked(SnapshotEntry, item)) for item in values["entries"])
    return LedgerSnapshot(**values)


def _intent(document: object) -> StructuredIntent:
    values = _checked(StructuredIntent, document)
    try:
        values["task_type"] = TaskType(values["task_type"])
        values["scope"] = Scope(values["scope"])
    except ValueError as error:
        raise InputError(f"intent is unknown ({error})") from error
    for name in ("targets", "keywords"):
        if not all(isinstance(item, str) for item in values[name]):
            raise InputError(f"{name} of the intent is {values[name]!r}: it must be a list of texts")
        values[name] = tuple(values[name])
    values["parts"] = tuple(_intent(part) for part in values["parts"])
    return StructuredIntent(**values)


def _with_path(values: dict[str, Any]) -> dict[str, Any]:
    try:
        return {**values, "path": check_path(values["path"])}
    except PathError as error:
        raise InputError(str(error)) from error


def _checked(kind: type[Any], document: object) -> dict[str, Any]:
    """The fields of a dataclass from JSON: all of them, no others, each of its type."""
    if not isinstance(document, dict):
        raise InputError(f"{kind.__name__} is {type(document).__name__}: it must be an object")
    names = {field.name: field.type for field in fields(kind)}
    if wrong := sorted(set(names) ^ set(document)):
        raise InputError(f"{kind.__name__} has missing or unknown fields: {', '.join(map(str, wrong))}")
    for name, annotation in names.items():
        value = document[name]
        allowed = _json_types(annotation)
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            raise InputError(f"{name} of {kind.__name__} is {str(value)[:60]!r}: it has the wrong type")
        if isinstance(value, str) and not _is_unicode(value):
            raise InputError(f"{name} of {kind.__name__} is not valid Unicode")
    return dict(document)


def _json_types(annotation: Any) -> tuple[type, ...]:
    """What JSON may hold for a field; a whole number serves as a float."""
    if isinstance(annotation, UnionType):
        return tuple(kind for part in get_args(annotation) for kind in _json_types(part))
    if get_origin(annotation) is tuple:
        return (list,)
    if annotation is float:
        return (int, float)
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return (str,)
    return (dict,) if is_dataclass(annotation) else (annotation,)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
