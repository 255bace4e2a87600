"""The MCP server: ctxsieve's tools for agents, over standard input and output or HTTP."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports

if TYPE_CHECKING:
    from ctxsieve.mcp_server.http import HttpOptions, serve_http
    from ctxsieve.mcp_server.server import ContextServer, ServerOptions
    from ctxsieve.mcp_server.stdio import serve_stdio

__all__ = ["ContextServer", "HttpOptions", "ServerOptions", "serve_http", "serve_stdio"]

__getattr__ = lazy_exports(
    __name__,
    {
        "ContextServer": "ctxsieve.mcp_server.server",
        "HttpOptions": "ctxsieve.mcp_server.http",
        "ServerOptions": "ctxsieve.mcp_server.server",
        "serve_http": "ctxsieve.mcp_server.http",
        "serve_stdio": "ctxsieve.mcp_server.stdio",
    },
)
