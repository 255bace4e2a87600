"""What a smell is, and how severe."""

import math
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ctxsieve.graph import ProjectGraph, rank_importance
from ctxsieve.smells.options import Confidence, SmellOptions
from ctxsieve.values import dataclass

__all__ = ["Level", "Place", "Smell", "SmellKind", "Weights", "level_of"]


class SmellKind(StrEnum):
    """The kinds of smells; each is a rule of the SARIF log."""

    COGNITIVE = "cognitive-complexity"
    CYCLOMATIC = "cyclomatic-complexity"
    LONG_FUNCTION = "long-function"
    NESTING = "deep-nesting"
    PARAMETERS = "many-parameters"
    GOD_FILE = "god-file"
    CYCLE = "import-cycle"
    DUPLICATE = "duplicated-block"
    UNUSED = "unused-export"


# What one threshold's worth of each is worth.
KIND_WEIGHTS = {
    SmellKind.COGNITIVE: 1.0,
    SmellKind.CYCLOMATIC: 0.9,
    SmellKind.LONG_FUNCTION: 0.8,
    SmellKind.NESTING: 0.8,
    SmellKind.PARAMETERS: 0.6,
    SmellKind.GOD_FILE: 0.9,
    SmellKind.CYCLE: 0.5,
    SmellKind.DUPLICATE: 0.6,
    SmellKind.UNUSED: 0.4,
}
_CONFIDENCE_FACTORS = {Confidence.LOW: 0.4, Confidence.MEDIUM: 0.7, Confidence.HIGH: 1.0}
_ERROR_SEVERITY = 4.0
_WARNING_SEVERITY = 2.0


class Level(StrEnum):
    """How loud a finding is; the words are SARIF's."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Lines of a file, from 1, both included."""

    path: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Smell:
    """One finding.

    Attributes:
        kind: what it is.
        place: where.
        symbol: the function or definition; empty for files and blocks.
        value: the measured figure.
        threshold: what it exceeds.
        message: one sentence with both.
        severity: see `Weights.severity`.
        level: by severity.
        confidence: how sure it is; complexity is measured, unused exports are guessed.
        related: other places that belong to it: copies of the block, files of the cycle.
    """

    kind: SmellKind
    place: Place
    symbol: str
    value: int
    threshold: int
    message: str
    severity: float
    level: Level
    confidence: Confidence
    related: tuple[Place, ...] = ()


def level_of(severity: float) -> Level:
    """Return the level of a severity: error from 4 on, warning from 2 on."""
    if severity >= _ERROR_SEVERITY:
        return Level.ERROR
    return Level.WARNING if severity >= _WARNING_SEVERITY else Level.NOTE


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What rests on each file, 0..1 by document."""

    importance: npt.NDArray[np.float64]
    dependents: npt.NDArray[np.float64]
    options: SmellOptions

    @classmethod
    def of(cls, graph: ProjectGraph, options: SmellOptions) -> "Weights":
        """Return the weights of a graph: PageRank, and the logarithm of the number of dependents, scaled to 1."""
        count, edges = len(graph.index), graph.edges
        incoming = np.bincount(edges.pairs[:, 1], minlength=count)
        # Exact on both backends: one logarithm per distinct number.
        scaled = np.array([math.log1p(value) for value in incoming.tolist()])
        largest = scaled.max() if count else 0.0
        return cls(rank_importance(edges), scaled / largest if largest > 0 else scaled, options)

    def severity(
        self, kind: SmellKind, document: int, value: int, threshold: int, confidence: Confidence = Confidence.HIGH
    ) -> float:
        """Return kind weight x (1 + log2(value / threshold)) x (1 + importance + dependents) x confidence."""
        excess = 1.0 + math.log2(max(1.0, value / max(1, threshold)))
        blast = (
            1.0
            + self.options.importance_weight * float(self.importance[document])
            + self.options.dependents_weight * float(self.dependents[document])
        )
        return round(KIND_WEIGHTS[kind] * excess * blast * _CONFIDENCE_FACTORS[confidence], 4)

    def smell(
        self,
        kind: SmellKind,
        document: int,
        place: Place,
        *,
        value: int,
        threshold: int,
        message: str,
        symbol: str = "",
        confidence: Confidence = Confidence.HIGH,
        related: tuple[Place, ...] = (),
    ) -> Smell:
        """Return a finding with its severity."""
        severity = self.severity(kind, document, value, threshold, confidence)
        return Smell(kind, place, symbol, value, threshold, message, severity, level_of(severity), confidence, related)
