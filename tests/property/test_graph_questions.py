"""Impact, paths, cycles and exports of generated projects, against networkx."""

import json
import tempfile
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.graph import (
    ProjectGraph,
    export_graph,
    find_communities,
    find_cycles,
    find_path,
    load_or_build,
    measure_impact,
)
from project_trees import write_tree

Pairs = set[tuple[int, int]]


@st.composite
def projects(draw: st.DrawFn) -> tuple[int, Pairs]:
    """Draw a number of modules and who imports whom."""
    count = draw(st.integers(1, 12))
    module = st.integers(0, count - 1)
    pairs = draw(st.sets(st.tuples(module, module), max_size=3 * count))
    return count, {(one, other) for one, other in pairs if one != other}


def name(number: int) -> str:
    return f"m{number:02}.py"


def graph_of(count: int, pairs: Pairs) -> ProjectGraph:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files: dict[str, str | bytes] = {
            name(number): "".join(f"import m{to:02}\n" for one, to in sorted(pairs) if one == number)
            for number in range(count)
        }
        write_tree(root / "tree", files)
        return load_or_build(root / "tree", cache_directory=root / "cache")


def reference(count: int, pairs: Pairs) -> Any:
    graph = networkx.DiGraph()
    graph.add_nodes_from(name(number) for number in range(count))
    graph.add_edges_from((name(one), name(other)) for one, other in pairs)
    return graph


@settings(max_examples=40, deadline=None)
@given(project=projects())
def test_impact_is_every_ancestor_at_its_distance(project: tuple[int, Pairs]) -> None:
    graph, expected = graph_of(*project), reference(*project)
    for start in range(project[0]):
        impact = measure_impact(graph, name(start))
        distances = networkx.shortest_path_length(expected, target=name(start))
        found = {dependent.path: dependent.distance for dependent in impact.dependents}
        assert found | {name(start): 0} == dict(distances)
        assert [dependent.distance for dependent in impact.dependents] == sorted(found.values())
        assert all(expected.has_edge(dependent.path, dependent.via) for dependent in impact.dependents)
        assert impact.blast_radius == pytest.approx(sum(2.718281828459045 ** (1 - d) for d in found.values()), abs=1e-3)


@settings(max_examples=40, deadline=None)
@given(project=projects(), ends=st.tuples(st.integers(0, 11), st.integers(0, 11)))
def test_path_is_a_shortest_one(project: tuple[int, Pairs], ends: tuple[int, int]) -> None:
    graph, expected = graph_of(*project), reference(*project)
    start, end = (name(number % project[0]) for number in ends)
    found = find_path(graph, start, end)
    chain = [step.source for step in found.steps] + [step.target for step in found.steps[-1:]]
    if found.direction == "none":
        assert not networkx.has_path(expected, start, end)
        assert not networkx.has_path(expected, end, start)
        return
    first, last = (start, end) if found.direction == "depends on" else (end, start)
    assert len(found.steps) == networkx.shortest_path_length(expected, first, last)
    if found.steps:
        assert chain == min(networkx.all_shortest_paths(expected, first, last))


@settings(max_examples=40, deadline=None)
@given(project=projects())
def test_cycles_are_the_strong_components_each_with_a_cycle(project: tuple[int, Pairs]) -> None:
    graph, expected = graph_of(*project), reference(*project)
    found = find_cycles(graph)
    components = [tuple(sorted(group)) for group in networkx.strongly_connected_components(expected) if len(group) > 1]
    assert [cycle.paths for cycle in found] == sorted(components)
    for cycle in found:
        assert cycle.example[0] == cycle.paths[0]
        assert len(set(cycle.example)) == len(cycle.example)
        assert set(cycle.example) <= set(cycle.paths)
        assert all(
            expected.has_edge(one, other)
            for one, other in zip(cycle.example, (*cycle.example[1:], cycle.example[0]), strict=True)
        )


@settings(max_examples=25, deadline=None)
@given(project=projects())
def test_exports_read_back_are_the_same_graph(project: tuple[int, Pairs]) -> None:
    graph, expected = graph_of(*project), reference(*project)
    communities = find_communities(graph)
    edges = set(expected.edges)
    as_json = networkx.node_link_graph(
        json.loads(export_graph(graph, "json", communities=communities).text), edges="edges"
    )
    assert (set(as_json.nodes), set(as_json.edges)) == (set(expected.nodes), edges)
    graphml = networkx.parse_graphml(export_graph(graph, "graphml", communities=communities).text)
    paths = networkx.get_node_attributes(graphml, "path")
    assert sorted(paths.values()) == sorted(expected.nodes)
    assert {(paths[one], paths[other]) for one, other in graphml.edges} == edges
    assert all(graphml.nodes[node]["language"] == "python" for node in graphml)


@settings(max_examples=25, deadline=None)
@given(project=projects())
def test_communities_part_the_linked_files(project: tuple[int, Pairs]) -> None:
    graph = graph_of(*project)
    found = find_communities(graph)
    listed = [path for community in found.communities for path in community.paths]
    assert len(listed) == len(set(listed))
    assert len(listed) + found.files_outside + found.files_alone == project[0]
    for community in found.communities:
        inside = sum(name(one) in community.paths and name(other) in community.paths for one, other in project[1])
        touching = sum(name(one) in community.paths or name(other) in community.paths for one, other in project[1])
        assert community.cohesion == pytest.approx(inside / touching, abs=1e-4)
