"""Source as chunks on syntax boundaries."""

from ctxsieve.chunking.source import Chunk, ChunkingOptions, ChunkKind, chunk_source

__all__ = ["Chunk", "ChunkKind", "ChunkingOptions", "chunk_source"]
