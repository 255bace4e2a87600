"""The bytes that are counted."""

__all__ = ["utf8_bytes"]


def utf8_bytes(text: str | bytes) -> bytes:
    """Return text as UTF-8, a lone surrogate as the replacement character; bytes are returned as they are."""
    if not isinstance(text, str):
        return text
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
