"""The errors that ctxsieve raises on purpose; each derives from the builtin that a caller would expect."""


class CtxsieveError(Exception):
    """Anything that ctxsieve refuses or cannot do."""


class InputError(CtxsieveError, ValueError):
    """A value from the caller is wrong; the message names it and what is allowed (exit code 2)."""


class ConfigError(InputError):
    """A configuration file or environment variable holds an unknown key or a bad value."""


class PathError(CtxsieveError, OSError):
    """A path is missing, outside the root, or of a kind that is never opened (exit code 2)."""


class BackendError(CtxsieveError, ImportError):
    """The backend that was asked for cannot be loaded."""


class StoreError(CtxsieveError, RuntimeError):
    """The durable store is unreadable, of another version, or could not be written; nothing was overwritten."""


class ToolDeniedError(CtxsieveError, PermissionError):
    """A tool call that the profile in force does not allow; nothing was executed."""
