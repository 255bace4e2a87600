import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.errors import InputError
from ctxsieve.knowledge import Fact, format_fact, normalise_directory, parse_fact

values = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80).filter(lambda text: text.strip())


def test_published_example() -> None:
    text = 'K:discovery:auth_bug = "null check missing in line 42"'
    assert parse_fact(text) == ("discovery", "auth_bug", "null check missing in line 42")
    assert format_fact(Fact(*parse_fact(text))) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("discovery:auth_bug=null check", ("discovery", "auth_bug", "null check")),
        ("K:a:b = x = y", ("a", "b", "x = y")),
        ("a:src/x.py:42 = seen", ("a", "src/x.py:42", "seen")),
        ('a:b = "open', ("a", "b", '"open')),
        ('a:b = "x" and "y"', ("a", "b", '"x" and "y"')),
        (r'a:b = "two\nlines"', ("a", "b", "two\nlines")),
    ],
)
def test_text_forms(text: str, expected: tuple[str, str, str]) -> None:
    assert parse_fact(text) == expected


@given(values)
def test_text_form_keeps_any_value_on_one_line(value: str) -> None:
    text = format_fact(Fact("category", "key", value))
    assert "\n" not in text
    assert parse_fact(text) == ("category", "key", value)


@pytest.mark.parametrize("text", ["", "K:", "no separator", "only:key", "= value", ":key = value", "category: = x"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Fact(*parse_fact(text))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"category": "a:b"}, "category is 'a:b': it must be printable, without : and ="),
        ({"key": " a"}, "key is ' a'"),
        ({"key": "a\nb"}, "key is"),
        ({"value": "  "}, "value of fact c:k is empty"),
        ({"value": "x" * 65_537}, "has 65537 characters"),
        ({"value": "\ud800"}, "not valid Unicode"),
        ({"confidence": 1.5}, "confidence of fact c:k is 1.5"),
        ({"confidence": float("nan")}, "confidence of fact c:k is nan"),
        ({"recorded_at": float("inf")}, "recorded_at"),
        ({"directory": "/etc"}, "is absolute"),
        ({"directory": "src/../.."}, "contains '..'"),
        ({"directory": "src/./x/"}, "write it as 'src/x'"),
    ],
)
def test_bad_fields_name_the_value(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Fact(**{"category": "c", "key": "k", "value": "v", **change})  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_directories_are_relative_posix_paths() -> None:
    assert normalise_directory("./src//web/.") == "src/web"
    assert normalise_directory(".") == ""
