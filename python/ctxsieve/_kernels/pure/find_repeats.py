"""Without the native core nothing is searched for here: the Python of `ctxsieve.dedup` is the twin."""

__all__ = ["find_repeats"]


def find_repeats(*_files: object, **_options: object) -> None:
    """Return None: the caller has to do it."""
