"""ctxsieve in LangChain: a retriever, a tool, and shorter tool results (the extra `langchain`)."""

from collections.abc import Sequence
from typing import Any

from ctxsieve.adapters.missing import is_missing, missing_extra
from ctxsieve.api import Project
from ctxsieve.terse import CompressionLevel, compress_messages

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.messages import BaseMessage, ToolMessage
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import BaseTool, StructuredTool
except ModuleNotFoundError as error:
    if not is_missing("langchain_core", error):
        raise
    raise missing_extra("langchain-core", extra="langchain", error=error) from error

__all__ = ["CtxsieveRetriever", "compress_tool_messages", "preload_tool"]


class CtxsieveRetriever(BaseRetriever):
    """Retrieves the files that matter for a task, compressed to a token budget, by falling relevance.

    Each document is what a preload shows of one file; its metadata hold `path`, `score`, `mode`, `tokens` and `lines`.

    Attributes:
        project: the project, watched or not.
        budget_tokens: bound on the tokens of all documents together; the project's setting by default.
    """

    project: Any
    budget_tokens: int | None = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:  # noqa: ARG002
        answer = self.project.preload(query, budget_tokens=self.budget_tokens)
        return [
            Document(
                page_content=file.content,
                metadata={
                    "path": file.path,
                    "score": file.score,
                    "mode": file.mode,
                    "tokens": file.sent_tokens,
                    "lines": [[span.first, span.last] for span in file.lines],
                },
            )
            for file in answer.files
            if file.sent_tokens
        ]


def preload_tool(project: Project, *, budget_tokens: int | None = None) -> BaseTool:
    """Return a tool with which a model asks for the context of a task."""

    def preload(task: str) -> str:
        return project.preload(task, budget_tokens=budget_tokens).text

    return StructuredTool.from_function(
        preload,
        name="ctxsieve_preload",
        description="Returns the files and lines of the repository that matter for a task given in plain words.",
    )


def compress_tool_messages(
    messages: Sequence[BaseMessage], *, level: CompressionLevel | str = CompressionLevel.STANDARD
) -> list[BaseMessage]:
    """Return the messages with the text of tool messages shortened; see `ctxsieve.compress_messages`."""
    shorter = compress_messages([_as_mapping(message) for message in messages], level=level)
    return [
        message.model_copy(update={"content": new["content"]})
        if isinstance(message, ToolMessage) and new["content"] != message.content
        else message
        for message, new in zip(messages, shorter, strict=True)
    ]


def _as_mapping(message: BaseMessage) -> dict[str, Any]:
    if isinstance(message, ToolMessage):
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
    calls = [
        {"type": "tool_use", "id": call["id"], "input": call["args"]} for call in getattr(message, "tool_calls", [])
    ]
    return {"role": "assistant", "tool_calls": calls}
