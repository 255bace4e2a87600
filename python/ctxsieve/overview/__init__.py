"""The map of a project: what it is made of, what it rests on, and what is close to a task."""

from typing import TYPE_CHECKING

from ctxsieve.exports import lazy_exports
from ctxsieve.overview.options import OverviewOptions

if TYPE_CHECKING:
    from ctxsieve.overview.entry_points import EntryPoint
    from ctxsieve.overview.facts import Folder, Hub, LanguageShare, ProjectFacts, RelatedFile
    from ctxsieve.overview.outlines import Outline, OutlineOptions
    from ctxsieve.overview.overview import Overview, OverviewRequest, write_overview
    from ctxsieve.overview.report import overview_mapping

__all__ = [
    "EntryPoint",
    "Folder",
    "Hub",
    "LanguageShare",
    "Outline",
    "OutlineOptions",
    "Overview",
    "OverviewOptions",
    "OverviewRequest",
    "ProjectFacts",
    "RelatedFile",
    "overview_mapping",
    "write_overview",
]

_HOMES = {
    "entry_points": ("EntryPoint",),
    "facts": ("Folder", "Hub", "LanguageShare", "ProjectFacts", "RelatedFile"),
    "outlines": ("Outline", "OutlineOptions"),
    "overview": ("Overview", "OverviewRequest", "write_overview"),
    "report": ("overview_mapping",),
}
__getattr__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names}
)
