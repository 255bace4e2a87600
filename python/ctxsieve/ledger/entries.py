"""The values that the ledger records and returns."""

from ctxsieve.errors import InputError
from ctxsieve.ledger.options import LedgerOptions
from ctxsieve.ledger.pressure import Pressure, pressure_of
from ctxsieve.values import dataclass, field

__all__ = ["FRAMING", "Delivery", "LedgerEntry", "LedgerTotals", "SentItem"]

# Mode of the entry that carries what a delivery costs beyond its files: headers, separators, tokens that merge.
FRAMING = "framing"


@dataclass(frozen=True, slots=True)
class SentItem:
    """One file of a delivery.

    `sent_tokens` is its block counted alone, `content_hash` that of the whole file. `text_hash` is that of what was
    shown of it: a later answer that would be the very same text can be a stub; "" never matches.
    """

    path: str
    mode: str
    original_tokens: int
    sent_tokens: int
    content_hash: str
    text_hash: str = ""

    def __post_init__(self) -> None:
        if not self.path:
            raise InputError("path of a sent file is empty: name the file")
        if not self.mode or self.mode == FRAMING:
            raise InputError(f"mode of {self.path} is {self.mode!r}: name the mode it was sent in")
        for label, value in (("original_tokens", self.original_tokens), ("sent_tokens", self.sent_tokens)):
            if value < 0:
                raise InputError(f"{label} of {self.path} is {value}: it must be 0 or more")


@dataclass(frozen=True, slots=True)
class Delivery:
    """One emission to one consumer, counted as a whole."""

    id: int
    kind: str
    sent_tokens: int
    recorded_at: float
    was_received: bool


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One recorded file of a delivery; it is resident (in the consumer's window) until `ended_at`."""

    id: int
    delivery: int
    consumer: str
    path: str
    mode: str
    original_tokens: int
    sent_tokens: int
    content_hash: str
    text_hash: str
    recorded_at: float
    ended_at: float | None
    end_reason: str | None

    @property
    def is_resident(self) -> bool:
        """Whether the consumer still holds it."""
        return self.ended_at is None


@dataclass(frozen=True, slots=True)
class LedgerTotals:
    """Sums of one consumer: `emitted_tokens` only grows, `resident_tokens` is what the window holds.

    `original_tokens` is what the same files would have cost in full, as often as they were asked for; replacements
    were asked for by nobody.
    """

    window_tokens: int
    emitted_tokens: int
    resident_tokens: int
    original_tokens: int
    deliveries: int
    options: LedgerOptions = field(default_factory=LedgerOptions, kw_only=True)

    @property
    def utilisation(self) -> float:
        """Resident over window tokens."""
        return self.resident_tokens / self.window_tokens

    @property
    def pressure(self) -> Pressure:
        """What the window asks for."""
        return pressure_of(self.resident_tokens, self.window_tokens, self.options)
