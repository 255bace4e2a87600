"""Alignment in answers: fewer tokens for the same lines, none where it is off, verbatim where promised."""

import json
from pathlib import Path

import pytest

from ctxsieve import Project
from ctxsieve.tokens import count_tokens
from integration.command import ctxsieve

BODY = "".join(
    f"    def method_{number}(self, first: int, second: str | None = None) -> str:\n"
    f"        if first == {number}:\n"
    f"            return self.parse_header(\n                first,\n                second,\n            )\n"
    f"        return second\n\n"
    for number in range(60)
)
CODE = f'"""Parsing of headers."""\n\nimport os\n\n\nclass HeaderParser:\n    """Parses headers."""\n\n{BODY}'
TASK = "fix parse_header in HeaderParser method_3"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "parser.py").write_text(CODE)
    (root / "other.py").write_text("import parser\n\n\ndef main():\n    return parser.HeaderParser()\n")
    return root


def project_of(root: Path, **environment: str) -> Project:
    places = {"CTXSIEVE_CACHE_DIR": str(root.parent / "cache"), "CTXSIEVE_STATE_DIR": str(root.parent / "state")}
    return Project.open(root, environment={**places, **environment})


def test_lines_of_a_preload_stand_in_its_text_with_other_ends_at_most(root: Path) -> None:
    answer = project_of(root).preload(TASK, budget_tokens=700)
    (file,) = [file for file in answer.files if file.path == "parser.py"]
    assert file.mode == "task"
    source = CODE.split("\n")
    stripped = [line.strip() for line in answer.text.split("\n")]
    shown = [source[line - 1].strip() for span in file.lines for line in range(span.first, span.last + 1)]
    assert shown
    assert all(line in stripped for line in shown)
    assert "\n def method_" in answer.text


def test_more_lines_fit_where_source_is_aligned(root: Path) -> None:
    aligned = project_of(root).preload(TASK, budget_tokens=2400)
    plain = project_of(root, CTXSIEVE_ALIGN_SOURCE="off").preload(TASK, budget_tokens=2400)
    for answer in (aligned, plain):
        assert 0.8 * 2400 <= answer.tokens <= 2400
    counts = [sum(s.last - s.first + 1 for f in answer.files for s in f.lines) for answer in (aligned, plain)]
    assert counts[0] > counts[1]


def test_the_level_off_is_the_identity(root: Path) -> None:
    off = project_of(root, CTXSIEVE_TERSE_COMPRESSION_LEVEL="off")
    without = project_of(root, CTXSIEVE_ALIGN_SOURCE="off", CTXSIEVE_ALIGN_NOTATION="off")
    assert off.preload(TASK, budget_tokens=700).text == without.preload(TASK, budget_tokens=700).text
    for mode in ("aggressive", "entropy", "signatures", "map"):
        (one,), (other,) = off.read(["parser.py"], mode=mode), without.read(["parser.py"], mode=mode)
        assert one.content == other.content


@pytest.mark.parametrize("mode", ["aggressive", "entropy", "signatures"])
def test_reads_cost_less_and_say_the_same_lines(root: Path, mode: str) -> None:
    (aligned,) = project_of(root).read(["parser.py"], mode=mode)
    (plain,) = project_of(root, CTXSIEVE_TERSE_COMPRESSION_LEVEL="off").read(["parser.py"], mode=mode)
    assert aligned.tokens < plain.tokens
    source = CODE.split("\n")
    content = [line.strip() for line in aligned.content.split("\n")]
    for span in aligned.lines:
        assert all(source[line - 1].strip() in content for line in range(span.first, span.last + 1))


@pytest.mark.parametrize("mode", ["full", "raw", "lines:3-40"])
def test_verbatim_modes_are_verbatim(root: Path, mode: str) -> None:
    (reading,) = project_of(root).read(["parser.py"], mode=mode)
    assert reading.content in CODE


def test_the_layer_stands_in_the_metrics(root: Path) -> None:
    answer = project_of(root).preload(TASK, budget_tokens=700)
    names = [row.layer for row in answer.metrics]
    assert names.index("compression") < names.index("terse") < names.index("delivery")
    (terse,) = [row for row in answer.metrics if row.layer == "terse"]
    compressed = sum(row.output_tokens for row in answer.metrics if row.layer == "compression")
    assert terse.input_tokens == compressed > terse.output_tokens
    # What the layer says it freed is what the shown lines cost more in the spelling of the file.
    (file,) = [file for file in answer.files if file.path == "parser.py"]
    source = CODE.split("\n")
    by_text = {line.strip(): line for line in source}
    restored = "\n".join(by_text.get(line.strip(), line) if line.strip() else line for line in file.content.split("\n"))
    assert count_tokens(restored) - count_tokens(file.content) == terse.input_tokens - terse.output_tokens


def test_stats_show_the_layer(root: Path) -> None:
    preload = ctxsieve("preload", TASK, "--path", root, "--budget", "700", "--consumer", "c", home=root.parent)
    assert preload.returncode == 0, preload.stderr
    done = ctxsieve("stats", "--path", root, "--format", "json", home=root.parent)
    assert "terse" in {row["name"] for row in json.loads(done.stdout)["layers"]}


def test_both_backends_spell_the_same(root: Path) -> None:
    texts = {
        ctxsieve(
            *("read", "parser.py", "--path", root, "--mode", "aggressive"),
            home=root.parent,
            environment={"CTXSIEVE_BACKEND": backend},
        ).stdout
        for backend in ("rust", "python")
    }
    assert len(texts) == 1
    assert texts != {b""}
