"""The MCP server: ctxsieve's tools for agents, over standard input and output or HTTP."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.mcp_server.server import ContextServer, ServerOptions
    from ctxsieve.mcp_server.stdio import serve_stdio

__all__ = ["ContextServer", "ServerOptions", "serve_stdio"]

__getattr__ = lazy_exports(
    __name__,
    {
        "ContextServer": "ctxsieve.mcp_server.server",
        "ServerOptions": "ctxsieve.mcp_server.server",
        "serve_stdio": "ctxsieve.mcp_server.stdio",
    },
)
