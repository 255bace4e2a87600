from collections.abc import Sequence
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from ctxsieve._kernels.repeat_search import AnswerFile

__version__: str

def count_tokens(data: bytes) -> int: ...
def count_lines(data: bytes) -> NDArray[np.uint32]: ...
def encode_tokens(data: bytes) -> NDArray[np.uint32]: ...
def decode_tokens(ids: Sequence[int]) -> bytes: ...
def forget_pretokens() -> None: ...  # gives memory back; the next count starts cold
def walk_tree(root: bytes, with_git_rules: bool, threads: int) -> tuple[Any, ...]: ...
def find_path_words(
    paths: bytes, words: Sequence[bytes]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.int64]]: ...
def find_texts(offsets: object, blob: object, queries: Sequence[bytes]) -> NDArray[np.int64]: ...
def sha256(data: bytes) -> bytes: ...
def scan_record(data: bytes, language: int, tables: Sequence[bytes]) -> bytes: ...
def build_segment(
    root: bytes,
    paths: Sequence[bytes],
    languages: NDArray[np.int16],
    tables: Sequence[bytes],
    max_bytes: int,
    threads: int,
    output: bytes,
) -> None: ...
def query_captures(
    sources: Sequence[bytes], capsule: object, query: str, parse_limit: int, match_limit: int, threads: int
) -> tuple[Any, ...] | None: ...

_FoundNodes = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], int, bool, object | None]

# Choice, kept lines, whether aligned, whether the tree is kept, tokens of a gap, limits of parser and matches, words
# and digits above ASCII.
AskedRemoval = tuple[list[float], bytes, bool, bool, float, int, int, str, str]
RemovedFields = tuple[int, str | None, int, NDArray[np.uint32], _FoundNodes, int | None]

class NodeRemover:
    """One language; see `RemovedNodes` and `FoundNodes` for what comes out."""

    def __init__(self, capsule: object, table: str) -> None: ...
    def remove(self, source: str, asked: AskedRemoval) -> RemovedFields: ...
    def find(self, source: str, *, parse_limit: int, match_limit: int) -> _FoundNodes: ...
    def leave_out(
        self,
        source: str,
        content: str,
        *,
        tokens: int,
        shown: Any,
        gaps: Any,
        hidden: Any,
        notes: Sequence[str],
        nodes: Any,
        blocks: Any,
        error_nodes: int,
        tree: object | None,
        parse_limit: int,
        tried_texts: int,
    ) -> tuple[str, int, NDArray[np.uint32]] | None: ...

class RemovalQueue:
    """Files that lose nodes in threads of its own, in the order in which they are added."""

    def __init__(self, threads: int) -> None: ...
    def add(self, remover: NodeRemover, source: str, asked: AskedRemoval) -> int: ...
    def take(self, number: int) -> RemovedFields: ...
    def close(self) -> None: ...

class RepeatSearch:
    """The search for repeats in one answer, file by file; see `find_repeats`."""

    def __init__(
        self,
        files: Sequence[AnswerFile],
        *,
        relevance_weight: float,
        least_relevance: float,
        least_gain_tokens: int,
        lines_together: int,
        threads: int,
    ) -> None: ...
    def next_file(self) -> int | None: ...
    def plan(self, text: str, nodes: Any, comments: Any, *, words: str, digits: str) -> None: ...
    def repeats(self) -> NDArray[np.uint32]: ...

def score_lines(
    count: int,
    *,
    lines: Any,  # int64, from 0; ascending by line and term, each pair once
    terms: Any,  # int64, one per line
    shares: Any,  # float64, one per line
    weights: Any,  # float64, one per term
    spans: tuple[Sequence[int], Sequence[int], Sequence[int]],
    named: Sequence[float],
    options: Sequence[float],
) -> NDArray[np.float64]: ...

class ScoredChunks:
    """One file in chunks, with how much each is about a task; see `ctxsieve.compress.scored_file`."""

    def columns(
        self,
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
    def choose(self, budget_tokens: int, structure_first: bool) -> tuple[str, list[tuple[int, int]], int]: ...

def chunk_file(
    text: str,
    spelling: str | None,
    *,
    line_tokens: Sequence[int],
    tokens: int,
    scores: Any,  # float64, one per line
    roles: bytes,
    spans: tuple[Sequence[int], Sequence[int], Sequence[int]],
    signatures: tuple[Sequence[int], Sequence[int]],
    import_lines: Sequence[int],
    limits: tuple[int, int, int],
    is_ordered: bool,
    match_share: float,
    comment: tuple[str, str],
    layout: bytes = b"",
) -> ScoredChunks | None: ...
def syntax_nodes(sources: Sequence[bytes], capsule: object, parse_limit: int, threads: int) -> tuple[Any, ...]: ...

# Arguments are contiguous one-dimensional buffers: numpy arrays, array.array, memoryview, bytes.
# Anything else is a ValueError that names the argument, as is every value out of range. All kernels
# release the interpreter lock, and Ctrl-C interrupts them.

def heat(
    indptr: Any,  # int64, nodes + 1
    indices: Any,  # uint32, one per entry
    weights: Any,  # float64, one per entry: 0 or from 1e-100 to 1e100, symmetric
    *,
    seeds: Any,  # float64, one per node
    decay_factors: Any,  # float64, one per hop, beginning with hop 0
) -> NDArray[np.float64]: ...

@final
class HeatGraph:
    """A graph prepared once: a copy of the rows, their sums and, from the first dense hop on, the transposition.

    Its values never change: threads may share it. `diffuse` returns the bits of `heat` in less time; what the
    transposition takes pays after a few calls.
    """

    def __new__(cls, indptr: Any, indices: Any, weights: Any) -> Self: ...  # as in `heat`
    @property
    def nodes(self) -> int: ...
    @property
    def entries(self) -> int: ...
    def diffuse(
        self,
        *,
        seeds: Any,
        decay_factors: Any,
        communities: Any | None = None,  # int64, one per node, -1 for none
        inside_factor: float = 1.0,  # of entries between two nodes of one community: 0 or from 1e-50 to 1e50
    ) -> NDArray[np.float64]: ...

def build_csr(
    nodes: int,
    sources: Any,  # int64, one per edge
    targets: Any,  # int64
    weights: Any,  # float64: 0 or from 1e-100 to 1e100
    *,
    both_ways: bool,  # each edge also from its target to its source
    loop_weight: float,  # of an edge from every node to itself; 0 for none
) -> tuple[
    NDArray[np.int64], NDArray[np.uint32], NDArray[np.float64]
]: ...  # columns ascend, entries of one place added
def pagerank(
    indptr: Any,
    indices: Any,
    weights: Any,  # from a node to those it points to
    *,
    personalisation: Any | None,  # float64, one per node; None is uniform
    damping: float,  # from 0 to 1
    tolerance: float,  # of the L1 change
    max_iterations: int,  # 1 or more
) -> tuple[NDArray[np.float64], int, float]: ...  # scores, iterations, last L1 change
def louvain(
    indptr: Any,
    indices: Any,
    weights: Any,  # symmetric
    *,
    resolution: float,
) -> tuple[NDArray[np.uint32], float, int]: ...  # labels, modularity, levels
def rrf(
    signals: Sequence[Any],  # float64 each, of one length
    *,
    largest_first: Sequence[bool],  # per signal: whether rank 1 is the largest value
    k: float,
) -> NDArray[np.float64]: ...
def mmr(
    text: Any,  # uint8: white-space-normalised lines of UTF-8, one after the other
    offsets: Any,  # int64, lines + 1
    *,
    relevance: Any,  # float64 from 0 to 1, one per line
    lambda_: float,  # from 0 to 1
    max_selected: int,  # 0 or more
) -> tuple[
    NDArray[np.uint8],  # 0 kept, 1 suppressed, 2 exempt (under 4 characters), 3 unreached
    NDArray[np.int64],  # the most similar selected line, or -1
    NDArray[np.float64],  # the similarity with it
]: ...
def mmr_in_order(
    text: Any,  # as for mmr
    offsets: Any,
    *,
    relevance: Any,
    lambda_: float,
) -> tuple[
    NDArray[np.uint8],  # 0 kept, 1 suppressed, 2 exempt
    NDArray[np.int64],  # of a suppressed line: the most similar line kept before it; else -1
    NDArray[np.float64],  # of a suppressed line: the similarity with it; else 0
]: ...
def surprise(costs: object, offsets: object, *, units_per_bit: float) -> NDArray[np.float64]: ...
def surprise_lines(
    buffers: Sequence[bytes], *, threads: int
) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.float64], NDArray[np.int64]]: ...
