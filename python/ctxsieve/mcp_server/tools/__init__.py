"""The tools of the server, one module each."""

from ctxsieve.mcp_server.tools.compress import COMPRESS
from ctxsieve.mcp_server.tools.graph import GRAPH
from ctxsieve.mcp_server.tools.handoff import HANDOFF
from ctxsieve.mcp_server.tools.intent import INTENT
from ctxsieve.mcp_server.tools.knowledge import KNOWLEDGE
from ctxsieve.mcp_server.tools.ledger import LEDGER
from ctxsieve.mcp_server.tools.overview import OVERVIEW
from ctxsieve.mcp_server.tools.preload import PRELOAD
from ctxsieve.mcp_server.tools.read import READ
from ctxsieve.mcp_server.tools.smells import SMELLS
from ctxsieve.mcp_server.tools.tool import Call, Tool

__all__ = ["TOOLS", "Call", "Tool"]

TOOLS = {
    tool.name: tool for tool in (PRELOAD, READ, OVERVIEW, GRAPH, SMELLS, INTENT, LEDGER, HANDOFF, KNOWLEDGE, COMPRESS)
}
