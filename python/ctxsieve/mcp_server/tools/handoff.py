"""ctx_handoff: one agent's session for another.

A package may be large, so it does not travel through the model: it is kept beside the project's store and named by
the first digits of its hash.
"""

import hashlib
import os
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ctxsieve.agents import HandoffPackage, decode_handoff, encode_handoff, read_handoff, write_handoff
from ctxsieve.errors import InputError, PathError
from ctxsieve.jail import read_inside
from ctxsieve.mcp_server.answers import Answer, render_record, render_rows
from ctxsieve.mcp_server.schemas import Arguments
from ctxsieve.mcp_server.tools.preload import RoleName
from ctxsieve.mcp_server.tools.tool import Call, Tool
from ctxsieve.pipeline import handoff_mapping

__all__ = ["HANDOFF"]

MAX_PACKAGE_BYTES = 64 << 20
_KEY = re.compile(r"[0-9a-f]{12}")


class HandoffArguments(Arguments):
    """See the descriptions."""

    action: Literal["export", "import", "show"]
    package: Annotated[
        str | None, Field(min_length=1, description="of import and show: the key that export gave, or a file's path")
    ] = None
    task: str = ""
    note: Annotated[str, Field(description="what the receiver should know")] = ""
    role: RoleName | None = None


def _run(call: Call, given: HandoffArguments) -> Answer:
    if given.action == "export":
        if given.package is not None:
            raise InputError(f"package is {given.package!r}: export names it itself; leave it out")
        return _export(call, given)
    if given.package is None:
        raise InputError(f"argument 'package' is missing: {given.action} needs the key that export gave")
    packed = _find(call, given.package)
    return _import(call, packed) if given.action == "import" else _show(packed)


def _export(call: Call, given: HandoffArguments) -> Answer:
    packed = call.session.pack_handoff(task=given.task, note=given.note, role=given.role or "")
    key = hashlib.sha256(encode_handoff(packed).encode("ascii")).hexdigest()[:12]
    folder = _folder(call)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = folder / f"{key}.json"
    write_handoff(packed, target)
    os.chmod(target, 0o600)
    record = {"package": key, "file": str(target), **handoff_mapping(packed)}
    text = f"package: {key}\n{render_record(handoff_mapping(packed))}"
    return Answer(text=text, record=record)


def _import(call: Call, packed: HandoffPackage) -> Answer:
    received = call.session.receive_handoff(packed, confirm=False)
    facts = [{"fact": f"{fact.category}:{fact.key} = {fact.value}"} for fact in packed.facts]
    changes = {"differ_here": list(received.outdated), "missing_here": list(received.missing)}
    summary = {**handoff_mapping(packed), "new_facts": received.new_facts, **changes}
    text = render_record(summary) + render_rows("facts", facts) + received.text
    record = {**summary, "text": received.text, "tokens": received.text_tokens, "facts_known": facts}
    return Answer(text=text, record=record, delivery=received.delivery)


def _show(packed: HandoffPackage) -> Answer:
    files = [
        {"path": file.path, "mode": file.mode, "original_tokens": file.original_tokens, "changed": file.was_changed}
        for file in packed.files
    ]
    summary = handoff_mapping(packed)
    return Answer(text=render_record(summary) + render_rows("files", files), record={**summary, "files": files})


def _find(call: Call, package: str) -> HandoffPackage:
    if _KEY.fullmatch(package):
        kept = _folder(call) / f"{package}.json"
        if not kept.is_file():
            raise PathError(f"package {package} is not known here: export it from this project first")
        return read_handoff(kept)
    data = read_inside(call.project.root, package, limit_bytes=MAX_PACKAGE_BYTES + 1)
    if len(data) > MAX_PACKAGE_BYTES:
        raise InputError(f"{package} has more than {MAX_PACKAGE_BYTES >> 20} MiB: it is no handoff package")
    try:
        return decode_handoff(data.decode("ascii"), name=package)
    except UnicodeDecodeError:
        raise InputError(f"{package} is no handoff package: it is not ASCII text") from None


def _folder(call: Call) -> Path:
    return call.project.directories.store.parent / "handoffs"


HANDOFF = Tool(
    name="ctx_handoff",
    description="Hand your session over to another agent, or start with another's: context, ledger, intent, facts.",
    arguments=HandoffArguments,
    run=_run,
    is_read_only=False,
)
