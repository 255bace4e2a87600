"""How a tree is indexed: apart from the indexing, so that settings are read without it."""

from collections.abc import Callable

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass

__all__ = ["MOST_THREADS", "IndexOptions", "ProgressCallback"]

ProgressCallback = Callable[[str, int, int], None]

# Systems refuse to start many more.
MOST_THREADS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOptions:
    """How a tree is indexed.

    Attributes:
        max_file_bytes: larger files are listed but not read.
        threads: threads of the walk and the scan.
    """

    max_file_bytes: int = 2 << 20
    threads: int = 1

    def __post_init__(self) -> None:
        if self.max_file_bytes < 1:
            raise InputError(f"max_file_bytes is {self.max_file_bytes}: it must be 1 or more")
        if not 1 <= self.threads <= MOST_THREADS:
            raise InputError(f"threads is {self.threads}: it must be from 1 to {MOST_THREADS}")
