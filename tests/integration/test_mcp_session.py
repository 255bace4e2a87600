"""A session of a real client on a real tree: by default this project's own sources, or CTXSIEVE_TEST_MCP_TREE."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from ctxsieve.tokens import count_tokens
from integration.mcp_client import MODES, call, refusal, stdio_client_of, text_of

TOOLS = {
    f"ctx_{name}"
    for name in (
        "preload", "read", "overview", "graph", "smells", "intent", "ledger", "handoff", "knowledge", "compress"
    )
}  # fmt: skip
TREE = Path(os.environ.get("CTXSIEVE_TEST_MCP_TREE") or Path(__file__).parents[2] / "python" / "ctxsieve" / "ledger")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    copy = tmp_path / "tree"
    shutil.copytree(TREE, copy, ignore=shutil.ignore_patterns("__pycache__", ".git"))
    return copy


@pytest.mark.parametrize("mode", MODES)
def test_session_from_the_task_to_the_handoff(tmp_path: Path, tree: Path, mode: str) -> None:
    biggest = max(tree.rglob("*.py"), key=lambda path: path.stat().st_size)
    path = biggest.relative_to(tree).as_posix()

    async def first(client: Client) -> str:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == TOOLS

        context = await call(client, "ctx_preload", task=f"fix the bug in {path}", budget=2000)
        assert path in context
        assert count_tokens(context) <= 2000

        whole = await call(client, "ctx_read", paths=[path])
        assert biggest.read_text() in whole
        shorter = [await call(client, "ctx_read", paths=[path], mode=name) for name in ("signatures", "map")]
        shorter.append(await call(client, "ctx_read", paths=[path], mode="task", task="record what was sent"))
        assert all(path in text and count_tokens(text) < count_tokens(whole) for text in shorter)

        again = await call(client, "ctx_read", paths=[path])
        assert again == f"{path}: unchanged, already sent (full)\n"
        assert count_tokens(again) <= 13 + count_tokens(path)
        assert await call(client, "ctx_read", paths=[path], fresh=True) == whole

        biggest.write_text(biggest.read_text() + "ADDED_OUTSIDE = 1\n")
        changes = await call(client, "ctx_read", paths=[path], mode="diff")
        assert "+ADDED_OUTSIDE = 1" in changes
        assert count_tokens(changes) < count_tokens(whole)
        assert "ADDED_OUTSIDE = 1" in await call(client, "ctx_read", paths=[path])

        (tree / "brand_new.py").write_text("def frobnicate_windows(value):\n    return value\n")
        assert "brand_new.py" in await call(client, "ctx_preload", task="change frobnicate_windows")

        smells = await client.call_tool("ctx_smells", {"format": "json"})
        assert smells.structured_content is not None
        assert "no file of the project fits it" in await refusal(client, "ctx_smells", paths=["no/such/folder"])

        await call(client, "ctx_knowledge", action="add", text="discovery:biggest = the ledger keeps windows")
        (tree / "AGENTS.md").write_text("# Rules\n\n- Name what is counted.\n")
        assert "Name what is counted" in await call(client, "ctx_knowledge", action="conventions")
        packed = await client.call_tool("ctx_handoff", {"action": "export", "task": "go on", "format": "json"})
        assert packed.structured_content["context_files"] >= 1
        return str(packed.structured_content["package"])

    async def second(client: Client, package: str) -> None:
        received = await call(client, "ctx_handoff", action="import", package=package)
        assert "discovery:biggest" in received
        assert "ADDED_OUTSIDE = 1" in received
        assert await call(client, "ctx_read", paths=[path]) == f"{path}: unchanged, already sent (full)\n"

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree, mode=mode) as client:
            package = await first(client)
        async with stdio_client_of(tmp_path, "--path", tree, mode=mode) as client:
            await second(client, package)

    anyio.run(run)


@pytest.mark.parametrize("mode", MODES)
def test_stub_is_only_for_the_client_that_has_the_text(tmp_path: Path, tree: Path, mode: str) -> None:
    path = next(tree.rglob("*.py")).relative_to(tree).as_posix()

    async def run() -> None:
        arguments: tuple[Any, ...] = (tmp_path, "--path", tree)
        async with stdio_client_of(*arguments, mode=mode) as one, stdio_client_of(*arguments, mode=mode) as two:
            whole = await call(one, "ctx_read", paths=[path])
            assert await call(two, "ctx_read", paths=[path]) == whole
            assert "already sent" in await call(one, "ctx_read", paths=[path])
        async with stdio_client_of(*arguments, mode=mode) as three:
            assert await call(three, "ctx_read", paths=[path]) == whole

    anyio.run(run)


def test_structured_result_says_what_the_text_says(tmp_path: Path, tree: Path) -> None:
    path = min(tree.rglob("*.py")).relative_to(tree).as_posix()

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree) as client:
            for tool, arguments in (
                ("ctx_read", {"paths": [path], "mode": "lines:1-1"}),
                ("ctx_preload", {"task": "plan a reinjection"}),
                ("ctx_intent", {"task": "fix the bug in pressure.py"}),
                ("ctx_ledger", {}),
                ("ctx_graph", {"path": path}),
                ("ctx_graph", {"action": "communities"}),
                ("ctx_overview", {}),
                ("ctx_smells", {}),
                ("ctx_compress", {"text": "a line\n" * 30}),
                ("ctx_compress", {"messages": [{"role": "tool", "content": "a line\n" * 30}]}),
                ("ctx_knowledge", {"action": "list"}),
            ):
                plain = await client.call_tool(tool, arguments)
                assert plain.structured_content is None, tool
                asked = await client.call_tool(tool, {**arguments, "format": "json"})
                assert isinstance(asked.structured_content, dict), tool
                assert json.loads(text_of(asked)) == asked.structured_content, tool

    anyio.run(run)


def test_wrong_calls_are_errors_that_a_model_can_read(tmp_path: Path, tree: Path) -> None:
    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree) as client:
            assert "unknown argument 'pats'" in await refusal(client, "ctx_read", pats=["a"])
            assert "paths is 'a': it must be a list" in await refusal(client, "ctx_read", paths="a")
            assert "mode is 'some'" in await refusal(client, "ctx_read", paths=["a"], mode="some")
            assert "missing.py" in await refusal(client, "ctx_read", paths=["missing.py"])
            assert "give one of them" in await refusal(client, "ctx_compress")
            assert "budget is 0" in await refusal(client, "ctx_preload", task="a", budget=0)
            with pytest.raises(Exception, match="'ctx_write' is unknown"):
                await client.call_tool("ctx_write", {})

    anyio.run(run)


@pytest.mark.parametrize("mode", MODES)
def test_first_index_reports_its_progress(tmp_path: Path, mode: str) -> None:
    tree = tmp_path / "tree"
    for number in range(3000):
        file = tree / f"d{number % 50}" / f"m{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"def f{number}_{line}(a, b):\n    return a + b * {line}\n" for line in range(40)))
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree, mode=mode) as client:
            await client.call_tool("ctx_preload", {"task": "change f7_3"}, progress_callback=note)

    anyio.run(run)
    assert seen
    assert [progress for progress, _, _ in seen] == sorted({progress for progress, _, _ in seen})
    assert all(total is not None and progress <= total for progress, total, _ in seen)


def test_raw_text_that_is_not_its_bytes_has_a_header_that_says_so(tmp_path: Path, tree: Path) -> None:
    (tree / "latin.py").write_bytes(b"NAME = 'caf\xe9'\n")
    lossless = next(path for path in sorted(tree.rglob("*.py")) if path.name != "latin.py" and path.stat().st_size)

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree) as client:
            text = await call(client, "ctx_read", paths=["latin.py"], mode="raw")
            header = "=== latin.py (raw; not valid UTF-8: \ufffd stands for what is lost, 1 time)"
            assert text == f"{header}\nNAME = 'caf\ufffd'\n"
            named = lossless.relative_to(tree).as_posix()
            assert await call(client, "ctx_read", paths=[named], mode="raw") == lossless.read_text()

    anyio.run(run)


def test_an_absolute_path_below_the_root_is_the_file_itself(tmp_path: Path, tree: Path) -> None:
    path = min(tree.rglob("*.py")).relative_to(tree).as_posix()

    async def run() -> None:
        async with stdio_client_of(tmp_path, "--path", tree) as client:
            whole = await call(client, "ctx_read", paths=[path])
            assert await call(client, "ctx_read", paths=[str(tree / path)], fresh=True) == whole
            assert "already sent" in await call(client, "ctx_read", paths=[str(tree / path)])
            assert await call(client, "ctx_graph", path=str(tree / path)) == await call(client, "ctx_graph", path=path)
            assert "not below the root" in await refusal(client, "ctx_read", paths=[str(tree.parent / path)])

    anyio.run(run)
