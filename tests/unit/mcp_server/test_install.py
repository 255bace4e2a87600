import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.errors import CtxsieveError, InputError, PathError
from ctxsieve.mcp_server import json_text, toml_text
from ctxsieve.mcp_server.install import Client, ConfigurationChange, Scope, apply_change, plan_install, plan_uninstall

ENTRY = {"command": "ctxsieve", "args": ["mcp"]}
KEYS = st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
SERVERS = st.dictionaries(KEYS.filter(lambda key: key != "ctxsieve"), VALUES, max_size=3)
COMMENTED = """\
// kept
{
    /* first */ "a": [1, 2, ], // one
    "servers": {
        // about other
        "other": {"command": "x"}, // same line
    },
    "b": "// no comment {" /* last */
}
// end
"""
HAND_WRITTEN = """\
# kept
model = "m"  # one

[mcp_servers.other]
command = "x"
text = \"\"\"
[mcp_servers.no_table]
\"\"\"

[profiles.p]
a = 1
"""


@st.composite
def json_texts(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A file's value, spelled in one of many ways."""
    value: dict[str, Any] = draw(st.dictionaries(KEYS.filter(lambda key: key != "servers"), VALUES, max_size=3))
    if draw(st.booleans()):
        value["servers"] = draw(SERVERS)
    value = dict(draw(st.permutations(list(value.items()))))
    text = json.dumps(value, indent=draw(st.sampled_from([None, 1, 2, 4, "\t"])), ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    comment = draw(st.sampled_from(["", "// c\n", "/* c */"]))
    return comment + text + draw(st.sampled_from(["", "\n", "\n// end", " /* end\n */ "])), value


@given(json_texts())
def test_json_entry_comes_and_goes_without_a_trace(given: tuple[str, dict[str, Any]]) -> None:
    text, value = given
    assert json_text.parse_json_text(text) == value
    changed = json_text.set_entry(text, "servers", "ctxsieve", ENTRY)
    assert json_text.parse_json_text(changed) == {**value, "servers": {**value.get("servers", {}), "ctxsieve": ENTRY}}
    assert json_text.set_entry(changed, "servers", "ctxsieve", ENTRY) == changed
    other = json_text.set_entry(changed, "servers", "ctxsieve", {"a": []})
    assert json_text.parse_json_text(other)["servers"]["ctxsieve"] == {"a": []}
    back = json_text.remove_entry(changed, "servers", "ctxsieve")
    assert json_text.parse_json_text(back) == {**value, "servers": value.get("servers", {})}
    assert json_text.remove_entry(back, "servers", "ctxsieve") == back


@given(st.text(max_size=60) | st.text('{}[]",:/*\\ \n1a', max_size=30))
def test_no_text_breaks_the_json_editor(text: str) -> None:
    try:
        changed = json_text.set_entry(text, "servers", "ctxsieve", ENTRY)
    except InputError:
        return
    assert json_text.parse_json_text(changed)["servers"]["ctxsieve"] == ENTRY


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(InputError):
        json_text.parse_json_text("[" * 100_000)


def test_comments_of_others_stay_where_they_are() -> None:
    changed = json_text.set_entry(COMMENTED, "servers", "ctxsieve", {"command": "c"})
    assert changed == COMMENTED.replace(
        '"x"}, // same line\n', '"x"}, // same line\n        "ctxsieve": {\n            "command": "c"\n        }\n'
    )
    assert json_text.parse_json_text(changed)["servers"] == {"other": {"command": "x"}, "ctxsieve": {"command": "c"}}
    assert json_text.parse_json_text(json_text.remove_entry(changed, "servers", "ctxsieve")) == (
        json_text.parse_json_text(COMMENTED)
    )


def test_toml_keeps_everything_else() -> None:
    changed = toml_text.set_entry(HAND_WRITTEN, "mcp_servers", "ctxsieve", ENTRY)
    assert changed == HAND_WRITTEN + '\n[mcp_servers.ctxsieve]\ncommand = "ctxsieve"\nargs = ["mcp"]\n'
    assert toml_text.set_entry(changed, "mcp_servers", "ctxsieve", ENTRY) == changed
    assert toml_text.remove_entry(changed, "mcp_servers", "ctxsieve").rstrip() == HAND_WRITTEN.rstrip()


def test_toml_table_in_the_middle_goes_with_its_subtables() -> None:
    text = (
        '[a]\nb = 1\n[ mcp_servers . "ctxsieve" ] # x\ncommand = "c"\n[mcp_servers.ctxsieve.env]\nX = "1"\n[z]\nb = 2\n'
    )
    assert toml_text.remove_entry(text, "mcp_servers", "ctxsieve") == "[a]\nb = 1\n[z]\nb = 2\n"


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = {ctxsieve = {command = "c"}}\n',
        '[mcp_servers]\nctxsieve = {command = "c"}\n',
        'mcp_servers.ctxsieve.command = "c"\n',
        "= 1",
    ],
)
def test_toml_in_another_form_is_left_to_people(text: str) -> None:
    with pytest.raises(InputError, match="by hand"):
        toml_text.remove_entry(text, "mcp_servers", "ctxsieve")


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("client", Client)
@pytest.mark.parametrize("has_file", [False, True])
def test_installing_is_reversible(tmp_path: Path, client: Client, scope: Scope, has_file: bool) -> None:
    places: dict[str, Any] = {"root": tmp_path / "root", "home": tmp_path / "home", "environment": {}}
    file = plan_install(client, scope, **places).file
    assert file.is_relative_to(places["root" if scope is Scope.PROJECT else "home"])
    original = HAND_WRITTEN if client is Client.CODEX else COMMENTED.replace("servers", "mcpServers")
    if has_file:
        file.parent.mkdir(parents=True)
        file.write_text(original)
        file.chmod(0o600)
    change = plan_install(client, scope, **places)
    assert "+" in change.difference
    assert file.exists() == has_file
    apply_change(change)
    assert "ctxsieve" in file.read_text()
    if has_file:
        assert file.stat().st_mode & 0o777 == 0o600
    assert not plan_install(client, scope, **places).is_needed
    apply_change(plan_uninstall(client, scope, **places))
    assert (file.read_text() if file.exists() else None) == (original if has_file else None)
    assert [path.name for path in file.parent.iterdir()] == ([file.name] if has_file else [])
    assert not plan_uninstall(client, scope, **places).is_needed


def test_later_changes_of_the_user_survive_uninstalling(tmp_path: Path) -> None:
    places: dict[str, Any] = {"root": tmp_path, "home": tmp_path, "environment": {}}
    file = tmp_path / ".mcp.json"
    file.write_text('{"mcpServers": {"one": {"command": "1"}}}')
    apply_change(plan_install(Client.CLAUDE, Scope.PROJECT, **places))
    text = file.read_text()
    file.write_text(json_text.set_entry(text, "mcpServers", "two", {"command": "2"}))
    apply_change(plan_uninstall(Client.CLAUDE, Scope.PROJECT, **places))
    assert json.loads(file.read_text()) == {"mcpServers": {"one": {"command": "1"}, "two": {"command": "2"}}}


def test_linked_file_stays_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    (tmp_path / ".mcp.json").symlink_to(kept)
    places: dict[str, Any] = {"root": tmp_path, "home": tmp_path, "environment": {}}
    apply_change(plan_install(Client.CLAUDE, Scope.PROJECT, **places))
    assert (tmp_path / ".mcp.json").is_symlink()
    assert "ctxsieve" in json.loads(kept.read_text())["mcpServers"]


@pytest.mark.parametrize("text", ["[]", '{"mcpServers": []}', '{"mcpServers": ', "\x00", '{"a": 1} {'])
def test_file_that_is_not_understood_is_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / ".mcp.json").write_text(text)
    with pytest.raises(CtxsieveError, match=r"\.mcp\.json"):
        plan_install(Client.CLAUDE, Scope.PROJECT, root=tmp_path, home=tmp_path, environment={})
    assert (tmp_path / ".mcp.json").read_text() == text


def test_file_that_changed_meanwhile_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / ".mcp.json"
    change = ConfigurationChange(file, None, "{}")
    file.write_text("{ }")
    with pytest.raises(PathError, match="changed meanwhile"):
        apply_change(change)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PathError, match="nothing was changed"):
        apply_change(plan_install(Client.CURSOR, Scope.PROJECT, root=tmp_path, home=tmp_path, environment={}))


def test_an_entry_of_that_name_by_somebody_else_is_kept_in_a_backup(tmp_path: Path) -> None:
    file, own = tmp_path / ".mcp.json", '{"mcpServers": {"ctxsieve": {"command": "mine"}}}'
    file.write_text(own)
    backup = tmp_path / ".mcp.json.before-ctxsieve"

    def plan(act: Any) -> ConfigurationChange:
        change = act(Client.CLAUDE, Scope.PROJECT, root=tmp_path, home=tmp_path, environment={})
        assert isinstance(change, ConfigurationChange)
        return change

    apply_change(plan(plan_install))
    assert backup.read_text() == own
    apply_change(plan(plan_uninstall))
    assert json.loads(file.read_text()) == {"mcpServers": {}}
    assert backup.read_text() == own


def test_a_link_to_nowhere_leads_nowhere_again_after_the_uninstall(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").symlink_to(tmp_path / "kept" / "target.json")
    for plan in (plan_install, plan_uninstall):
        apply_change(plan(Client.CLAUDE, Scope.PROJECT, root=tmp_path, home=tmp_path, environment={}))
        assert (tmp_path / "kept" / "target.json").exists() == (plan is plan_install)
    assert (tmp_path / ".mcp.json").is_symlink()


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".mcp.json")
    with pytest.raises(PathError, match="is no regular file"):
        plan_install(Client.CLAUDE, Scope.PROJECT, root=tmp_path, home=tmp_path, environment={})


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 20_000])
def test_toml_that_its_parser_gives_up_on_is_refused(value: str) -> None:
    with pytest.raises(InputError, match="the file is no TOML"):
        toml_text.parse_toml_text(f"a = {value}")
