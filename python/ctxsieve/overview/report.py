"""An overview as one value for machines."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ctxsieve.overview.overview import Overview

__all__ = ["overview_mapping"]


def overview_mapping(overview: Overview, *, most_hubs: int = 50) -> Mapping[str, Any]:
    """Return the text with its tokens and the facts; communities without their lists of files."""
    facts = overview.facts
    return {
        "text": overview.text,
        "tokens": overview.tokens,
        "budget_tokens": overview.budget_tokens,
        "name": facts.name,
        "description": facts.description,
        "files": facts.files,
        "lines": facts.lines,
        "bytes": facts.size_bytes,
        "dependencies": facts.edges,
        "languages": [asdict(one) for one in facts.languages],
        "folders": [asdict(one) for one in facts.folders],
        "entry_points": [asdict(one) for one in facts.entry_points],
        "hubs": [asdict(one) for one in facts.hubs[:most_hubs]],
        "communities": [
            {
                "id": one.id,
                "name": one.name,
                "files": len(one.paths),
                "tests": len(one.tests),
                "lines": one.lines,
                "cohesion": one.cohesion,
                "hubs": list(one.hubs),
            }
            for one in facts.communities.communities
        ],
        "related": [{"path": one.path, "score": one.score, "words": list(one.words)} for one in facts.related],
        "outlines": [
            {"path": one.path, "shown": one.shown, "definitions": one.definitions} for one in overview.outlines
        ],
    }
