"""`ctxsieve terse`: fewer tokens for command output, prompts, tool descriptions and chat messages."""

import json
import os
import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ctxsieve.cli.output import OutputFormat, print_bytes, print_record, print_text
from ctxsieve.errors import InputError, PathError

if TYPE_CHECKING:
    from ctxsieve.terse import CompressionLevel

__all__ = ["LevelOption", "level_of", "terse"]


class TerseKind(StrEnum):
    """What is to be shortened."""

    OUTPUT = "output"
    PROMPT = "prompt"
    TOOLS = "tools"
    MESSAGES = "messages"
    FRAGMENT = "fragment"


LevelOption = Annotated[
    str | None, typer.Option("--level", help="How much may go: off, lite, standard or max; the setting by default.")
]


def level_of(name: str | None) -> "CompressionLevel":
    """The level of that name, or the one that the settings of the current directory hold.

    Raises:
        InputError: There is no such level.
    """
    from ctxsieve.terse import CompressionLevel

    if name is None:
        from ctxsieve.config import load_settings

        return load_settings(Path.cwd(), os.environ).settings.terse.compression_level
    if name not in list(CompressionLevel):
        raise InputError(f"level is {name!r}: it must be off, lite, standard or max")
    return CompressionLevel(name)


def terse(
    file: Annotated[str, typer.Argument(help="The text to shorten; - reads standard input.")] = "-",
    level: LevelOption = None,
    kind: Annotated[
        TerseKind,
        typer.Option(
            "--kind",
            help="output of a command, a prompt, tools or messages as JSON, or the fragment that asks for brevity.",
        ),
    ] = TerseKind.OUTPUT,
    command: Annotated[
        str | None, typer.Option("--command", help="The command line that printed the output, if known.")
    ] = None,
    describe: Annotated[
        str | None, typer.Option("--describe", help="With --kind tools: print one tool's full description instead.")
    ] = None,
    output: Annotated[OutputFormat, typer.Option("--format", help="json and xml have tokens and savings besides.")] = (
        OutputFormat.TEXT
    ),
) -> None:
    """Shorten a text; every omitted line range of an output is marked, level off changes nothing."""
    from ctxsieve.terse import prompt_fragment

    chosen = level_of(level)
    if describe is not None and kind is not TerseKind.TOOLS:
        raise InputError(f"--describe is {describe!r} but --kind is {kind.value}: it needs --kind tools")
    if kind is TerseKind.FRAGMENT:
        _print(prompt_fragment(chosen) + "\n", {}, output)
        return
    data = _read(file)
    if kind is TerseKind.OUTPUT:
        _print_output(data, chosen, command, output)
    elif kind is TerseKind.PROMPT:
        from ctxsieve.terse import compress_prose

        _print(compress_prose(_decoded(data), level=chosen), {"original_tokens": _count(data)}, output)
    elif kind is TerseKind.MESSAGES:
        _print(_messages_text(_decoded(data), chosen), {"original_tokens": _count(data)}, output)
    else:
        _print(_tools_text(_decoded(data), chosen, describe), {"original_tokens": _count(data)}, output)


def _print_output(data: bytes, level: "CompressionLevel", command: str | None, output: OutputFormat) -> None:
    from ctxsieve.terse import compress_output

    result = compress_output(data.decode("utf-8", "surrogateescape"), level=level, command=command)
    if output is OutputFormat.TEXT:
        print_bytes(result.text.encode("utf-8", "surrogateescape"))
        return
    savings = result.savings
    _print_shortened(
        {
            "text": result.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"),
            "tokens": result.tokens,
            "original_tokens": result.original_tokens,
            "savings": {
                "display_tokens": savings.display_tokens,
                "pattern_tokens": savings.pattern_tokens,
                "information_tokens": savings.information_tokens,
            },
            "families": list(result.families),
            "omitted_lines": [list(lines) for lines in result.omitted],
        },
        output,
    )


def _tools_text(text: str, level: "CompressionLevel", describe: str | None) -> str:
    from ctxsieve.terse import CompressionLevel, compress_tools, describe_tool

    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the tools are no JSON ({error}): give a list of tools or a tools/list result") from None
    tools = document.get("tools") if isinstance(document, dict) else document
    if not isinstance(tools, list):
        raise InputError("the JSON holds no tools: give a list of tools or a tools/list result")
    if describe is not None:
        return describe_tool(tools, describe) + "\n"
    if level is CompressionLevel.OFF:
        return text
    shorter: Any = compress_tools(tools, level=level)
    if isinstance(document, dict):
        shorter = document | {"tools": shorter}
    return json.dumps(shorter, ensure_ascii=False, separators=(",", ":")) + "\n"


def _messages_text(text: str, level: "CompressionLevel") -> str:
    from ctxsieve.terse import CompressionLevel, compress_messages

    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the messages are no JSON ({error}): give a list of messages or a request") from None
    keys = [key for key in ("messages", "input") if isinstance(document, dict) and isinstance(document.get(key), list)]
    messages = document[keys[0]] if keys else document
    if not isinstance(messages, list):
        raise InputError("the JSON holds no messages: give a list of messages, or a request that holds one")
    if level is CompressionLevel.OFF:
        return text
    shorter: Any = compress_messages(messages, level=level)
    if keys:
        shorter = document | {keys[0]: shorter}
    return json.dumps(shorter, ensure_ascii=False, separators=(",", ":")) + "\n"


def _print(text: str, counts: dict[str, int], output: OutputFormat) -> None:
    if output is OutputFormat.TEXT:
        print_text(text)
    else:
        _print_shortened({"text": text, "tokens": _count(text.encode("utf-8", "replace")), **counts}, output)


def _print_shortened(record: dict[str, Any], output: OutputFormat) -> None:
    if output is not OutputFormat.MARKDOWN:
        print_record(record, output, name="terse")
        return
    text = record["text"]
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    print_text(f"{fence}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{fence}\n")


def _count(data: bytes) -> int:
    from ctxsieve.tokens import count_tokens

    return count_tokens(data)


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    path = Path(file)
    if not path.is_file():
        raise PathError(f"{file} is no regular file: give a file, or - for standard input")
    return path.read_bytes()


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"the text is not UTF-8 (byte {error.start}): only command output may be") from None
