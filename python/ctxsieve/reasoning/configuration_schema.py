"""JSON Schemas of the configurations, for editors and for servers that check before they call."""

import dataclasses
from collections.abc import Mapping
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from ctxsieve.reasoning.configuration import StrictConfig, field_types

__all__ = ["json_schema_of"]

_SCALARS: Mapping[Any, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    Any: {},
}


def json_schema_of(config: type[StrictConfig]) -> dict[str, Any]:
    """Return the schema (draft 2020-12) of what `config.from_dict` reads, ranges of numbers apart."""
    types = field_types(config)
    required = [
        field.name
        for field in dataclasses.fields(config)
        if field.name in types and field.default is field.default_factory is dataclasses.MISSING
    ]
    schema = {
        "title": config.__name__,
        "type": "object",
        "properties": {name: _schema_of_type(kind) for name, kind in types.items()},
        "additionalProperties": False,
    }
    return {**schema, "required": required} if required else schema


def _schema_of_type(kind: Any) -> dict[str, Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        inner = next(argument for argument in arguments if argument is not NoneType)
        return {"anyOf": [_schema_of_type(inner), {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": _schema_of_type(arguments[0])}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema_of_type(arguments[1])}
    if kind in _SCALARS:
        return dict(_SCALARS[kind])
    if issubclass(kind, StrEnum):
        return {"enum": [str(choice) for choice in kind]}
    return json_schema_of(kind)
