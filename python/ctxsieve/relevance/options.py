"""Every weight of the ranking, in one place (docs/relevance.md has what each is worth)."""

from dataclasses import fields

from ctxsieve.errors import InputError
from ctxsieve.values import dataclass, field

__all__ = ["HistoryOptions", "LexicalWeights", "LineOptions", "RelevanceOptions", "RoleWeights", "TermWeights"]


def _check_not_negative(options: object) -> None:
    for entry in fields(options):  # type: ignore[arg-type]
        value = getattr(options, entry.name)
        if isinstance(value, (int, float)) and not value >= 0:
            raise InputError(f"{entry.name} is {value}: it must be 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class TermWeights:
    """How much a term of the task counts, by how the task writes it; factors multiply.

    `compound` is an identifier of several parts as a whole, `part` one of its parts, `pair` two neighbouring words
    read as one identifier ("shell completion" for `shell_completion`). `quoted` is a factor of what stands in quotes or
    back ticks, except for parts, `code` of words that are called or qualified, `after_first_line` of what only stands
    below the first line, `commit_word` of "fix", "add" and the like, `common` of the most common words of source code
    (rarer ones keep more, most words all of it); `related` is the share of abbreviations and synonyms.
    """

    word: float = 1.0
    compound: float = 1.5
    part: float = 0.6
    pair: float = 0.7
    quoted: float = 3.3
    code: float = 1.3
    after_first_line: float = 0.43
    commit_word: float = 0.2
    common: float = 0.2
    related: float = 0.5

    def __post_init__(self) -> None:
        _check_not_negative(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalWeights:
    """BM25F: a weight and a length normalisation (0..1) per field, one saturation for all."""

    file_name: float = 10.0
    folders: float = 1.9
    definitions: float = 3.0
    comments: float = 0.6
    strings: float = 0.6
    code: float = 1.0
    path_length: float = 0.3
    definitions_length: float = 0.26
    body_length: float = 0.6
    saturation: float = 3.0

    def __post_init__(self) -> None:
        _check_not_negative(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleWeights:
    """Share of its score that a file keeps by its role, unless the task asks for that role."""

    test: float = 0.1
    docs: float = 0.06
    example: float = 0.25
    config: float = 0.16
    data: float = 0.1
    vendored: float = 0.2
    generated: float = 0.2
    minified: float = 0.02
    binary: float = 0.0
    declaration: float = 0.4
    asked_factor: float = 2.5

    def __post_init__(self) -> None:
        _check_not_negative(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOptions:
    """Weights of `score_lines`; edited lines of real commits move by a point or less when one of them doubles.

    Attributes:
        near_lines: decay of a word's weight with the distance in lines.
        definition: weight of the definition's score against that of the words near a line.
        name: further weight of a word that is part of the definition's name.
        inherited: share of its score that a definition hands to those inside it.
        imports: added to import statements near the head of the file: new code needs new imports.
        traced: added to lines that a stack frame names.
    """

    near_lines: float = 4.0
    definition: float = 1.0
    name: float = 0.5
    inherited: float = 0.2
    imports: float = 0.15
    traced: float = 1.0
    usual_length: float = 20.0
    length_power: float = 0.3

    def __post_init__(self) -> None:
        _check_not_negative(self)
        for name in ("near_lines", "usual_length"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} is {getattr(self, name)}: it must be above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceOptions:
    """Options of `rank_files`.

    Attributes:
        heat_share: of the final score; PageRank has the rest (docs/relevance.md).
        alpha: decay of the heat per hop.
        threshold: share of the top score under which files are left out.
        title: weight of the share of a file's name that the task says.
        history: weight of past commits whose messages resemble the task.
        history_power: above 1, few similar commits count more than many vague ones.
        ticket: weight of the share of a ticket's past commits that changed the file, where the task names the ticket.
        recency: weight of having changed lately, `recency_commits` its decay in commits.
        co_change: weight of changing together with the best matches.
        test_of: weight of a match in the file's test.
        mentioned: added for a path that the task names; `traced` for a stack frame.
        seed_power: what the seeds are raised to; 1 leaves a long tail of weak matches.
        least_seed: seeds under this share of the best are none: thousands of weak matches would heat every hub.
        hub_importers: an edge to a file with more importers weighs less in proportion: what everybody includes says
            nothing about the task.
        heat_retention: weight of an edge from every file to itself in the heat's graph, where an import weighs 1;
            `pagerank_retention` the same for PageRank.
        community: factor of edges inside a community.
        max_terms: most terms of a task that are searched for.
        hubs: number of files named when nothing matches.
    """

    terms: TermWeights = field(default_factory=TermWeights)
    lexical: LexicalWeights = field(default_factory=LexicalWeights)
    roles: RoleWeights = field(default_factory=RoleWeights)
    lines: LineOptions = field(default_factory=LineOptions)
    heat_share: float = 0.7
    alpha: float = 1.0
    damping: float = 0.85
    threshold: float = 0.04
    title: float = 0.3
    history: float = 0.625
    history_power: float = 2.4
    history_message_terms: float = 5.0
    history_commits: float = 1500.0
    history_commit_size: float = 0.7
    ticket: float = 0.3
    recency: float = 0.3
    recency_commits: float = 45.0
    co_change: float = 0.2
    co_change_commits: float = 250.0
    test_of: float = 0.16
    mentioned: float = 1.0
    traced: float = 1.5
    seed_power: float = 2.0
    least_seed: float = 0.15
    hub_importers: float = 32.0
    heat_retention: float = 5.0
    pagerank_retention: float = 100.0
    community: float = 1.25
    max_terms: int = 48
    hubs: int = 10

    def __post_init__(self) -> None:
        _check_not_negative(self)
        for name in ("heat_share", "damping", "threshold"):
            if getattr(self, name) > 1:
                raise InputError(f"{name} is {getattr(self, name)}: it must be from 0 to 1")
        if self.max_terms < 1:
            raise InputError(f"max_terms is {self.max_terms}: it must be 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryOptions:
    """How much history is read: the newest `max_commits` without merges; those of more than `max_files` say nothing."""

    max_commits: int = 2_000
    max_files: int = 40

    def __post_init__(self) -> None:
        for name, value in (("max_commits", self.max_commits), ("max_files", self.max_files)):
            if value < 0:
                raise InputError(f"{name} is {value}: it must be 0 or more")
