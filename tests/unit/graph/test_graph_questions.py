import json
import re
from pathlib import Path

import networkx
import pytest

from ctxsieve.errors import InputError
from ctxsieve.graph import (
    ProjectGraph,
    communities_sections,
    communities_text,
    cycles_text,
    export_graph,
    find_communities,
    find_cycles,
    find_path,
    impact_text,
    load_or_build,
    measure_impact,
    path_text,
)
from project_trees import write_tree

# Two groups of three, joined by one import, with tests on one side.
FILES: dict[str, str | bytes] = {
    "shop/orders/__init__.py": "",
    "shop/orders/order.py": "from shop.orders import line, total\n\ndef place_order(): ...\n",
    "shop/orders/line.py": "from shop.orders import total\n\ndef order_line(): ...\n",
    "shop/orders/total.py": "from shop.mail import send\n\ndef order_total(): ...\n",
    "shop/mail/__init__.py": "",
    "shop/mail/send.py": "from shop.mail import queue, template\n\ndef send_mail(): ...\n",
    "shop/mail/queue.py": "from shop.mail import template\n\ndef mail_queue(): ...\n",
    "shop/mail/template.py": "def mail_template(): ...\n",
    "tests/test_order.py": "from shop.orders import order, line\n",
    "docs/index.md": "# Shop\n",
}


def build(root: Path, files: dict[str, str | bytes]) -> ProjectGraph:
    write_tree(root / "tree", files)
    return load_or_build(root / "tree", cache_directory=root / "cache")


@pytest.fixture
def graph(tmp_path: Path) -> ProjectGraph:
    return build(tmp_path, FILES)


def test_communities_are_named_by_folder_and_words(graph: ProjectGraph) -> None:
    found = find_communities(graph)
    assert {one.folder for one in found.communities} == {"shop/mail", "shop/orders"}
    by_folder = {one.folder: one for one in found.communities}
    assert "mail" in by_folder["shop/mail"].terms
    assert "order" in by_folder["shop/orders"].terms
    assert by_folder["shop/orders"].tests == ("tests/test_order.py",)
    assert by_folder["shop/mail"].hubs[0] == "shop/mail/template.py"
    assert found.community_of("shop/mail/queue.py") == by_folder["shop/mail"]
    assert found.community_of("docs/index.md") is None


def test_community_ids_survive_a_new_member(graph: ProjectGraph, tmp_path: Path) -> None:
    more = {**FILES, "shop/mail/attachment.py": "from shop.mail import send, template\n"}
    before = {one.folder: one.id for one in find_communities(graph).communities}
    after = find_communities(build(tmp_path / "more", more))
    assert after.community_of("shop/mail/attachment.py") is not None
    assert {one.folder: one.id for one in after.communities} == before


def test_impact_keeps_tests_apart(graph: ProjectGraph) -> None:
    impact = measure_impact(graph, "shop/orders/total.py")
    assert [(one.path, one.distance) for one in impact.dependents] == [
        ("shop/orders/line.py", 1),
        ("shop/orders/order.py", 1),
    ]
    assert [(one.path, one.via, one.weight) for one in impact.tests] == [
        ("tests/test_order.py", "shop/orders/line.py", 0.367879)
    ]
    assert impact_text(impact).splitlines()[0] == (
        "shop/orders/total.py: 2 files depend on it (2 directly), 1 tests; blast radius 2.0"
    )
    assert impact_text(impact, limit=1).count("... 1 more") == 1


def test_path_is_found_in_either_direction(graph: ProjectGraph) -> None:
    there = find_path(graph, "shop/orders/order.py", "shop/mail/template.py")
    back = find_path(graph, "shop/mail/template.py", "shop/orders/order.py")
    assert (there.direction, back.direction) == ("depends on", "used by")
    assert there.steps == back.steps
    assert path_text(there).splitlines()[1:] == [
        "shop/orders/order.py",
        "-> shop/orders/total.py (import)",
        "-> shop/mail/send.py (import)",
        "-> shop/mail/template.py (import)",
    ]
    assert "do not depend on each other" in path_text(find_path(graph, "docs/index.md", "shop/mail/send.py"))
    assert "same file" in path_text(find_path(graph, "docs/index.md", "docs/index.md"))


def test_unknown_files_are_named(graph: ProjectGraph) -> None:
    with pytest.raises(InputError, match=r"'missing\.py': the graph has no such file"):
        measure_impact(graph, "missing.py")
    with pytest.raises(InputError, match=r"'missing\.py'"):
        find_path(graph, "shop/mail/send.py", "missing.py")


def test_module_trees_and_packages_are_no_cycles(tmp_path: Path) -> None:
    graph = build(
        tmp_path,
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "mod order;\npub fn total() {}\n",
            "src/order.rs": "pub fn order() {}\n",
            "main.go": "package main\nfunc main() { help() }\n",
            "help.go": "package main\nfunc help() { main() }\n",
        },
    )
    assert len(graph.edges.source) > 0
    assert find_cycles(graph) == ()
    assert cycles_text(()) == "no files import each other in a circle\n"


HOSTILE = 'a"b\\c;<d>&`e`#f]\n'


# The reader's own imports warn.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_exports_escape_what_a_name_holds(tmp_path: Path) -> None:
    import pydot

    graph = build(tmp_path, {f"{HOSTILE}.py": "import other\n", "other.py": "x = 1\n"})
    communities = find_communities(graph)
    shown = HOSTILE.replace("\n", "\\n") + ".py"
    texts = {kind: export_graph(graph, kind, communities=communities).text for kind in ("dot", "graphml", "json")}
    assert set(networkx.node_link_graph(json.loads(texts["json"]), edges="edges")) == {shown, "other.py"}
    read = networkx.parse_graphml(texts["graphml"])
    assert set(networkx.get_node_attributes(read, "path").values()) == {shown, "other.py"}
    (dot,) = pydot.graph_from_dot_data(texts["dot"])
    assert [edge.get_source() for edge in dot.get_edges()] == ["n0"]
    labels = {node.get_label() for node in dot.get_nodes() if node.get_name().startswith("n") and node.get_label()}
    assert labels == {'"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"', '"other.py"'}


def test_mermaid_labels_hold_nothing_that_ends_them(tmp_path: Path) -> None:
    graph = build(tmp_path, {f"{HOSTILE}.py": "import other\n", "other.py": "x = 1\n"})
    lines = export_graph(graph, "mermaid", communities=find_communities(graph)).text.splitlines()
    assert lines[0] == "flowchart LR"
    assert lines[1] == '    n0["a#34;b#92;c#59;#60;d#62;#38;#96;e#96;#35;f]#92;n.py"]'
    assert lines[-1] == "  n0 --> n1"


def test_export_keeps_the_most_important_files(graph: ProjectGraph) -> None:
    communities = find_communities(graph)
    found = export_graph(graph, "json", communities=communities, maximum_files=2)
    nodes = [node["id"] for node in json.loads(found.text)["nodes"]]
    assert (found.files, found.omitted_files) == (2, 7)
    assert "shop/mail/template.py" in nodes
    whole = export_graph(graph, "json", communities=communities)
    assert found.edges + found.omitted_edges == whole.edges
    with pytest.raises(InputError, match="'png': it must be one of dot, graphml, json, mermaid"):
        export_graph(graph, "png", communities=communities)
    with pytest.raises(InputError, match="maximum_files is -1"):
        export_graph(graph, "dot", communities=communities, maximum_files=-1)


def test_reports_are_one_line_per_name(tmp_path: Path) -> None:
    graph = build(tmp_path, {"a\nb/x.py": "import y\n", "a\nb/y.py": "import z\n", "a\nb/z.py": "import x\n"})
    found = find_communities(graph)
    record, tables = communities_sections(found)
    assert record["groups"] == len(tables["community"]) == 1
    assert len(communities_text(found).splitlines()) == 2
    head, row = cycles_text(find_cycles(graph)).splitlines()
    assert head == "1 group of files that import each other, each with a shortest cycle:"
    assert re.match(r"\d+ files, as .+ -> ", row)
