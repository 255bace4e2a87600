import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.graph import load_or_build
from project_trees import FILES, all_facts, write_tree

NAMES = sorted([*FILES, "pkg/new.py", "pkg/sub/deep.py", "web/extra.js", ".gitignore", "zz.txt"])
CONTENTS = [
    "",
    "import os\n",
    "from pkg import helpers, core\n\ndef fresh_name(): pass\n",
    "class HTTPServer:\n    pass\n",
    'import {render} from "./view.js";\n',
    "*.js\n",
    "/pkg/\n!/pkg/core.py\n",
    "\0binary",
]
edit = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(CONTENTS)),
    st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("restore"), st.sampled_from(sorted(FILES)), st.just("")),
)


def apply(root: Path, action: str, name: str, content: str) -> None:
    path = root / name
    if action == "delete":
        path.unlink(missing_ok=True)
    else:
        write_tree(root, {name: content if action == "write" else FILES[name]})


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(edit, max_size=3), min_size=1, max_size=7))
def test_updated_index_equals_a_fresh_one(rounds: list[list[tuple[str, str, str]]]) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        root = folder / "tree"
        # Enough unchanged files that edits become layers instead of rebuilds.
        write_tree(
            root, {**FILES, **{f"stable/file{number}.py": f"import os\nvalue_{number} = 1\n" for number in range(30)}}
        )
        load_or_build(root, cache_directory=folder / "kept")
        for number, edits in enumerate(rounds):
            for action, name, content in edits:
                apply(root, action, name, content)
            updated = load_or_build(root, cache_directory=folder / "kept")
            fresh = load_or_build(root, cache_directory=folder / f"fresh{number}")
            assert all_facts(updated) == all_facts(fresh)
            assert updated.notices == fresh.notices
    finally:
        shutil.rmtree(folder)
