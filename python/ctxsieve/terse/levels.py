"""The four levels of compression, in order."""

from enum import StrEnum

from ctxsieve.values import dataclass

__all__ = ["CompressionLevel", "TerseOptions", "levels_up_to"]


class CompressionLevel(StrEnum):
    """How much is left out: nothing, noise, what repeats or is routine, all that carries little."""

    OFF = "off"
    LITE = "lite"
    STANDARD = "standard"
    MAX = "max"


def levels_up_to(level: CompressionLevel) -> tuple[CompressionLevel, ...]:
    """The levels above `off` up to `level`, ascending."""
    ascending = tuple(CompressionLevel)
    return ascending[1 : ascending.index(level) + 1]


@dataclass(frozen=True, slots=True)
class TerseOptions:
    """The level that governs command output, prompts and tool descriptions."""

    compression_level: CompressionLevel = CompressionLevel.STANDARD
