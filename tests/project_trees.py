"""Small project trees for tests of the index, and the facts by which two graphs are compared."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from ctxsieve.graph import ProjectGraph

FILES = {
    "pkg/__init__.py": "from pkg.core import run\n",
    "pkg/core.py": '"""Runs things."""\nimport os\nfrom . import helpers\n\n\n'
    "def run(taskName):\n    return helpers.go(taskName)\n",
    "pkg/helpers.py": "import json\n\n\nclass HTTPServer:\n    pass\n\n\ndef go(x):  # goes there\n    return 'gone'\n",
    "web/app.js": 'import {render} from "./view.js";\nexport function start() { return render("hello") }\n',
    "web/view.js": "export function render(text) { return text }\n",
    "src/main.c": '#include "util.h"\n\nint main(void)\n{\n\treturn answer();\n}\n',
    "src/util.h": "int answer(void);\n",
    "README.md": "# Title\n\nSome words about the HTTPServer.\n",
    "data.json": '{"name": "value"}\n',
}


def write_tree(root: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def all_facts(graph: ProjectGraph) -> dict[str, Any]:
    """Return every public fact of a graph in a comparable form."""
    index = graph.index
    terms = [term for first in _first_characters(graph) for term in index.terms_with_prefix(first)]
    statements = index.statements()
    documents = range(len(index))
    definitions = [list(index.definitions(document)) for document in documents]
    names = sorted({definition.name for found in definitions for definition in found})
    return {
        "paths": list(index.paths),
        "languages": list(index.languages),
        "roles": list(index.roles),
        "skipped": list(index.skipped),
        "repositories": list(index.repositories),
        "sizes": index.size_bytes.tolist(),
        "lines": index.line_counts.tolist(),
        "lengths": index.lengths.tolist(),
        "flags": index.flags.tolist(),
        "encodings": [index.encoding(document) for document in documents],
        "hashes": [index.sha256(document) for document in documents],
        "terms": terms,
        "postings": {term: [part.tolist() for part in index.postings(term)] for term in terms},
        "definitions": definitions,
        "defining": {name: index.documents_defining(name).tolist() for name in names},
        "imports": [list(index.imports(document)) for document in documents],
        "statements": [statements.texts, *(part.tolist() for part in (statements.documents, statements.text_ids))],
        "edges": [part.tolist() for part in (graph.edges.source, graph.edges.target, graph.edges.kind)],
    }


def _first_characters(graph: ProjectGraph) -> list[str]:
    assert graph.index.terms_with_prefix("\x00") == []
    return ["_", *"abcdefghijklmnopqrstuvwxyz", *map(chr, range(0x80, 0x400))] if len(graph.index) else []


def age(root: Path, seconds: int = 100) -> None:
    """Set all times of a tree back, so that no file is racily recent (the change time cannot be set)."""
    for path in root.rglob("*"):
        if path.is_file() and not path.is_symlink():
            status = path.stat()
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - seconds * 10**9))


def same_array(left: Any, right: Any) -> bool:
    return bool(np.array_equal(left, right)) and left.dtype == right.dtype
