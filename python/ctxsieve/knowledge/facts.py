"""One fact, its checks and its text form `K:category:key = "value"`."""

import json
import math
import re

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["CONVENTIONS", "Fact", "format_fact", "normalise_directory", "parse_fact"]

# The category whose facts apply to a directory and what lies below it.
CONVENTIONS = "conventions"

MAX_NAME_CHARACTERS = 200
MAX_VALUE_CHARACTERS = 65_536

_TEXT_FORM = re.compile(r"(?:K:)?(?P<category>[^:=]+):(?P<key>[^=]+?)\s*=\s*(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fact:
    """What one agent holds to be true about a project.

    `category:key` names the fact. `directory` (POSIX, relative, "" for the root) and `language` say where it
    applies; `agent`, `session`, `source` and `recorded_at` (seconds since the epoch) say where it comes from;
    `project` is the name of the project it was learned in; `confidence` lies in 0 to 1.
    """

    category: str
    key: str
    value: str
    agent: str = "user"
    source: str = ""
    confidence: float = 1.0
    directory: str = ""
    language: str = ""
    project: str = ""
    session: str = ""
    recorded_at: float = 0.0

    def __post_init__(self) -> None:
        _check_name("category", self.category, forbidden=":=")
        _check_name("key", self.key, forbidden="=")
        _check_name("agent", self.agent, forbidden="")
        if not self.value.strip():
            raise InputError(f"value of fact {self.name} is empty: give one, or remove the fact")
        if len(self.value) > MAX_VALUE_CHARACTERS:
            raise InputError(
                f"value of fact {self.name} has {len(self.value)} characters: at most {MAX_VALUE_CHARACTERS} are kept"
            )
        for label in ("value", "source", "language", "project", "session"):
            _check_unicode(label, getattr(self, label))
        if not 0.0 <= self.confidence <= 1.0:
            raise InputError(f"confidence of fact {self.name} is {self.confidence}: it must be between 0 and 1")
        if not math.isfinite(self.recorded_at):
            raise InputError(f"recorded_at of fact {self.name} is {self.recorded_at}: it must be a finite time")
        if normalise_directory(self.directory) != self.directory:
            raise InputError(
                f"directory of fact {self.name} is {self.directory!r}: "
                f"write it as {normalise_directory(self.directory)!r}"
            )

    @property
    def name(self) -> str:
        """`category:key`."""
        return f"{self.category}:{self.key}"


def format_fact(fact: Fact) -> str:
    """The one-line text form; `parse_fact` reads it back."""
    return f"K:{fact.category}:{fact.key} = {json.dumps(fact.value, ensure_ascii=False)}"


def parse_fact(text: str) -> tuple[str, str, str]:
    """Category, key and value of a text form.

    The leading `K:` may be missing; the value is a JSON string or bare text up to the end.

    Raises:
        InputError: the text has another form.
    """
    match = _TEXT_FORM.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{text.strip()[:80]!r} is no fact: write category:key = value")
    value = match["value"].strip()
    if len(value) >= 2 and value[0] == value[-1] == '"':
        try:
            value = json.loads(value, strict=False)
        except ValueError:
            # Bare text that happens to begin and end with quotation marks.
            value = match["value"].strip()
    return match["category"].strip(), match["key"].strip(), value


def parse_fact_name(text: str) -> tuple[str, str]:
    """Category and key of a fact's name, `category:key`; the leading `K:` may be missing.

    Raises:
        InputError: the text has another form.
    """
    category, separator, key = text.removeprefix("K:").partition(":")
    if not separator or not category or not key:
        raise InputError(f"{text[:80]!r} is no fact's name: write category:key")
    return category, key


def normalise_directory(directory: str) -> str:
    """The directory relative to the root in POSIX form, without `.` and empty components; "" is the root.

    Raises:
        InputError: it is absolute or leaves the root.
    """
    _check_unicode("directory", directory)
    if directory.startswith("/") or re.match(r"[A-Za-z]:[\\/]", directory):
        raise InputError(f"directory {directory[:80]!r} is absolute: give it relative to the project root")
    parts = [part for part in directory.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise InputError(f"directory {directory[:80]!r} contains '..': give it relative to the project root")
    return "/".join(parts)


def _check_name(label: str, name: str, *, forbidden: str) -> None:
    _check_unicode(label, name)
    if not name or name != name.strip() or len(name) > MAX_NAME_CHARACTERS:
        raise InputError(
            f"{label} is {name[:80]!r}: it needs 1 to {MAX_NAME_CHARACTERS} characters without outer white space"
        )
    if any(character in forbidden or not character.isprintable() for character in name):
        allowed = f", without {' and '.join(forbidden)}" if forbidden else ""
        raise InputError(f"{label} is {name!r}: it must be printable{allowed}")


def _check_unicode(label: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{label} is {text[:80]!r}: it is not valid Unicode") from error
