"""How text that is not verbatim is spelled."""

from ctxsieve.align import AlignOptions
from ctxsieve.terse import CompressionLevel
from ctxsieve.values import dataclass, field

__all__ = ["SpellingOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellingOptions:
    """How text that is not verbatim is spelled; the level `off` leaves everything as it stands."""

    level: CompressionLevel = CompressionLevel.STANDARD
    align: AlignOptions = field(default_factory=AlignOptions)

    @property
    def aligns_source(self) -> bool:
        """Whether white space at the ends of source lines may change."""
        return self.align.source and self.level is not CompressionLevel.OFF

    @property
    def aligns_notation(self) -> bool:
        """Whether declarations in outlines may change."""
        return self.align.notation and self.level is not CompressionLevel.OFF
