"""Heat and PageRank over small graphs."""

from typing import Any

import numpy as np
import pytest

from ctxsieve import _kernels
from ctxsieve.relevance import RelevanceOptions
from ctxsieve.relevance.spread import EdgeList, SpreadScores, prepare_spread, rank_hubs, spread_relevance


def _edges(n: int, pairs: list[tuple[int, int]]) -> EdgeList:
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return EdgeList(n, table[:, 0], table[:, 1], np.ones(len(pairs)))


def _spread(edges: EdgeList, seeds: np.ndarray, options: RelevanceOptions | None = None) -> SpreadScores:
    options = options or RelevanceOptions()
    return spread_relevance(prepare_spread(edges, options), seeds, options)


def _seeds(n: int, *hot: int) -> np.ndarray:
    seeds = np.zeros(n)
    seeds[list(hot)] = 1.0
    return seeds


# Two triangles, 0-1-2 and 3-4-5, joined by 2-3.
_TRIANGLES = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)]


def test_heat_falls_with_the_distance() -> None:
    heat = _spread(_edges(4, [(0, 1), (1, 2), (2, 3)]), _seeds(4, 0)).heat
    assert heat[0] == 1.0 > heat[1] > heat[2] > heat[3] > 0


def test_neighbours_in_the_same_community_get_more() -> None:
    def share(factor: float) -> float:
        heat = _spread(_edges(6, _TRIANGLES), _seeds(6, 2), RelevanceOptions(community=factor)).heat
        return float(heat[0] / heat[3])

    assert share(2.0) > share(1.0)


def test_communities_that_count_no_more_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = _kernels.louvain

    def note(*rows: Any, resolution: float) -> Any:
        asked.append(len(rows))
        return real(*rows, resolution=resolution)

    monkeypatch.setattr(_kernels, "louvain", note)
    for factor, count in [(1.0, 0), (2.0, 1)]:
        _spread(_edges(6, _TRIANGLES), _seeds(6, 2), RelevanceOptions(community=factor))
        assert len(asked) == count


def test_hub_of_everybody_gets_less_than_a_shared_neighbour() -> None:
    crowd = [(node, 3) for node in range(4, 104)]
    pairs = [(0, 3), (1, 3), (0, 2), (1, 2), *crowd]
    found = _spread(_edges(104, pairs), _seeds(104, 0, 1))
    assert found.heat[2] > found.heat[3]
    assert found.pagerank[2] > found.pagerank[3]


def test_hubs_are_what_most_import() -> None:
    assert rank_hubs(_edges(4, [(0, 3), (1, 3), (2, 3)]), RelevanceOptions()).argmax() == 3


@pytest.mark.parametrize("n", [0, 1, 3])
def test_without_edges_the_seeds_stay(n: int) -> None:
    seeds = _seeds(n, *range(min(n, 1)))
    found = _spread(_edges(n, []), seeds)
    assert found.heat.tolist() == seeds.tolist()
