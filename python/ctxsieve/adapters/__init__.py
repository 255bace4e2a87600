"""Adapters for frameworks: `ctxsieve.adapters.langchain` and `ctxsieve.adapters.llama_index`, each an extra."""

__all__: list[str] = []
