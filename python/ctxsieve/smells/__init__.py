"""Smells: what is hard to change, weighted by how much rests on it."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports
from ctxsieve.smells.options import Confidence, SmellOptions

if TYPE_CHECKING:
    from ctxsieve.smells.complexity import FileFigures, FunctionFigures, measure_files
    from ctxsieve.smells.find import SmellReport, find_smells
    from ctxsieve.smells.findings import Level, Place, Smell, SmellKind
    from ctxsieve.smells.report import smells_mapping, smells_markdown, smells_text
    from ctxsieve.smells.sarif import smells_sarif

__all__ = [
    "Confidence",
    "FileFigures",
    "FunctionFigures",
    "Level",
    "Place",
    "Smell",
    "SmellKind",
    "SmellOptions",
    "SmellReport",
    "find_smells",
    "measure_files",
    "smells_mapping",
    "smells_markdown",
    "smells_sarif",
    "smells_text",
]

_HOMES = {
    "complexity": ("FileFigures", "FunctionFigures", "measure_files"),
    "find": ("SmellReport", "find_smells"),
    "findings": ("Level", "Place", "Smell", "SmellKind"),
    "report": ("smells_mapping", "smells_markdown", "smells_text"),
    "sarif": ("smells_sarif",),
}
__getattr__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names}
)
