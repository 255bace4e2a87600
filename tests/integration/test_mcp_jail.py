"""Hostile paths through the server, for every tool that takes one: refused, and nothing from outside comes back."""

import itertools
import os
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import anyio
import pytest
from mcp import Client, MCPError

from ctxsieve.errors import PathError
from ctxsieve.jail import check_path
from integration.mcp_client import stdio_client_of
from unit.test_jail import HOSTILE, OUTSIDE, SECRET, SECRETS, root

__all__ = ["root"]

LEAST_PATHS = 150


def is_sendable(path: str) -> bool:
    """Whether JSON in UTF-8 can carry it."""
    return path.isascii() or path.encode("utf-8", "replace").decode("utf-8") == path


def is_lexically_hostile(path: str) -> bool:
    try:
        check_path(path)
    except PathError:
        return True
    return False


SENT = sorted({path for path in HOSTILE if is_sendable(path)})
BLOCKED = [path for path in SENT if path not in SECRETS]
MISSPELT = [path for path in BLOCKED if is_lexically_hostile(path)]


async def answer(client: Client, tool: str, arguments: dict[str, object]) -> tuple[bool, str]:
    """Whether the tool refused, and all that it said."""
    result = await client.call_tool(tool, arguments)
    return result.is_error, result.model_dump_json()


def drive(home: Path, tree: Path, check: Callable[[Client], object]) -> None:
    async def run() -> None:
        async with stdio_client_of(home, "--path", tree) as client:
            await check(client)  # type: ignore[misc]

    anyio.run(run)


def says_nothing_from_outside(said: str) -> bool:
    return OUTSIDE.decode() not in said and SECRET.decode() not in said and "root:x:0" not in said


def test_there_are_enough_paths() -> None:
    assert len(BLOCKED) >= LEAST_PATHS


def test_read_refuses(tmp_path: Path, root: Path) -> None:
    variants: tuple[dict[str, object], ...] = (
        {},
        {"mode": "raw"},
        {"mode": "map"},
        {"fresh": True},
        {"format": "json"},
    )

    async def check(client: Client) -> None:
        for path, arguments in itertools.product(BLOCKED, variants):
            refused, said = await answer(client, "ctx_read", {"paths": [path], **arguments})
            assert refused, path
            assert says_nothing_from_outside(said), path

    drive(tmp_path, root, check)


def test_read_gives_secrets_only_by_name_and_marked(tmp_path: Path, root: Path) -> None:
    async def check(client: Client) -> None:
        for path in SECRETS:
            refused, said = await answer(client, "ctx_read", {"paths": [path]})
            assert refused or "a secrets file" in said, path
            refused, said = await answer(client, "ctx_preload", {"task": f"read {path} and print it"})
            assert not refused, path
            assert says_nothing_from_outside(said), path

    drive(tmp_path, root, check)


def test_graph_and_handoff_refuse(tmp_path: Path, root: Path) -> None:
    async def check(client: Client) -> None:
        for path in SENT:
            given: list[tuple[str, dict[str, object]]] = [
                ("ctx_handoff", {"action": action, "package": path}) for action in ("import", "show")
            ]
            if path in BLOCKED:
                given += [("ctx_graph", {"path": path, "action": action}) for action in ("neighbors", "impact")]
                given.append(("ctx_graph", {"path": path, "action": "path", "to": "src/main.py"}))
                given.append(("ctx_graph", {"path": "src/main.py", "action": "path", "to": path}))
            _, said = await answer(client, "ctx_knowledge", {"action": "conventions", "directory": path})
            assert says_nothing_from_outside(said), path
            _, said = await answer(client, "ctx_smells", {"paths": [path]})
            assert says_nothing_from_outside(said), path
            for tool, arguments in given:
                refused, said = await answer(client, tool, arguments)
                assert refused, (tool, arguments)
                assert says_nothing_from_outside(said), (tool, arguments)

    drive(tmp_path, root, check)


def test_ledger_refuses(tmp_path: Path, root: Path) -> None:
    async def check(client: Client) -> None:
        for path, action in itertools.product(BLOCKED, ("evict", "plan", "apply")):
            refused, said = await answer(client, "ctx_ledger", {"action": action, "paths": [path]})
            # What is spelled like a file below the root is only a name here: the ledger opens nothing.
            assert refused or path not in MISSPELT, path
            assert says_nothing_from_outside(said), path

    drive(tmp_path, root, check)


def test_path_in_a_task_opens_nothing(tmp_path: Path, root: Path) -> None:
    async def check(client: Client) -> None:
        for path, tool in itertools.product(SENT, ("ctx_intent", "ctx_preload", "ctx_overview")):
            if path.strip():
                _, said = await answer(client, tool, {"task": f"fix {path}"})
                assert says_nothing_from_outside(said), path

    drive(tmp_path, root, check)


def test_resources_and_prompts_refuse(tmp_path: Path, root: Path) -> None:
    async def check(client: Client) -> None:
        for path in SENT:
            with pytest.raises(MCPError) as caught:
                await client.read_resource(f"ctxsieve://file/{quote(path)}")
            assert says_nothing_from_outside(str(caught.value)), path
            if path.strip() and path not in SECRETS:
                with pytest.raises(MCPError) as caught:
                    await client.get_prompt("review", {"path": path})
                assert says_nothing_from_outside(str(caught.value)), path

    drive(tmp_path, root, check)


def test_swapped_link_never_leaves_the_root(tmp_path: Path) -> None:
    outside, tree = tmp_path / "outside", tmp_path / "tree"
    outside.mkdir()
    (tree / "real").mkdir(parents=True)
    (outside / "file.txt").write_bytes(OUTSIDE)
    (tree / "real" / "file.txt").write_bytes(b"inside")
    (tree / "good").symlink_to("real")
    (tree / "bad").symlink_to(outside)
    (tree / "entry").symlink_to("real")
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            for name in ("good", "bad"):
                os.link(tree / name, tree / "next", follow_symlinks=False)
                os.rename(tree / "next", tree / "entry")
                (tree / "next").unlink(missing_ok=True)
                stop.wait(0.0005)

    flipper = threading.Thread(target=flip)
    answers: list[str] = []

    async def check(client: Client) -> None:
        flipper.start()
        try:
            for _ in range(300):
                _, said = await answer(client, "ctx_read", {"paths": ["entry/file.txt"], "fresh": True})
                answers.append(said)
                try:
                    answers.append((await client.read_resource("ctxsieve://file/entry/file.txt")).model_dump_json())
                except MCPError as error:
                    answers.append(str(error))
        finally:
            stop.set()
            flipper.join()

    drive(tmp_path, tree, check)
    assert all(says_nothing_from_outside(said) for said in answers)
    assert any("inside" in said for said in answers)
    assert any("leaves the root" in said for said in answers)
