"""A `dataclass` whose classes are made in a fifth of the time.

The standard library compiles six or seven functions for every class, which for the classes behind one answer takes
about as long as the answer. Here only `__init__` is compiled, and that when it is first asked for, since an answer
makes values of half of the classes; the other methods are closures over the names of the fields. What comes out is a
dataclass to all who look: `fields`, `replace` and `asdict` take it, and type checkers see the standard library's own
decorator.
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, field, replace
from operator import attrgetter, ge, gt, le, lt
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen=False, slots=False, eq=True, order=False, kw_only=False):
        """Return the decorator that `dataclasses.dataclass` gives for these of its options."""

        def make(cls):
            return _make(cls, frozen=frozen, slots=slots, eq=eq, order=order, kw_only=kw_only)

        return make


def _make(cls: type, *, frozen: bool, slots: bool, eq: bool, order: bool, kw_only: bool) -> type:
    # A class with a comparison of its own has no hash until one is made for it.
    own = {name for name, value in cls.__dict__.items() if (name, value) != ("__hash__", None)}
    # With nothing to compile the standard library only collects and checks the fields.
    if not cls.__doc__:
        # It would be made of the signature of `__init__`.
        cls.__doc__ = cls.__name__
    made: Any = dataclasses.dataclass(
        cls, init=False, repr=False, eq=False, kw_only=kw_only, frozen=_has_frozen_base(cls)
    )
    fields = dataclasses.fields(made)
    compared = _getter([entry.name for entry in fields if entry.compare])
    methods: dict[str, Any] = {
        "__init__": _LazyInit(made, fields, frozen=frozen),
        "__repr__": _representation([entry.name for entry in fields if entry.repr]),
    }
    if eq:
        methods |= {"__eq__": _equality(compared), "__hash__": _hash(compared) if frozen else None}
    if order:
        methods |= {f"__{compare.__name__}__": _ordering(compared, compare) for compare in (lt, le, gt, ge)}
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    parameters = made.__dataclass_params__
    parameters.init = parameters.repr = True
    parameters.eq, parameters.order, parameters.frozen = eq, order, frozen
    return _with_slots(made, [entry.name for entry in fields], frozen=frozen) if slots else made


def _has_frozen_base(cls: type) -> bool:
    return any(base.__dataclass_params__.frozen for base in cls.__mro__[1:] if dataclasses.is_dataclass(base))  # type: ignore[attr-defined]


class _LazyInit:
    """The `__init__` of a class, which compiles the function that takes its place when it is first asked for."""

    def __init__(self, cls: type, fields: Sequence[Field[Any]], *, frozen: bool) -> None:
        self._cls: Any = cls
        self._fields = fields
        self._frozen = frozen

    def __set_name__(self, cls: type, name: str) -> None:
        # A class with slots is made anew.
        self._cls = cls

    def __get__(self, instance: object, owner: type) -> Any:
        init = _init(self._cls, self._fields, frozen=self._frozen)
        self._cls.__init__ = init
        return init if instance is None else init.__get__(instance)


def _init(cls: type, fields: Sequence[Field[Any]], *, frozen: bool) -> Callable[..., None]:
    """Return the compiled `__init__`; in its signature keyword-only fields follow the others."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    positional, body = ["_self"], list[str]()
    keyword_only = list[str]()
    for entry in fields:
        name = entry.name
        parameter = value = name
        if entry.default is not MISSING:
            names[f"_default_{name}"] = entry.default
            parameter = f"{name}=_default_{name}"
            value = name if entry.init else f"_default_{name}"
        elif entry.default_factory is not MISSING:
            names[f"_make_{name}"] = entry.default_factory
            parameter = f"{name}=_missing"
            value = f"_make_{name}() if {name} is _missing else {name}" if entry.init else f"_make_{name}()"
        elif not entry.init:
            continue
        if entry.init:
            (keyword_only if entry.kw_only else positional).append(parameter)
        body.append(f"_set(_self, {name!r}, {value})" if frozen else f"_self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("_self.__post_init__()")
    signature = ", ".join([*positional, *(["*", *keyword_only] if keyword_only else [])])
    exec(f"def __init__({signature}):\n " + "\n ".join(body or ["pass"]), names)  # noqa: S102
    init: Any = names["__init__"]
    init.__annotations__ = {entry.name: entry.type for entry in fields if entry.init} | {"return": None}
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return init  # type: ignore[no-any-return]


def _getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that gives the values of these attributes as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _representation(names: Sequence[str]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:  # noqa: N807
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    return recursive_repr()(__repr__)


def _equality(compared: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(compared: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(compared(self))

    return __hash__


def _ordering(
    compared: Callable[[Any], tuple[Any, ...]], compare: Callable[[Any, Any], bool]
) -> Callable[[Any, object], bool]:
    def method(self: Any, other: object) -> bool:
        return compare(compared(self), compared(other)) if other.__class__ is self.__class__ else NotImplemented

    return method


def _refuse_to_set(self: Any, name: str, value: object) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _with_slots(cls: type, names: Sequence[str], *, frozen: bool) -> type:
    """Return the class made anew: slots cannot be added to one that stands."""
    inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
    namespace = {name: value for name, value in cls.__dict__.items() if name not in {*names, "__dict__", "__weakref__"}}
    namespace["__slots__"] = tuple(name for name in names if name not in inherited)
    if frozen:
        # Copies and pickles cannot be filled by assignment.
        namespace.setdefault("__getstate__", _get_state)
        namespace.setdefault("__setstate__", _set_state)
    made: Any = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made  # type: ignore[no-any-return]


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, entry.name) for entry in dataclasses.fields(self)]


def _set_state(self: Any, state: Sequence[Any]) -> None:
    for entry, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, entry.name, value)
