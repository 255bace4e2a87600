"""Where a file may be cut, and in which order the pieces are presented."""

from ctxsieve.chunking.arrangement import BRIDGE, Arrangement, TopChunk
from ctxsieve.chunking.source import (
    FUNCTION_KINDS,
    VALUE_KINDS,
    Chunk,
    ChunkingOptions,
    ChunkKind,
    ChunkTable,
    chunk_source,
)

__all__ = [
    "BRIDGE",
    "FUNCTION_KINDS",
    "VALUE_KINDS",
    "Arrangement",
    "Chunk",
    "ChunkKind",
    "ChunkTable",
    "ChunkingOptions",
    "TopChunk",
    "chunk_source",
]
