"""The options that the evaluations compare: each signal switched off in turn."""

from dataclasses import replace

from ctxsieve.relevance import RelevanceOptions

ABLATIONS: dict[str, dict[str, float]] = {
    "as it is": {},
    "no file names": {"lexical.file_name": 0.0},
    "no folders": {"lexical.folders": 0.0},
    "definitions like code": {"lexical.definitions": 1.0},
    "no comments": {"lexical.comments": 0.0},
    "no strings": {"lexical.strings": 0.0},
    "no titles": {"title": 0.0},
    "no pairs of words": {"terms.pair": 0.0},
    "no abbreviations": {"terms.related": 0.0},
    "identifiers by parts only": {"terms.compound": 0.0},
    "commit words count": {"terms.commit_word": 1.0},
    "common words count": {"terms.common": 1.0},
    "no stack frames": {"traced": 0.0},
    "no test-of edges": {"test_of": 0.0},
    "roles do not matter": {"roles.test": 1.0, "roles.docs": 1.0, "roles.example": 1.0, "roles.config": 1.0},
    "no communities": {"community": 1.0},
    "heat only": {"heat_share": 1.0},
    "PageRank only": {"heat_share": 0.0},
    "no graph": {"heat_share": 1.0, "heat_retention": 1e9},
}
VARIED = (
    "title", "lexical.file_name", "lexical.definitions", "lexical.saturation", "lexical.body_length", "terms.compound",
    "terms.part", "terms.quoted", "terms.common", "seed_power", "heat_retention", "pagerank_retention", "alpha",
)  # fmt: skip
# Released packages have no history.
HISTORY_ABLATIONS: dict[str, dict[str, float]] = {
    "no messages": {"history": 0.0},
    "no tickets": {"ticket": 0.0},
    "no recency": {"recency": 0.0},
    "no co-change": {"co_change": 0.0},
    "no history at all": {},
}


def change(options: RelevanceOptions, changes: dict[str, float]) -> RelevanceOptions:
    """Return the options with dotted fields replaced."""
    for name, value in changes.items():
        group, _, field = name.rpartition(".")
        part = replace(getattr(options, group), **{field: value}) if group else value
        options = replace(options, **{group or field: part})
    return options
