"""The words of a text: identifiers, and words of other scripts, which tasks put between identifiers without spaces."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain

import numpy as np
import numpy.typing as npt

__all__ = ["WordPlaces", "find_words"]

_WORD_OR_NEWLINE = re.compile(r"[A-Za-z_\u00c0-\u024f][A-Za-z0-9_\u00c0-\u024f]*|[^\W\d_\x00-\u024f]+|\n")


class WordPlaces(Mapping[str, Sequence[int]]):
    """By word the lines (from 0, ascending) on which it stands, once for every time; words in the order of the text.

    Whoever looks for a few of the words needs no table of all of them.

    Attributes:
        text: the words, each but the last ended by a newline.
        ends: by word the end of its lines in `places` (uint32).
        places: the lines of all words, one word behind the other (uint32).
    """

    __slots__ = ("__dict__", "ends", "places", "text")

    def __init__(self, text: str, ends: npt.NDArray[np.uint32], places: npt.NDArray[np.uint32]) -> None:
        self.text = text
        self.ends = ends
        self.places = places

    @cached_property
    def words(self) -> list[str]:
        """The words, each once."""
        return self.text.split("\n") if self.text else []

    def lines_of(self, number: int) -> list[int]:
        """Return the lines of a word by its number in `words`."""
        start = int(self.ends[number - 1]) if number else 0
        lines: list[int] = self.places[start : self.ends[number]].tolist()
        return lines

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def __getitem__(self, word: str) -> list[int]:
        return self.lines_of(self._numbers[word])

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.ends)


def find_words(lines: Sequence[str]) -> WordPlaces:
    """Return the words of the lines with their places."""
    found: dict[str, list[int]] = {}
    line = 0
    for word in _WORD_OR_NEWLINE.findall("\n".join(lines)):
        if word == "\n":
            line += 1
        elif word in found:
            found[word].append(line)
        else:
            found[word] = [line]
    return WordPlaces(
        "\n".join(found),
        np.fromiter(accumulate(map(len, found.values())), dtype=np.uint32, count=len(found)),
        np.fromiter(chain.from_iterable(found.values()), dtype=np.uint32),
    )
