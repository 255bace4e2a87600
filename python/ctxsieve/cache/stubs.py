"""The line that answers a second read of what the consumer already has."""

from ctxsieve.tokens import count_tokens

__all__ = ["reread_stub"]


def reread_stub(path: str, mode: str, *, instead_of: str) -> str | None:
    """A line of about 13 tokens that stands for text which the consumer received and still holds.

    The caller has made sure of that by the hash of the very text (`ContextLedger.received_entry`).

    Returns:
        The stub, or None where it would cost as much as the text itself.
    """
    stub = f"{path}: unchanged, already sent ({mode})\n"
    return stub if count_tokens(stub) < count_tokens(instead_of) else None
