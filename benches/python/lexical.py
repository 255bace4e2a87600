"""Lexical search, our flat arrays against engines, on one tree: `python -m benches.python.lexical TREE [TERM ...]`.

Prints processor seconds to build on one thread, bytes on disk, and the best of seven times of one query. The engines
get path and body as one field; ours is the whole `load_or_build` with definitions, imports and edges. tantivy takes
part where it is installed.
"""

import importlib
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ctxsieve.graph import IndexOptions, ProjectGraph, load_or_build

TERMS = ["bulk", "create", "queryset", "sqlite"]


def timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def best_query_ms(query: Callable[[], object]) -> float:
    times = []
    for _ in range(7):
        started = time.perf_counter()
        query()
        times.append(time.perf_counter() - started)
    return min(times) * 1000


def size_megabytes(place: Path) -> float:
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file()) / 1e6


def texts(graph: ProjectGraph) -> Iterator[tuple[str, str]]:
    unscanned = {path for path, _ in graph.index.skipped}
    for path in graph.index.paths:
        if path not in unscanned:
            yield path, (graph.index.root / path).read_text("utf-8", "replace")


def report(name: str, build_seconds: float, place: Path, query_ms: float) -> None:
    print(f"| {name} | {build_seconds:.2f} | {size_megabytes(place):.1f} | {query_ms:.2f} |")


def flat_arrays(tree: Path, place: Path, terms: list[str]) -> ProjectGraph:
    graphs: list[ProjectGraph] = []
    options = IndexOptions(threads=1)
    build = timed(lambda: graphs.append(load_or_build(tree, cache_directory=place, options=options)))
    index = graphs[0].index
    report("flat arrays, with all other facts", build, place, best_query_ms(lambda: [index.postings(t) for t in terms]))
    return graphs[0]


def fts5(graph: ProjectGraph, place: Path, terms: list[str]) -> None:
    connection = sqlite3.connect(place / "fts.sqlite3")
    connection.execute("CREATE VIRTUAL TABLE documents USING fts5(text, content='')")

    def build() -> None:
        rows = ((number, f"{path}\n{text}") for number, (path, text) in enumerate(texts(graph)))
        connection.executemany("INSERT INTO documents(rowid, text) VALUES (?, ?)", rows)
        connection.commit()

    seconds = timed(build)
    query = "SELECT rowid FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT 20"
    report(
        "SQLite FTS5, contentless",
        seconds,
        place,
        best_query_ms(lambda: connection.execute(query, (" OR ".join(terms),)).fetchall()),
    )
    connection.close()


def tantivy(graph: ProjectGraph, place: Path, terms: list[str]) -> None:
    try:
        engine = importlib.import_module("tantivy")
    except ImportError:
        print("| tantivy | not installed | | |")
        return
    schema = engine.SchemaBuilder().add_text_field("text", stored=False).build()
    index = engine.Index(schema, path=str(place))

    def build() -> None:
        writer = index.writer(num_threads=1)
        for path, text in texts(graph):
            writer.add_document(engine.Document(text=f"{path}\n{text}"))
        writer.commit()
        writer.wait_merging_threads()

    seconds = timed(build)
    index.reload()
    searcher = index.searcher()
    query = index.parse_query(" ".join(terms), ["text"])
    report("tantivy", seconds, place, best_query_ms(lambda: searcher.search(query, 20)))


def main(arguments: list[str]) -> None:
    tree, terms = Path(arguments[0]), arguments[1:] or TERMS
    print(
        f"| index of {tree.name} | build, s | size, MB | query of {len(terms)} terms, ms |\n| --- | --- | --- | --- |"
    )
    with tempfile.TemporaryDirectory() as home:
        places = [Path(home, name) for name in ("flat", "fts5", "tantivy")]
        for place in places:
            place.mkdir()
        graph = flat_arrays(tree, places[0], terms)
        fts5(graph, places[1], terms)
        tantivy(graph, places[2], terms)


if __name__ == "__main__":
    main(sys.argv[1:])
