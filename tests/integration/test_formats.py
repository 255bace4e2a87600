"""Every command with --format answers in all formats: JSON parses, XML has one root, Markdown is no JSON."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer.main

from ctxsieve.cli.app import app
from ctxsieve.cli.entry import run_command_line

AUTH = Path(__file__).parents[1] / "fixtures" / "auth_example"
TASK = "fix authentication bug"
FORMATS = ("text", "json", "markdown", "xml")

# Arguments that make each command answer. `{root}` is the project, `{home}` a folder with the files made below.
COMMANDS = {
    "preload": [TASK, "--budget", "900"],
    "read": ["{file}", "{other}"],
    "rank": [TASK],
    "overview": [],
    "communities": [],
    "intent": [TASK],
    "graph build": [],
    "graph stats": [],
    "graph neighbors": ["{file}"],
    "graph impact": ["{file}"],
    "graph path": ["{file}", "{other}"],
    "graph cycles": [],
    "benchmark run": ["{root}"],
    "terse": ["{home}/output.txt"],
    "ledger show": [],
    "ledger pressure": [],
    "ledger plan": [],
    "ledger apply": [],
    "ledger deficits": [TASK],
    "ledger evict": ["{file}"],
    "ledger reset": [],
    "handoff export": ["{home}/new.json"],
    "handoff import": ["{home}/handoff.json", "--consumer", "other"],
    "handoff show": ["{home}/handoff.json"],
    "knowledge add": ["decision:db = sqlite"],
    "knowledge search": ["sqlite"],
    "knowledge inherit": [TASK],
    "knowledge list": [],
    "knowledge history": ["decision:cache"],
    "knowledge conflicts": [],
    "knowledge export": [],
    "knowledge import": ["{home}/facts.json"],
    "knowledge remove": ["decision:cache"],
    "smells": [],
    "stats": [],
    "doctor": [],
    "config show": [],
    "tools filter": ["{home}/tools.json"],
    "tools explain": ["{home}/tools.json"],
    "tools lint": ["{home}/tools.json"],
    "tools pin": ["{home}/tools.json"],
    "hydrate": ["see {file}"],
    "conventions": [],
}


Answer = Callable[[str, list[str]], tuple[int, bytes]]


def commands_with_format() -> list[str]:
    found = []

    def look(name: str, command: object) -> None:
        for inner, below in getattr(command, "commands", {}).items():
            look(f"{name} {inner}".strip(), below)
        options = {text for parameter in getattr(command, "params", []) for text in parameter.opts}
        # The graph's own formats are those of other tools.
        if "--format" in options and name != "graph export":
            found.append(name)

    look("", typer.main.get_command(app))
    return found


def test_table_has_every_command() -> None:
    assert sorted(commands_with_format()) == sorted(COMMANDS)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a history of its own, and the files that commands read."""
    place = tmp_path_factory.mktemp("formats")
    shutil.copytree(AUTH, place / "tree")
    (place / "tree" / "AGENTS.md").write_text("# Rules\n\n- Never log <secrets> & \x0c keys\n")
    (place / "tree" / "odd ]]> name.ts").write_text("export const odd = '<a> ]]> & \x0c'; // authentication\n")
    (place / "output.txt").write_text("ok ```\n" * 40 + "error: <bad> & worse\n")
    (place / "tools.json").write_text(json.dumps([{"name": "a<b", "description": "Reads & writes", "inputSchema": {}}]))
    return place


def name_of(request: pytest.FixtureRequest) -> str:
    return str(getattr(request.node, "callspec", None) and request.node.callspec.params["name"])


@pytest.fixture
def answer(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    request: pytest.FixtureRequest,
) -> Answer:
    monkeypatch.setenv("CTXSIEVE_CACHE_DIR", str(home / "cache"))
    monkeypatch.setenv("CTXSIEVE_STATE_DIR", str(home / "state"))
    monkeypatch.setenv("CTXSIEVE_CONSUMER", "reader")

    def call(name: str, arguments: list[str]) -> tuple[int, bytes]:
        names = {"home": home, "root": home / "tree", "file": "src/auth.ts", "other": "odd ]]> name.ts"}
        command = [*name.split(), *(argument.format(**names) for argument in arguments)]
        if "{root}" not in arguments and not name.startswith(("tools", "terse", "handoff show")):
            command += ["--path", str(home / "tree")]
        capfdbinary.readouterr()
        code = run_command_line(command)
        return code, capfdbinary.readouterr().out

    if not (home / "handoff.json").exists():
        call("knowledge add", ["decision:cache = a <b> & c"])
        call("read", ["{file}"])
        call("handoff export", ["{home}/handoff.json"])
        (home / "facts.json").write_bytes(call("knowledge export", ["--format", "json"])[1])
    elif name_of(request).startswith("ledger"):
        call("read", ["{file}"])
    elif name_of(request).startswith("knowledge"):
        call("knowledge add", ["decision:cache = a <b> & c"])
    return call


@pytest.mark.parametrize("output", FORMATS)
@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_answer_is_spelled_as_asked(answer: Answer, name: str, output: str) -> None:
    code, printed = answer(name, [*COMMANDS[name], "--format", output])
    assert code == 0
    text = printed.decode("utf-8")
    if output == "json":
        json.loads(text)
    elif output == "xml":
        assert list(ElementTree.fromstring(text).iter())
    else:
        assert not text.startswith(("{", "<?xml", "[{"))


def test_preload_and_read_in_xml_hold_every_file(answer: Answer, home: Path) -> None:
    _, printed = answer("read", ["src/auth.ts", "{other}", "--mode", "full", "--format", "xml", "--consumer", "fresh"])
    root = ElementTree.fromstring(printed.decode())
    assert [file.get("path") for file in root.iter("file")] == ["src/auth.ts", "odd ]]> name.ts"]
    contents = [file.text for file in root.iter("file")]
    assert contents[1] == "\n" + (home / "tree" / "odd ]]> name.ts").read_text().replace("\x0c", "\ufffd")
    _, printed = answer("preload", [TASK, "--format", "xml"])
    assert "src/auth.ts" in [file.get("path") for file in ElementTree.fromstring(printed.decode()).iter("file")]
