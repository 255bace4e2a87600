"""What a layer is, and how its work is metered."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from ctxsieve.store import LayerMetrics
from ctxsieve.values import dataclass, field

__all__ = ["Layer", "Meter", "Weight"]

Given = TypeVar("Given", contravariant=True)
Result = TypeVar("Result")
Incoming = TypeVar("Incoming")
Outgoing = TypeVar("Outgoing")


@dataclass(frozen=True, slots=True)
class Weight:
    """Tokens that came into a layer and that go out of it, for the files of one mode and language."""

    input_tokens: int
    output_tokens: int
    mode: str = ""
    language: str = ""


class Layer(Protocol[Given, Result]):
    """One step of the pipeline: a name for the metrics, and a function from its input to its output."""

    @property
    def name(self) -> str:
        """The layer's name in `metrics` and `ctxsieve stats`."""

    def run(self, given: Given, /) -> Result:
        """Return the layer's output."""

    def weigh(self, given: Given, result: Result, /) -> Sequence[Weight]:
        """Return what came in and what goes out; one weight per mode and language where files are rendered."""


@dataclass(slots=True)
class Meter:
    """Runs layers and keeps their metrics in order; the clock is the caller's, in seconds."""

    clock: Callable[[], float]
    metrics: list[LayerMetrics] = field(default_factory=list)

    def run(self, layer: Layer[Incoming, Outgoing], given: Incoming) -> Outgoing:
        """Return the layer's output and record what it cost; the duration stands on the first of its rows."""
        started = self.clock()
        result = layer.run(given)
        duration_ms = (self.clock() - started) * 1000
        for weight in layer.weigh(given, result):
            self.metrics.append(
                LayerMetrics(
                    layer.name, weight.input_tokens, weight.output_tokens, duration_ms, weight.mode, weight.language
                )
            )
            duration_ms = 0.0
        return result
