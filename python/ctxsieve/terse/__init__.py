"""Terse engine: fewer tokens for command output, prompts and tool descriptions (SPEC 10)."""

from ctxsieve.terse.engine import TerseOutput, TerseSavings, compress_output
from ctxsieve.terse.levels import CompressionLevel, TerseOptions
from ctxsieve.terse.prose import compress_prose
from ctxsieve.terse.shaping import prompt_fragment, shape_prompt
from ctxsieve.terse.tools import compress_tools, describe_tool

__all__ = [
    "CompressionLevel",
    "TerseOptions",
    "TerseOutput",
    "TerseSavings",
    "compress_output",
    "compress_prose",
    "compress_tools",
    "describe_tool",
    "prompt_fragment",
    "shape_prompt",
]
