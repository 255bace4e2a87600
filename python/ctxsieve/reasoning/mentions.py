"""One mention of something in a text, and the characters that mentions have taken."""

from collections.abc import Mapping

from ctxsieve.values import dataclass

__all__ = ["FILE", "ISSUE", "PULL_REQUEST", "URL", "Mask", "Reference"]

URL = "url"
PULL_REQUEST = "pull_request"
ISSUE = "issue"
FILE = "file"


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that a text names.

    Attributes:
        ref_type: `url`, `pull_request`, `issue`, `file`, or the name of a custom pattern.
        text: The characters `start` to `end` (code points, end excluded) of the text.
        key: What it is, normalised: two mentions of one thing have one key.
        values: What argument templates may use: `url`, `host`, `owner`, `repo`, `number`, `path`, `first_line`,
            `last_line`, `id` and the named groups of a custom pattern, as far as the mention says.
    """

    ref_type: str
    text: str
    start: int
    end: int
    key: str
    values: Mapping[str, str | int]


class Mask:
    """Which characters are taken; a mention claims all of its characters or is not made."""

    def __init__(self, text: str) -> None:
        self._taken = bytearray(len(text))

    def is_free(self, start: int, end: int) -> bool:
        """Return whether no character of the span is taken."""
        return self._taken.find(1, start, end) < 0

    def claim(self, start: int, end: int) -> None:
        """Take every character of the span."""
        self._taken[start:end] = b"\1" * (end - start)
