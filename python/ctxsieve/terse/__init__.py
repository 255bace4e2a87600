"""Terse engine: fewer tokens for command output, prompts and tool descriptions (docs/terse.md)."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports
from ctxsieve.terse.levels import CompressionLevel, TerseOptions

if TYPE_CHECKING:
    from ctxsieve.terse.engine import TerseOutput, TerseSavings, compress_output
    from ctxsieve.terse.messages import compress_messages
    from ctxsieve.terse.prose import compress_prose
    from ctxsieve.terse.shaping import prompt_fragment, shape_prompt
    from ctxsieve.terse.tools import compress_tools, describe_tool

__all__ = [
    "CompressionLevel",
    "TerseOptions",
    "TerseOutput",
    "TerseSavings",
    "compress_messages",
    "compress_output",
    "compress_prose",
    "compress_tools",
    "describe_tool",
    "prompt_fragment",
    "shape_prompt",
]

__getattr__ = lazy_exports(
    __name__,
    {
        "TerseOutput": "ctxsieve.terse.engine",
        "TerseSavings": "ctxsieve.terse.engine",
        "compress_output": "ctxsieve.terse.engine",
        "compress_messages": "ctxsieve.terse.messages",
        "compress_prose": "ctxsieve.terse.prose",
        "prompt_fragment": "ctxsieve.terse.shaping",
        "shape_prompt": "ctxsieve.terse.shaping",
        "compress_tools": "ctxsieve.terse.tools",
        "describe_tool": "ctxsieve.terse.tools",
    },
)
