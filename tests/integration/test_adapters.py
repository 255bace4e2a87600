"""The adapters with the frameworks themselves; `make adapters` installs those."""

import warnings
from pathlib import Path
from typing import Any

import pytest

from ctxsieve import Project
from ctxsieve.tokens import count_tokens
from terse_inputs import FIXTURES, read_fixture

AUTH = Path(__file__).parents[1] / "fixtures" / "auth_example"
TASK = "fix authentication bug"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    places = {"CTXSIEVE_CACHE_DIR": str(tmp_path / "cache"), "CTXSIEVE_STATE_DIR": str(tmp_path / "state")}
    return Project.open(AUTH, environment=places)


@pytest.fixture
def langchain() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("langchain_core")
        import ctxsieve.adapters.langchain as module
    return module


@pytest.fixture
def llama_index() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("llama_index.core")
        import ctxsieve.adapters.llama_index as module
    return module


def test_langchain_retrieves_what_a_preload_shows(project: Project, langchain: Any) -> None:
    documents = langchain.CtxsieveRetriever(project=project, budget_tokens=2000).invoke(TASK)
    shown = [file for file in project.preload(TASK, budget_tokens=2000).files if file.sent_tokens]
    assert [document.metadata["path"] for document in documents] == [file.path for file in shown]
    assert [document.page_content for document in documents] == [file.content for file in shown]
    assert sum(count_tokens(document.page_content) for document in documents) <= 2000


def test_langchain_tool_answers_a_call_of_a_model(project: Project, langchain: Any) -> None:
    tool = langchain.preload_tool(project, budget_tokens=500)
    message = tool.invoke({"type": "tool_call", "id": "one", "name": tool.name, "args": {"task": TASK}})
    assert message.tool_call_id == "one"
    assert message.content == project.preload(TASK, budget_tokens=500).text


def test_langchain_tool_messages_get_shorter(langchain: Any) -> None:
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    command, output = next(read_fixture(path) for path in FIXTURES if "pytest" in path.name)
    messages = [
        HumanMessage(output),
        AIMessage("", tool_calls=[{"id": "one", "name": "shell", "args": {"command": command}}]),
        ToolMessage(output, tool_call_id="one"),
    ]
    shorter = langchain.compress_tool_messages(messages)
    assert shorter[:2] == messages[:2]
    assert shorter[2].tool_call_id == "one"
    assert count_tokens(shorter[2].content) < count_tokens(output)
    assert langchain.compress_tool_messages(shorter) == shorter


def test_llama_index_retrieves_what_a_preload_shows(project: Project, llama_index: Any) -> None:
    nodes = llama_index.CtxsieveRetriever(project, budget_tokens=2000).retrieve(TASK)
    shown = [file for file in project.preload(TASK, budget_tokens=2000).files if file.sent_tokens]
    assert [node.metadata["path"] for node in nodes] == [file.path for file in shown]
    assert [node.score for node in nodes] == [file.score for file in shown]
    assert [node.node.text for node in nodes] == [file.content for file in shown]


def test_llama_index_postprocessor_keeps_within_the_budget(project: Project, llama_index: Any) -> None:
    nodes = llama_index.CtxsieveRetriever(project).retrieve(TASK)
    assert len(nodes) > 1
    bound = count_tokens(nodes[0].get_content())
    kept = llama_index.TokenBudgetPostprocessor(budget_tokens=bound).postprocess_nodes(list(reversed(nodes)))
    assert kept[0] == nodes[0]
    assert sum(count_tokens(node.get_content()) for node in kept) <= bound
