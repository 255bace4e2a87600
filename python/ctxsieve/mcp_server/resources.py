"""Resources: the client's window, the shared facts, and the files of the project by their path."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import unquote, urlsplit

import mcp_types as types

from ctxsieve.compress.decoding import decode_text, is_binary
from ctxsieve.errors import InputError
from ctxsieve.jail import read_inside
from ctxsieve.mcp_server.answers import Answer
from ctxsieve.mcp_server.tools import Call
from ctxsieve.mcp_server.tools.knowledge import facts_answer
from ctxsieve.mcp_server.tools.ledger import window_answer

__all__ = ["RESOURCES", "TEMPLATES", "read_resource"]

_FILE = "ctxsieve://file/"
_LEDGER = "ctxsieve://ledger"
_KNOWLEDGE = "ctxsieve://knowledge"
MAX_FILE_BYTES = 8 << 20

RESOURCES = [
    types.Resource(
        uri=_LEDGER,
        name="ledger",
        description="What you were sent, and how full your window is.",
        mime_type="application/json",
    ),
    types.Resource(
        uri=_KNOWLEDGE,
        name="knowledge",
        description="The facts that agents on this project share.",
        mime_type="application/json",
    ),
]
TEMPLATES = [
    types.ResourceTemplate(
        uri_template=_FILE + "{+path}", name="file", description="A file of the project as it stands, by its path."
    )
]


def read_resource(call: Call, uri: str) -> types.TextResourceContents:
    """Return the content of a resource; what is read here is not recorded in the ledger.

    Raises:
        InputError: there is no such resource, or the file has no text.
        PathError: the file is outside of the project, missing, special or a secrets file.
    """
    if uri in _RECORDS:
        text = json.dumps(_RECORDS[uri](call).record, ensure_ascii=False, indent=2, default=str)
        return types.TextResourceContents(uri=uri, text=text, mime_type="application/json")
    if not uri.startswith(_FILE):
        raise InputError(f"resource {uri[:200]!r} is unknown: there are {_LEDGER}, {_KNOWLEDGE} and {_FILE}PATH")
    path = _path_of(uri)
    # Secrets are opened for nobody here: a client may list and fetch what no user asked for by name.
    data = read_inside(call.project.root, path, limit_bytes=MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise InputError(f"{path} has more than {MAX_FILE_BYTES >> 20} MiB: read lines of it with ctx_read")
    if is_binary(data):
        raise InputError(f"{path} is binary: it has no text to show")
    decoded = decode_text(data, path)
    meta = None if decoded.lossless else {"ctxsieve/encoding": decoded.encoding, "ctxsieve/note": decoded.note}
    return types.TextResourceContents(uri=uri, text=decoded.text, mime_type="text/plain", _meta=meta)


def _path_of(uri: str) -> str:
    """Return the path in a file's address, percent escapes resolved once."""
    parts = urlsplit(uri)
    if parts.query or parts.fragment:
        raise InputError(
            f"resource {uri[:200]!r} has a query or a fragment: write '?' and '#' of a path as %3F and %23"
        )
    try:
        return unquote(uri.removeprefix(_FILE), errors="strict")
    except UnicodeDecodeError:
        raise InputError(f"resource {uri[:200]!r} is no UTF-8 behind its percent signs") from None


_RECORDS: Mapping[str, Callable[[Call], Answer]] = {
    _LEDGER: window_answer,
    _KNOWLEDGE: lambda call: facts_answer(call.session.knowledge.facts()),
}
