"""Says which extra to install where an adapter's framework is missing."""

__all__ = ["is_missing", "missing_extra"]


def is_missing(package: str, error: ModuleNotFoundError) -> bool:
    """Return whether it is the framework itself that is missing, not something that it imports in turn."""
    return (error.name or "").partition(".")[0] == package


def missing_extra(distribution: str, *, extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return the error to raise instead, with the name and path of the one that was caught."""
    message = f"this adapter needs {distribution}, which is not installed: pip install 'ctxsieve[{extra}]'"
    return ModuleNotFoundError(message, name=error.name, path=error.path)
