"""Taking a package over: the receiver's ledger, the shared knowledge, and the package itself."""

import os
from collections.abc import Callable
from pathlib import Path

from ctxsieve.agents.handoff import HandoffPackage, decode_handoff, encode_handoff
from ctxsieve.errors import InputError, PathError
from ctxsieve.knowledge import KnowledgeBase
from ctxsieve.ledger import ContextLedger, Delivery, SentItem
from ctxsieve.store import Store
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass

__all__ = ["ReceivedHandoff", "read_handoff", "receive_handoff", "received_handoffs", "write_handoff"]

MAX_PACKAGE_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class ReceivedHandoff:
    """What the receiver starts with: the text that it gets, its record, and what in it is out of date already.

    `new_facts` counts facts that were not known; `outdated` lists files whose content here differs from the
    package's, `missing` those that are not here at all.
    """

    package: HandoffPackage
    text: str
    text_tokens: int
    new_facts: int
    outdated: tuple[str, ...]
    missing: tuple[str, ...]
    delivery: Delivery | None


def write_handoff(package: HandoffPackage, path: str | os.PathLike[str]) -> None:
    """Write the package as one file, complete or not at all; an existing file is replaced."""
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="ascii", newline="") as file:
            file.write(encode_handoff(package))
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise PathError(f"handoff package {target} cannot be written ({error.strerror}): give another place") from error


def read_handoff(path: str | os.PathLike[str]) -> HandoffPackage:
    """Read a package and check it.

    Raises:
        PathError: the file cannot be read.
        InputError: it is no package, of another version, or was changed.
    """
    source = Path(path)
    try:
        if source.stat().st_size > MAX_PACKAGE_BYTES:
            raise InputError(f"{source} has more than {MAX_PACKAGE_BYTES >> 20} MiB: it is no handoff package")
        text = source.read_bytes().decode()
    except OSError as error:
        raise PathError(f"handoff package {source} cannot be read ({error.strerror}): check the path") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{source} is no handoff package: it is not text") from error
    return decode_handoff(text, name=str(source))


def receive_handoff(
    store: Store,
    ledger: ContextLedger,
    package: HandoffPackage,
    *,
    now_seconds: float,
    hash_of: Callable[[str], str | None],
    was_received: bool = True,
) -> ReceivedHandoff:
    """Make the package the receiver's start, as one unit: its context counts as delivered, its facts as known.

    Args:
        store: The receiver's project.
        ledger: The receiver's ledger; it takes over the sender's window size.
        package: What was handed over.
        now_seconds: The caller's clock.
        hash_of: The hash of a file's content here, None where it is missing.
        was_received: See `ContextLedger.record`.
    """
    text = package.text
    items = [
        SentItem(file.path, file.mode, file.original_tokens, count_tokens(file.text), file.content_hash, file.text_hash)
        for file in package.files
    ]
    hashes = {file.path: hash_of(file.path) for file in package.files}
    with store.transaction() as connection:
        connection.execute(
            "INSERT INTO handoffs (session, consumer, package, recorded_at) VALUES (?, ?, ?, ?)",
            (ledger.session, ledger.consumer, encode_handoff(package), now_seconds),
        )
        ledger.set_window(package.ledger.window_tokens)
        delivery = None
        if items:
            delivery = ledger.record(
                items,
                kind="handoff",
                sent_tokens=count_tokens(text),
                now_seconds=now_seconds,
                was_received=was_received,
            )
        new_facts = KnowledgeBase(store).record_all(package.facts, keep_newer=True)
    return ReceivedHandoff(
        package=package,
        text=text,
        text_tokens=count_tokens(text),
        new_facts=new_facts,
        outdated=tuple(sorted({f.path for f in package.files if hashes[f.path] not in (None, f.content_hash)})),
        missing=tuple(sorted(path for path, found in hashes.items() if found is None)),
        delivery=delivery,
    )


def received_handoffs(store: Store, *, session: str, consumer: str) -> list[HandoffPackage]:
    """The packages that a consumer received in a session, oldest first."""
    rows = store.read(
        "SELECT id, package FROM handoffs WHERE session = ? AND consumer = ? ORDER BY id", (session, consumer)
    )
    return [decode_handoff(text, name=f"stored handoff {number}") for number, text in rows]
