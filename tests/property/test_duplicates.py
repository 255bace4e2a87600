import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.smells.duplicates import find_copies


def digests(lines: list[int]) -> np.ndarray:
    return np.array(lines, dtype=np.uint64)


FILES = st.lists(st.lists(st.integers(0, 5), max_size=30), max_size=4)


@settings(max_examples=300, deadline=None)
@given(files=FILES, minimum=st.integers(2, 5))
def test_copies_are_equal_apart_and_inside_one_file(files: list[list[int]], minimum: int) -> None:
    joined = [line for file in files for line in file]
    ends = np.cumsum([len(file) for file in files])
    for copies in find_copies([digests(file) for file in files], minimum):
        assert copies.length >= minimum
        assert len(copies.starts) >= 2
        texts = {tuple(joined[start : start + copies.length]) for start in copies.starts}
        assert len(texts) == 1
        for start, following in zip(copies.starts, copies.starts[1:], strict=False):
            assert start + copies.length <= following
        for start in copies.starts:
            last = start + copies.length - 1
            assert np.searchsorted(ends, start, side="right") == np.searchsorted(ends, last, side="right")


@settings(max_examples=100, deadline=None)
@given(
    length=st.integers(4, 20),
    before=st.integers(0, 5),
    between=st.integers(1, 5),
    minimum=st.integers(2, 4),
    in_one_file=st.booleans(),
)
def test_planted_copy_is_found_whole(length: int, before: int, between: int, minimum: int, in_one_file: bool) -> None:
    fresh = iter(range(1000, 2000))
    block = list(range(length))
    first = [next(fresh) for _ in range(before)] + block + [next(fresh)]
    second = [next(fresh) for _ in range(between)] + block
    files = [first + second] if in_one_file else [first, second]
    (found,) = find_copies([digests(file) for file in files], minimum)
    assert found.length == length
    assert found.starts == (before, len(first) + between)


def test_tables_of_equal_rows_are_no_copies() -> None:
    assert find_copies([digests([7] * 40), digests([7] * 40)], 5) == []
