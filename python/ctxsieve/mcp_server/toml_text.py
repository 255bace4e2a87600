"""Changing one table in TOML that people wrote: everything else stays as it is."""

import json
import re
import tomllib
from typing import Any

from ctxsieve.errors import InputError

__all__ = ["parse_toml_text", "remove_entry", "set_entry"]

_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


def parse_toml_text(text: str) -> dict[str, Any]:
    """Return the value of a text.

    Raises:
        InputError: it is no TOML.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"the file is no TOML ({error}): correct it, or edit it by hand") from None


def set_entry(text: str, container: str, key: str, value: dict[str, Any]) -> str:
    """Return the text with a table `container.key`, which replaces one of that name."""
    newline = "\r\n" if "\r\n" in text else "\n"
    rest = remove_entry(text, container, key).rstrip()
    lines = [f"[{container}.{key}]", *(f"{name} = {_written(item)}" for name, item in value.items())]
    block = newline.join(lines) + newline
    return f"{rest}{newline}{newline}{block}" if rest.strip("\ufeff") else block


def remove_entry(text: str, container: str, key: str) -> str:
    """Return the text without the table `container.key` and its subtables; as it is where there is none.

    Raises:
        InputError: it is there in another form than a table of its own.
    """
    before = parse_toml_text(text)
    if key not in before.get(container, {}):
        return text
    name = (
        rf"[ \t]*\[[ \t]*{re.escape(container)}[ \t]*\.[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*(?:\.[^\]\n]*)?\][^\n]*"
    )
    header = re.compile(rf"^{name}$", re.MULTILINE)
    shorter = text
    while (match := header.search(shorter)) is not None:
        following = _TABLE.search(shorter, match.end())
        shorter = shorter[: match.start()] + (shorter[following.start() :] if following else "")
    expected = {**before, container: {name: item for name, item in before[container].items() if name != key}}
    found = parse_toml_text(shorter)
    if {**found, container: found.get(container, {})} != expected:
        raise InputError(f"{container}.{key} is no table of its own in this file: remove it by hand")
    return shorter


def _written(value: Any) -> str:
    """Return a string or a list of strings; JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
