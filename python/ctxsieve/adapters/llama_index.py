"""ctxsieve in LlamaIndex: a retriever and a postprocessor (the extra `llama-index`)."""

from typing import Any

from ctxsieve.adapters.missing import is_missing, missing_extra
from ctxsieve.api import Project
from ctxsieve.errors import InputError
from ctxsieve.tokens import count_tokens

try:
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.callbacks import CallbackManager
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ModuleNotFoundError as error:
    if not is_missing("llama_index", error):
        raise
    raise missing_extra("llama-index-core", extra="llama-index", error=error) from error

__all__ = ["CtxsieveRetriever", "TokenBudgetPostprocessor"]


class CtxsieveRetriever(BaseRetriever):
    """Retrieves the files that matter for a task, compressed to a token budget, by falling relevance.

    Each node is what a preload shows of one file; its metadata hold `path`, `mode`, `tokens` and `lines`.
    """

    def __init__(
        self,
        project: Project,
        *,
        budget_tokens: int | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        self._project = project
        self._budget_tokens = budget_tokens
        super().__init__(callback_manager=callback_manager)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        answer = self._project.preload(query_bundle.query_str, budget_tokens=self._budget_tokens)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=f"{file.path}:{file.content_hash}:{file.mode}",
                    text=file.content,
                    metadata={
                        "path": file.path,
                        "mode": file.mode,
                        "tokens": file.sent_tokens,
                        "lines": [[span.first, span.last] for span in file.lines],
                    },
                ),
                score=file.score,
            )
            for file in answer.files
            if file.sent_tokens
        ]


class TokenBudgetPostprocessor(BaseNodePostprocessor):
    """Keeps nodes by falling score as long as their text fits a budget of exact o200k_base tokens."""

    budget_tokens: int = Field(description="Bound on the tokens of the kept nodes together.")

    @classmethod
    def class_name(cls) -> str:
        """Return the name for serialisation."""
        return "TokenBudgetPostprocessor"

    def _postprocess_nodes(
        self,
        nodes: list[NodeWithScore],
        query_bundle: Any = None,  # noqa: ARG002
    ) -> list[NodeWithScore]:
        if self.budget_tokens < 1:
            raise InputError(f"budget is {self.budget_tokens} tokens: it must be 1 or more")
        kept, used = [], 0
        for node in sorted(nodes, key=lambda node: -(node.score or 0.0)):
            tokens = count_tokens(node.get_content())
            if used + tokens <= self.budget_tokens:
                kept.append(node)
                used += tokens
        return kept
