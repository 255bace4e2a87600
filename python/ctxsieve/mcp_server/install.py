"""Writing the configuration of a client, shown before and reversible after."""

import difflib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from ctxsieve.errors import InputError, PathError
from ctxsieve.mcp_server import json_text, toml_text
from ctxsieve.values import dataclass

__all__ = ["Client", "ConfigurationChange", "Scope", "apply_change", "plan_install", "plan_uninstall"]

NAME = "ctxsieve"
_BACKUP_SUFFIX = ".before-ctxsieve"


class Client(StrEnum):
    """A program that starts servers."""

    CLAUDE = "claude"
    CURSOR = "cursor"
    VSCODE = "vscode"
    CODEX = "codex"


class Scope(StrEnum):
    """For which work a server is configured."""

    PROJECT = "project"
    USER = "user"


@dataclass(frozen=True, slots=True)
class ConfigurationChange:
    """What would be written.

    Attributes:
        file: the client's configuration.
        before: its text, None where it does not exist.
        after: the new text, None where the file goes.
        keeps_backup: whether `before` is kept beside it, in the place of a backup that is there.
        drops_backup: whether a backup has served its purpose.
    """

    file: Path
    before: str | None
    after: str | None
    keeps_backup: bool = False
    drops_backup: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether anything changes."""
        return self.before != self.after

    @property
    def difference(self) -> str:
        """The change as a unified diff."""
        before, after = (self.before or "").splitlines(keepends=True), (self.after or "").splitlines(keepends=True)
        lines = difflib.unified_diff(before, after, str(self.file), str(self.file))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class _Format:
    container: str
    parse: Callable[[str], Any]
    set: Callable[[str, str, str, dict[str, Any]], str]
    remove: Callable[[str, str, str], str]


_JSON = _Format("mcpServers", json_text.parse_json_text, json_text.set_entry, json_text.remove_entry)
_FORMATS: Mapping[Client, _Format] = {
    Client.CLAUDE: _JSON,
    Client.CURSOR: _JSON,
    Client.VSCODE: _Format("servers", json_text.parse_json_text, json_text.set_entry, json_text.remove_entry),
    Client.CODEX: _Format("mcp_servers", toml_text.parse_toml_text, toml_text.set_entry, toml_text.remove_entry),
}
# Where a client puts the folder that is open into a project's configuration; the others start servers in it.
_PROJECT_FOLDER = {Client.CURSOR: "${workspaceFolder}", Client.VSCODE: "${workspaceFolder}"}


def plan_install(
    client: Client, scope: Scope, *, root: Path, home: Path, environment: Mapping[str, str]
) -> ConfigurationChange:
    """Return what makes a client start the server.

    Raises:
        InputError: the file there cannot be understood; it stays as it is.
        PathError: it cannot be read.
    """
    form = _FORMATS[client]
    file = _file_of(client, scope, root=root, home=home, environment=environment)
    before = _read(file)
    value = _entry(client, scope)
    known = _parsed(form, before, file)
    after = _checked(file, lambda: form.set(before or "", form.container, NAME, value))
    servers = known.get(form.container) or {}
    _verify(form, after, {**known, form.container: {**servers, NAME: value}}, file)
    # A file that has the entry from here was backed up when it got it; another entry of that name is somebody's own.
    is_others = NAME in servers and servers[NAME] != value and not _backup_of(file).exists()
    keeps_backup = before is not None and (NAME not in servers or is_others)
    return ConfigurationChange(file, before, after, keeps_backup=keeps_backup)


def plan_uninstall(
    client: Client, scope: Scope, *, root: Path, home: Path, environment: Mapping[str, str]
) -> ConfigurationChange:
    """Return what takes the server out again: the file as it was, where nothing else changed since."""
    form = _FORMATS[client]
    file = _file_of(client, scope, root=root, home=home, environment=environment)
    before = _read(file)
    known = _parsed(form, before, file)
    servers = known.get(form.container) or {}
    if before is None or NAME not in servers:
        return ConfigurationChange(file, before, before)
    after = _checked(file, lambda: form.remove(before, form.container, NAME))
    left = {**known, form.container: {name: item for name, item in servers.items() if name != NAME}}
    _verify(form, after, left, file)
    backup = _read(_backup_of(file))
    if backup is None:
        return ConfigurationChange(file, before, None if left == {form.container: {}} else after)
    kept = _parsed(form, backup, _backup_of(file))
    if _equal(form, form.parse(after), kept):
        after = backup
    # An entry of that name that somebody else wrote stands in the backup alone.
    return ConfigurationChange(file, before, after, drops_backup=NAME not in (kept.get(form.container) or {}))


def apply_change(change: ConfigurationChange) -> None:
    """Write the file, complete or not at all.

    Raises:
        PathError: it cannot be written, or it changed since the change was planned.
    """
    if _read(change.file) != change.before:
        raise PathError(f"{change.file} changed meanwhile: run the command again")
    # A link is what people who keep their settings in one place have: its target is written.
    target = Path(os.path.realpath(change.file))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if change.keeps_backup:
            shutil.copy2(target, _backup_of(change.file))
        if change.after is None:
            target.unlink()
        else:
            _replace(target, change.after)
        if change.drops_backup:
            _backup_of(change.file).unlink(missing_ok=True)
    except OSError as error:
        raise PathError(f"{change.file} cannot be written ({error.strerror}): nothing was changed") from error


def _entry(client: Client, scope: Scope) -> dict[str, Any]:
    arguments = ["mcp"]
    if scope is Scope.PROJECT and client in _PROJECT_FOLDER:
        arguments += ["--path", _PROJECT_FOLDER[client]]
    command = shutil.which(NAME)
    if command is None:
        command, arguments = sys.executable, ["-m", NAME, *arguments]
    elif scope is Scope.PROJECT:
        # Others who share the project have it elsewhere.
        command = NAME
    kind = {"type": "stdio"} if client in (Client.CLAUDE, Client.VSCODE) else {}
    return {**kind, "command": command, "args": arguments}


def _file_of(client: Client, scope: Scope, *, root: Path, home: Path, environment: Mapping[str, str]) -> Path:
    if scope is Scope.PROJECT:
        names = {
            Client.CLAUDE: ".mcp.json",
            Client.CURSOR: ".cursor/mcp.json",
            Client.VSCODE: ".vscode/mcp.json",
            Client.CODEX: ".codex/config.toml",
        }
        return root / names[client]
    if client is Client.CODEX:
        return Path(environment.get("CODEX_HOME") or home / ".codex") / "config.toml"
    if client is Client.VSCODE:
        return _vscode_folder(home, environment) / "User" / "mcp.json"
    return home / (".claude.json" if client is Client.CLAUDE else ".cursor/mcp.json")


def _vscode_folder(home: Path, environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Code"
    if sys.platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming") / "Code"
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "Code"


def _read(file: Path) -> str | None:
    try:
        # A pipe or a device might never end.
        if stat.S_ISREG(file.stat().st_mode):
            return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text: edit it by hand") from None
    except OSError as error:
        raise PathError(f"{file} cannot be read ({error.strerror}): check the path") from error
    raise PathError(f"{file} is no regular file: edit the client's configuration by hand")


def _parsed(form: _Format, text: str | None, file: Path) -> dict[str, Any]:
    if text is None or not text.strip("\ufeff \t\r\n"):
        return {}
    value = _checked(file, lambda: form.parse(text))
    if not isinstance(value, dict) or not isinstance(value.get(form.container, {}), dict):
        raise InputError(f"{file}: {form.container} is no object there: edit it by hand")
    return value


def _checked(file: Path, act: Callable[[], Any]) -> Any:
    try:
        return act()
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _verify(form: _Format, text: str, expected: Mapping[str, Any], file: Path) -> None:
    """Refuse a text that says anything else than what was wanted."""
    if not _equal(form, form.parse(text), expected):
        raise InputError(f"{file} is written in a way that cannot be changed safely: edit it by hand")


def _equal(form: _Format, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether two configurations are the same; an empty list of servers is none."""
    return {**one, form.container: one.get(form.container) or {}} == {
        **other,
        form.container: other.get(form.container) or {},
    }


def _backup_of(file: Path) -> Path:
    return file.with_name(file.name + _BACKUP_SUFFIX)


def _replace(target: Path, text: str) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    descriptor, partial = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(partial, 0o644 if mode is None else mode)
        os.replace(partial, target)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
