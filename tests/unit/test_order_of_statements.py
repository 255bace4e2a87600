"""Statements that are no definitions are never shown in another order than that of their file."""

from pathlib import Path

import numpy as np
import pytest

from ctxsieve.chunking import BRIDGE, ChunkingOptions, TopChunk
from ctxsieve.compress import ScoredFile, SourceFile, parse_sources, read_source, recall_line_facts
from ctxsieve.fragments import LineRange
from ctxsieve.languages import LANGUAGES
from ctxsieve.pipeline.anchors import anchor_rows

CALLBACK = (
    "import fs from 'fs';\n\nconst run = (job) => {\n  return job();\n};\n\n"
    "export default isSupported && function (config) {\n"
    + "".join(f"  if (config.option{n}) {{\n    use(config, {n});\n  }}\n\n" for n in range(20))
    + "  function onEnd() {\n    settle();\n  }\n\n"
    + "".join(f"  if (config.choice{n}) {{\n    take(config, {n});\n  }}\n\n" for n in range(20))
    + "};\n"
)
FUNCTIONS = "import fs from 'fs';\n\n" + "".join(
    f"function part{n}(value) {{\n" + "".join(f"  step(value, {n}, {k});\n" for k in range(12)) + "}\n\n"
    for n in range(12)
)


def source_of(text: str, memory: Path | None) -> SourceFile:
    source = read_source("job.js", text.encode(), LANGUAGES["javascript"])
    if memory is None:
        return source
    (parsed,) = parse_sources([source], memory=memory, threads=1, is_aligned=False)
    return recall_line_facts(parsed, memory=memory)


@pytest.mark.parametrize("is_native", [True, False])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("budget", [150, 400, 700])
def test_pieces_of_a_long_callback_keep_their_order(tmp_path: Path, is_native: bool, seed: int, budget: int) -> None:
    source = source_of(CALLBACK, tmp_path if is_native else None)
    scores = np.random.default_rng(seed).random(len(source.lines)) ** 4
    file = ScoredFile(source, scores, frozenset({1}), ChunkingOptions())
    rendering = file.render(budget_tokens=budget)
    assert rendering.shown
    assert BRIDGE not in rendering.content
    wanted = [source.lines[line - 1].strip() for span in rendering.shown for line in range(span.first, span.last + 1)]
    rows = [row.strip() for row in rendering.content.split("\n") if "// ..." not in row]
    assert [row for row in rows if row] == [row for row in wanted if row]
    assert file.arrangement.order(rendering.shown, len(source.lines)) == (LineRange(1, len(source.lines)),)


def test_whole_functions_are_still_ordered_by_the_task(tmp_path: Path) -> None:
    for memory in (tmp_path, None):
        source = source_of(FUNCTIONS, memory)
        scores = np.zeros(len(source.lines))
        scores[-10:] = 1.0
        rendering = ScoredFile(source, scores, frozenset({1}), ChunkingOptions()).render(budget_tokens=300)
        assert rendering.content.index("part11") < rendering.content.index("import fs")
        assert BRIDGE in rendering.content


def test_an_anchor_repeats_lines_that_say_something() -> None:
    lines = ["function part() {", "  if (ready) {", "    go(now);", "  }", "", "}", "", "  });", "]"]
    source = source_of("".join(f"{line}\n" for line in lines), None)
    whole = TopChunk("part", LineRange(1, 9))
    assert anchor_rows(source, whole, limit_tokens=60) == (
        "// anchor: part\n// function part() {\n// if (ready) {\n// go(now);\n"
    )
    assert anchor_rows(source, TopChunk("part", LineRange(4, 9)), limit_tokens=60) == ""
    assert anchor_rows(source, TopChunk("part", LineRange(5, 5)), limit_tokens=60) == ""
