import re

import pytest

from ctxsieve.patterns import lazy_pattern


def test_a_lazy_pattern_answers_like_a_compiled_one() -> None:
    lazy, compiled = lazy_pattern(r"(\w)\d", re.IGNORECASE), re.compile(r"(\w)\d", re.IGNORECASE)
    text = "a1 B2 c"
    assert lazy.findall(text) == compiled.findall(text) == ["a", "B"]
    assert lazy.sub(r"\1", text) == compiled.sub(r"\1", text)
    assert lazy.findall(text, 2) == compiled.findall(text, 2)
    assert (lazy.pattern, lazy.flags, lazy.groups) == (compiled.pattern, compiled.flags, compiled.groups)


def test_a_lazy_pattern_is_compiled_when_it_is_used() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("x")
