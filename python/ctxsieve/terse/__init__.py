"""Terse engine: fewer tokens for command output, prompts and tool descriptions (SPEC 10)."""

from ctxsieve.terse.engine import TerseOutput, TerseSavings, compress_output
from ctxsieve.terse.levels import CompressionLevel

__all__ = ["CompressionLevel", "TerseOutput", "TerseSavings", "compress_output"]
