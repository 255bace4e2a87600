"""Strict values: every configuration checks its types, refuses unknown keys, and keeps absent fields absent in JSON."""

import dataclasses
import json
import math
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Self, Union, get_args, get_origin, get_type_hints

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["StrictConfig", "field_types", "load_json_object"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrictConfig:
    """Base of the frozen configurations: checks and converts the fields, reads and writes plain JSON values.

    A subclass adds fields of the types bool, int, float, str, Any, a StrEnum, another StrictConfig, a tuple of those, a
    mapping from str, or one of those or None, and overrides `_check` for rules between values.
    """

    # Which fields the JSON object had; they are written again even where they equal the default.
    _given: frozenset[str] = dataclasses.field(default=frozenset(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, kind in field_types(type(self)).items():
            object.__setattr__(self, name, _convert(getattr(self, name), kind, name))
        self._check()

    def _check(self) -> None:
        """Raise InputError where values contradict each other; types are right by now."""

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Build one from the plain values of a JSON object; an unknown key is an InputError."""
        if not isinstance(values, Mapping):
            raise InputError(f"{cls.__name__} is {_kind_of(values)}: it must be an object")
        allowed = field_types(cls)
        for key in values:
            if key not in allowed:
                near = get_close_matches(str(key), allowed, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"allowed are {', '.join(allowed)}"
                raise InputError(f"{cls.__name__} has the unknown key {key!r}: {hint}")
        try:
            config = cls(**values)
        except TypeError as error:
            raise InputError(f"{cls.__name__} is incomplete: {error}") from None
        object.__setattr__(config, "_given", frozenset(values))
        return config

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values of the fields that were given or differ from their default."""
        written: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            if field.name == "_given":
                continue
            value = getattr(self, field.name)
            makes = field.default_factory
            default = field.default if makes is dataclasses.MISSING else makes()
            if field.name in self._given or value != default:
                written[field.name] = _plain(value)
        return written

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Build one from JSON text; repeated keys, NaN and infinities are InputErrors."""
        return cls.from_dict(load_json_object(text, cls.__name__))

    def to_json(self) -> str:
        """Return the JSON text of `to_dict`, keys in the order of the fields."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)


def load_json_object(text: str | bytes, what: str) -> dict[str, Any]:
    """Parse one JSON object strictly; `what` names it in the InputError."""

    def refuse_constant(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON number")

    def refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        if repeated := [key for key in keys if keys.count(key) > 1]:
            raise ValueError(f"the key {repeated[0]!r} appears twice")
        return dict(pairs)

    try:
        value = json.loads(text, parse_constant=refuse_constant, object_pairs_hook=refuse_repeats)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{what} is not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"{what} is {_kind_of(value)}: it must be an object")
    return value


_known_field_types: dict[type, dict[str, Any]] = {}


def field_types(cls: type[StrictConfig]) -> dict[str, Any]:
    """Return the annotated types of the fields that JSON may have, in their order."""
    if cls not in _known_field_types:
        hints = get_type_hints(cls)
        names = [field.name for field in dataclasses.fields(cls) if field.name != "_given"]
        _known_field_types[cls] = {name: hints[name] for name in names}
    return _known_field_types[cls]


def _convert(value: Any, kind: Any, name: str) -> Any:
    """Return `value` as the annotated type, or raise an InputError that names the field."""
    if kind is Any:
        return value
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return None if value is None else _convert(value, next(a for a in arguments if a is not NoneType), name)
    if origin is tuple:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            raise InputError(f"{name} is {value!r}: it must be a list")
        return tuple(_convert(item, arguments[0], f"{name}[{position}]") for position, item in enumerate(value))
    if origin is Mapping:
        if not isinstance(value, Mapping) or any(not isinstance(key, str) for key in value):
            raise InputError(f"{name} is {value!r}: it must be an object with text as keys")
        return {key: _convert(item, arguments[1], f"{name}[{key!r}]") for key, item in value.items()}
    if issubclass(kind, StrictConfig):
        return value if isinstance(value, kind) else _convert_nested(value, kind, name)
    if issubclass(kind, StrEnum):
        return _convert_choice(value, kind, name)
    return _convert_scalar(value, kind, name)


def _convert_nested(value: Any, kind: type[StrictConfig], name: str) -> StrictConfig:
    if not isinstance(value, Mapping):
        raise InputError(f"{name} is {value!r}: it must be an object")
    try:
        return kind.from_dict(value)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _convert_choice(value: Any, kind: type[StrEnum], name: str) -> StrEnum:
    try:
        return kind(value)
    except ValueError:
        raise InputError(f"{name} is {value!r}: it must be one of {', '.join(kind)}") from None


def _convert_scalar(value: Any, kind: type, name: str) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
        raise InputError(f"{name} is {value!r}: it must be {words.get(kind, kind.__name__)}")
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{name} is {value!r}: it must be a finite number")
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, StrictConfig):
        return value.to_dict()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _kind_of(value: Any) -> str:
    return "null" if value is None else f"of type {type(value).__name__}"
