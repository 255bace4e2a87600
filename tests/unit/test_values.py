"""The project's `dataclass` against the standard library's: same values, same methods, same errors."""

import copy
import dataclasses
import inspect
import pickle
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve import values

NUMBERS = st.integers(-2, 2)


def _point(dataclass: Any, **options: Any) -> Any:
    @dataclass(**options)
    class Point:
        """A point with everything that a field can have."""

        x: int
        y: int = 1
        tags: list[int] = dataclasses.field(default_factory=list)
        note: str = dataclasses.field(default="", compare=False)
        hidden: int = dataclasses.field(default=7, repr=False)
        derived: int = dataclasses.field(default=3, init=False)

        def __post_init__(self) -> None:
            if self.x > 100:
                raise ValueError(f"x is {self.x}: it must be at most 100")

    return Point


OPTIONS = [
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "slots": True, "eq": False},
    {"frozen": True},
    {"slots": True},
    {},
]


@dataclasses.dataclass(frozen=True)
class Base:
    """What another value is derived from."""

    name: str = "base"


@values.dataclass(frozen=True, slots=True)
class Derived(Base):
    """A value with a field more than its base."""

    size: int = 0


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(x=NUMBERS, y=NUMBERS, other=NUMBERS, note=st.text(max_size=2))
def test_a_class_answers_like_one_of_the_standard_library(
    options: dict[str, bool], x: int, y: int, other: int, note: str
) -> None:
    ours, theirs = CLASSES[str(options)]
    answers = []
    for made in (ours, theirs):
        one = made(x=x, y=y, note=note)
        two = made(x=other, y=y, tags=[], hidden=7)
        answer: list[Any] = [repr(one), one == two, one != two, one == (x, y), dataclasses.asdict(one)]
        answer += [dataclasses.astuple(dataclasses.replace(one, y=5)), dataclasses.astuple(copy.copy(one))]
        if options.get("order"):
            answer += [one < two, one <= two, one > two, one >= two, sorted([one, two]) == [one, two]]
        answers.append(answer)
    assert answers[0] == answers[1]


CLASSES = {
    str(options): (_point(values.dataclass, **options), _point(dataclasses.dataclass, **options)) for options in OPTIONS
}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_class_looks_like_one_of_the_standard_library(options: dict[str, bool]) -> None:
    ours, theirs = CLASSES[str(options)]
    described = [
        (
            [(f.name, f.type, f.default, f.init, f.repr, f.compare, f.kw_only) for f in dataclasses.fields(made)],
            str(made.__dataclass_params__),
            get_type_hints(made.__init__),
            [(p.name, p.kind) for p in inspect.signature(made).parameters.values()],
            made.__match_args__,
            made.__doc__,
            made.__qualname__,
            getattr(made, "__slots__", None),
            made.__hash__ is None,
        )
        for made in (ours, theirs)
    ]
    assert described[0] == described[1]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("given_arguments", [{}, {"x": 1, "z": 2}, {"x": 101}], ids=str)
def test_what_cannot_be_made_is_refused_alike(options: dict[str, bool], given_arguments: dict[str, int]) -> None:
    errors = []
    for made in CLASSES[str(options)]:
        with pytest.raises((TypeError, ValueError)) as caught:
            made(**given_arguments)
        errors.append((caught.type, str(caught.value)))
    assert errors[0] == errors[1]


def test_frozen_values_refuse_changes_alike() -> None:
    errors = []
    for made in CLASSES[str(OPTIONS[0])]:
        value = made(1)
        for change in (lambda value=value: setattr(value, "x", 2), lambda value=value: delattr(value, "x")):
            with pytest.raises(dataclasses.FrozenInstanceError) as caught:
                change()
            errors.append(str(caught.value))
    assert errors[:2] == errors[2:]


def test_values_without_lists_can_be_keys() -> None:
    @values.dataclass(frozen=True, slots=True)
    class Key:
        name: str

    assert {Key("a"): 1}[Key("a")] == 1
    assert len({Key("a"), Key("a"), Key("b")}) == 2


def test_methods_of_the_class_stay() -> None:
    @values.dataclass(frozen=True, slots=True)
    class Named:
        name: str

        def __repr__(self) -> str:
            return self.name

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Named) and self.name.lower() == other.name.lower()

        def __hash__(self) -> int:
            return hash(self.name.lower())

    assert repr(Named("a")) == "a"
    assert {Named("a"), Named("A")} == {Named("A")}


def test_fields_are_inherited_and_pickled() -> None:
    value = Derived("other", size=2)
    assert [entry.name for entry in dataclasses.fields(value)] == ["name", "size"]
    assert pickle.loads(pickle.dumps(value)) == value
    assert value != Base("other")


def test_a_value_that_holds_itself_has_a_representation() -> None:
    @values.dataclass(slots=True)
    class Node:
        inside: list[Any]

    node = Node([])
    node.inside.append(node)
    assert "..." in repr(node)


def test_the_constructor_is_compiled_when_it_is_first_asked_for() -> None:
    @values.dataclass()
    class Parent:
        """A value."""

        size: int

    @values.dataclass()
    class Child(Parent):
        """A value with a constructor of its own that calls its parent's."""

        name: str

        def __init__(self, name: str) -> None:
            super().__init__(len(name))
            self.name = name

    assert not inspect.isfunction(Parent.__dict__["__init__"])
    assert Child("four") == Child("four")
    assert Child("four").size == 4
    assert inspect.isfunction(Parent.__dict__["__init__"])
    assert str(inspect.signature(Parent)) == "(size: int) -> None"
