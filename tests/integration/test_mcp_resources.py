import json
from pathlib import Path

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError

from integration.mcp_client import MODES, call, refusal, stdio_client_of


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src" / "main.py").write_text("from src import util\n\n\ndef main():\n    return util.double(2)\n")
    (tree / "src" / "util.py").write_text("def double(value):\n    return 2 * value\n")
    (tree / "src" / "a b#ä%.txt").write_text("odd name\n")
    (tree / "binary.bin").write_bytes(b"\0\1\2")
    (tree / ".env").write_text("PASSWORD=secret\n")
    return tree


async def content(client: Client, uri: str) -> str:
    (found,) = (await client.read_resource(uri)).contents
    assert isinstance(found, types.TextResourceContents)
    return found.text


@pytest.mark.parametrize("mode", MODES)
def test_resources_are_listed_and_read(tmp_path: Path, tree: Path, mode: str) -> None:
    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree, mode=mode) as client:
            listed = {resource.uri for resource in (await client.list_resources()).resources}
            assert listed == {"ctxsieve://ledger", "ctxsieve://knowledge"}
            (template,) = (await client.list_resource_templates()).resource_templates
            assert template.uri_template == "ctxsieve://file/{+path}"
            assert await content(client, "ctxsieve://file/src/util.py") == (tree / "src" / "util.py").read_text()
            assert await content(client, "ctxsieve://file/src/a%20b%23%C3%A4%25.txt") == "odd name\n"
            await call(client, "ctx_read", paths=["src/util.py"])
            await call(client, "ctx_knowledge", action="add", text="discovery:x = y")
            window = json.loads(await content(client, "ctxsieve://ledger"))
            assert [entry["path"] for entry in window["entries"]] == ["src/util.py"]
            assert json.loads(await content(client, "ctxsieve://knowledge"))["facts"][0]["value"] == "y"

    anyio.run(run)


def test_a_file_that_is_not_its_text_says_so(tmp_path: Path, tree: Path) -> None:
    (tree / "old.py").write_bytes(b"# coding: cp1251\n\xe9\n")

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree) as client:
            (found,) = (await client.read_resource("ctxsieve://file/old.py")).contents
            assert isinstance(found, types.TextResourceContents)
            assert found.text == "# coding: cp1251\nй\n"
            assert found.meta == {
                "ctxsieve/encoding": "cp1251",
                "ctxsieve/note": "decoded from cp1251, as line 1 says",
            }
            (plain,) = (await client.read_resource("ctxsieve://file/src/util.py")).contents
            assert plain.meta is None

    anyio.run(run)


NO_RESOURCES = (
    ("ctxsieve://file/.env", "secrets file"),
    ("ctxsieve://file/../outside", "leaves the root"),
    ("ctxsieve://file/%2e%2e/outside", "leaves the root"),
    ("ctxsieve://file//etc/passwd", "is absolute"),
    ("ctxsieve://file/%00", "control character"),
    ("ctxsieve://file/%ff", "no UTF-8"),
    ("ctxsieve://file/src/util.py?x=1", "query"),
    ("ctxsieve://file/binary.bin", "is binary"),
    ("ctxsieve://file/src", "is a directory"),
    ("ctxsieve://file/", "is empty"),
    ("ctxsieve://other", "is unknown"),
    ("file:///etc/passwd", "is unknown"),
)


def test_what_is_no_resource_is_refused(tmp_path: Path, tree: Path) -> None:
    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree) as client:
            for uri, message in NO_RESOURCES:
                with pytest.raises(MCPError, match=message):
                    await client.read_resource(uri)

    anyio.run(run)


@pytest.mark.parametrize("mode", MODES)
def test_prompts_come_with_their_context(tmp_path: Path, tree: Path, mode: str) -> None:
    async def prompt(client: Client, name: str, **arguments: str) -> str:
        (message,) = (await client.get_prompt(name, arguments)).messages
        assert isinstance(message.content, types.TextContent)
        return message.content.text

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree, mode=mode) as client:
            listed = {entry.name: entry for entry in (await client.list_prompts()).prompts}
            assert set(listed) == {"work_on", "fix_bug", "review", "explain", "continue_from"}
            assert all(argument.required for entry in listed.values() for argument in entry.arguments or ())
            await call(client, "ctx_knowledge", action="add", text="discovery:double = doubles numbers, not texts")
            text = await prompt(client, "fix_bug", report="double in src/util.py is wrong for texts")
            assert "return 2 * value" in text
            assert "doubles numbers, not texts" in text
            assert "return 2 * value" in await prompt(client, "work_on", task="change double")
            review = await prompt(client, "review", path="src/util.py")
            assert "return 2 * value" in review
            assert "src/main.py" in review
            assert "util" in await prompt(client, "explain", topic="how double is used")
            package = (await call(client, "ctx_handoff", action="export", task="go on")).split()[1]
            assert "go on" in await prompt(client, "continue_from", package=package)
            for name, arguments, message in (
                ("work_on", {}, "'task' is missing"),
                ("work_on", {"task": "a", "b": "c"}, "unknown argument 'b'"),
                ("review", {"path": "../x"}, "leaves the root"),
                ("no_prompt", {}, "'no_prompt' is unknown"),
            ):
                with pytest.raises(MCPError, match=message):
                    await client.get_prompt(name, arguments)

    anyio.run(run)


def test_secret_is_read_by_its_exact_name_only_and_marked(tmp_path: Path, tree: Path) -> None:
    (tree / "link").symlink_to(".env")

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree) as client:
            assert "(full; a secrets file: not kept, not handed on)" in await call(client, "ctx_read", paths=[".env"])
            asked = await client.call_tool("ctx_read", {"paths": [".env"], "format": "json"})
            assert asked.structured_content["files"][0]["secret"] is True
            assert "secrets file" in await refusal(client, "ctx_read", paths=["link"])
            assert "secret" not in await call(client, "ctx_preload", task="print the PASSWORD")
            package = (await call(client, "ctx_handoff", action="export")).split()[1]
            assert "PASSWORD" not in await call(client, "ctx_handoff", action="import", package=package)

    anyio.run(run)


@pytest.mark.parametrize("mode", MODES)
def test_only_what_the_client_has_open_is_served(tmp_path: Path, tree: Path, mode: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    opened = [tree]

    async def roots(_: object) -> types.ListRootsResult:
        return types.ListRootsResult.model_validate({"roots": [{"uri": path.as_uri()} for path in opened]})

    async def run() -> None:
        async with stdio_client_of(tmp_path, cwd=other, mode=mode, list_roots_callback=roots) as client:
            assert "double" in await call(client, "ctx_read", paths=["src/util.py"])
        async with stdio_client_of(tmp_path, "--path", tree / "src", mode=mode, list_roots_callback=roots) as client:
            assert "double" in await call(client, "ctx_read", paths=["util.py"])
        opened[:] = [other]
        async with stdio_client_of(tmp_path, "--path", tree, mode=mode, list_roots_callback=roots) as client:
            assert "outside the client's roots" in await refusal(client, "ctx_read", paths=["src/util.py"])
            with pytest.raises(MCPError, match="outside the client's roots"):
                await client.read_resource("ctxsieve://file/src/util.py")
            with pytest.raises(MCPError, match="outside the client's roots"):
                await client.get_prompt("work_on", {"task": "a"})

    anyio.run(run)


def test_changed_roots_are_asked_for_again(tmp_path: Path, tree: Path) -> None:
    opened = [tree]

    async def roots(_: object) -> types.ListRootsResult:
        return types.ListRootsResult.model_validate({"roots": [{"uri": path.as_uri()} for path in opened]})

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree, mode="legacy", list_roots_callback=roots) as client:
            assert "double" in await call(client, "ctx_read", paths=["src/util.py"])
            opened[:] = [tmp_path / "home"]
            opened[0].mkdir()
            await client.session.send_notification(types.RootsListChangedNotification())
            assert "outside" in await refusal(client, "ctx_read", paths=["src/util.py"])

    anyio.run(run)


def test_home_is_not_indexed_by_accident(tmp_path: Path, tree: Path) -> None:
    async def run() -> None:
        async with stdio_client_of(tmp_path, cwd=tree, environment={"HOME": str(tree)}) as client:
            assert "start it with --path" in await refusal(client, "ctx_preload", task="a")

    anyio.run(run)
