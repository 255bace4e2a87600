"""The reasoning loop over the project's own MCP server: its tools, filtered by a profile, called by a scripted model.

Run it from the root of a repository: python examples/loop_over_mcp.py [COMMAND ...]
The command starts an MCP server on standard input and output; by default it is `python -m ctxsieve mcp`.
"""

import asyncio
import os
import sys
from collections.abc import Mapping
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client

from ctxsieve.reasoning import LoopConfig, ModelReply, ModelTurn, ReasoningLoopRunner, ReplyCall, ToolProfile

TASK = "Say what this project is about"
# Reading only: tools that write are neither shown to the model nor callable.
CONFIG = LoopConfig(max_steps=4, tool_profile=ToolProfile.include_only("ctx_overview", "ctx_read", "ctx_preload"))


def model(turn: ModelTurn) -> ModelReply:
    """Ask for an overview, try a tool that the profile hides, then answer with what came back."""
    if turn.step == 1:
        return ModelReply("I look around.", (ReplyCall("ctx_overview", {}),))
    if turn.step == 2:
        return ModelReply("I try another tool.", (ReplyCall("ctx_knowledge", {}),))
    overview = next(message.text for message in turn.messages if message.call_id == "call-1-1")
    return ModelReply(f"The overview has {len(overview)} characters and begins with {overview[:60]!r}.")


async def main(command: list[str]) -> None:
    """Start the server, run the task with its tools, print the conversation."""
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools

        async def execute(name: str, arguments: Mapping[str, Any]) -> Any:
            return await session.call_tool(name, dict(arguments))

        runner = ReasoningLoopRunner(model, execute, tools, config=CONFIG)
        result = await runner.run(TASK)
    print(f"the server has {len(tools)} tools, the model sees those that the profile admits")
    for message in result.messages:
        print(f"{message.role}: {message.text[:300]}")
    print(f"--- {result.reason} after {result.steps} steps")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or [sys.executable, "-m", "ctxsieve", "mcp"]))
