"""Lock files: which packages at which versions."""

import re
from collections.abc import Iterator

from ctxsieve.compress.prose.entries import Entry
from ctxsieve.compress.source import SourceFile
from ctxsieve.fragments import LineRange

__all__ = ["find_details", "outline_lockfile"]

# Each form binds `name` and `version` in one line, or a name in one line and its version in one of the next.
_ONE_LINE = (
    re.compile(r"^(?P<name>[\w./~-]+) v(?P<version>\d[\w.+-]*)(?:/go\.mod)? h1:"),
    re.compile(r"^ {2}'?/?(?P<name>(?:@[\w.-]+/)?[\w.-]+)@(?P<version>\d[\w.+-]*)"),
    re.compile(r"^ {4}(?P<name>[\w.-]+) \((?P<version>\d[\w.+-]*)\)$"),
    re.compile(r"^(?P<name>[\w.-]+:[\w.-]+):(?P<version>\d[\w.+-]*)="),
)
_NAME = (
    re.compile(r'^name = "(?P<name>[^"]+)"'),
    re.compile(r'^\s*"(?:.*node_modules/)?(?P<name>(?:@[\w.-]+/)?[\w.-]+)": \{$'),
    re.compile(r'^"?(?P<name>(?:@[\w.-]+/)?[\w.-]+)@[^:]+:$'),
    re.compile(r"^ {2}(?P<name>[\w.-]+):$"),
    re.compile(r'^\s*"name": "(?P<name>[^"]+)",?$'),
)
_VERSION = re.compile(r'^\s*"?version"?\s*[:=]?\s*"?[=v]*(?P<version>\d[\w.+-]*)"?,?$')
_NEAR_LINES = 4


def outline_lockfile(source: SourceFile) -> list[Entry]:
    """Return the number of packages, and each with its version and line."""
    packages = dict.fromkeys(_packages(source.lines))
    rows = [Entry(1, f"{name} {version}", LineRange(line, line)) for name, version, line in packages]
    return [Entry(0, f"{len(rows)} packages"), *rows] if rows else []


def _packages(lines: list[str]) -> Iterator[tuple[str, str, int]]:
    name, named_at = "", -_NEAR_LINES - 1
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r")
        if whole := next((found for form in _ONE_LINE if (found := form.match(line))), None):
            if not line.partition(" h1:")[0].endswith("/go.mod"):
                yield whole["name"], whole["version"], number
        elif (version := _VERSION.match(line)) and name and number - named_at <= _NEAR_LINES:
            yield name, version["version"], named_at
            name = ""
        elif found := next((found for form in _NAME if (found := form.match(line))), None):
            name, named_at = found["name"], number


def find_details(source: SourceFile) -> list[LineRange]:
    """Return what is neither a package's name nor its version: hashes, addresses and dependencies of packages."""
    kept = {1}
    for _, _, line in _packages(source.lines):
        kept.add(line)
        kept |= {
            n for n in range(line, line + _NEAR_LINES + 1) if _VERSION.match((*source.lines, "", "", "", "", "")[n - 1])
        }
    return [LineRange(n, n) for n in range(1, len(source.lines) + 1) if n not in kept]
