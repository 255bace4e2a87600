"""Files read in one answer lose what stands there already, parse as well as before, and say where everything is."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compression_rules import CODE, fixture_sources, is_same_syntax
from ctxsieve.compress import Mode, Piece, Rendering, leave_out, read_source
from ctxsieve.dedup import DedupOptions
from ctxsieve.fragments import LineRange
from ctxsieve.languages import LANGUAGES, Language, parse
from ctxsieve.pipeline import Reading, read_files
from strategies.programs import programs

relaxed = settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
SAMPLES = {name: b"\n".join(fixture_sources(name)) for name in CODE}
RANGE = re.compile(r"(\d+)(?:-(\d+))?(?: (=|like) (?:(\S+):)?(\d+)(?:-(\d+))?)?$")


def check(root: Path, data: dict[str, bytes], mode: str) -> None:
    """Read the files together with and without repeats, and hold the answer to the rules."""
    for path, content in data.items():
        (root / path).write_bytes(content)
    whole = read_files(root, list(data), mode, dedup=DedupOptions(enabled=False))
    answer = read_files(root, list(data), mode, dedup=DedupOptions(least_gain_tokens=1))
    for before, after in zip(whole, answer, strict=True):
        assert after.tokens <= before.tokens
        assert set(lines_of(after.lines)) <= set(lines_of(before.lines))
        if after.content != before.content:
            check_text(before, after)
            check_places(after, answer)


def check_text(before: Reading, after: Reading) -> None:
    source = read_source(after.path, after.data, LANGUAGES[after.language])
    language = LANGUAGES[after.language]
    content = after.content.encode()
    assert parse(content, language).error_nodes <= source.parsed.error_nodes
    rendering = Rendering(Mode(after.mode), after.content, after.lines, after.omitted_lines)
    if source.parsed.error_nodes == 0:
        assert is_same_syntax(source, language, rendering, content)
    if after.language == "python" and compiles(before.data):
        assert compiles(content)
    assert sorted(lines_of(after.lines) + lines_of(after.omitted_lines)) == list(range(1, len(source.lines) + 1))
    named = [line for first, last, *_ in marks(after) for line in range(first, last + 1)]
    assert named == lines_of(after.omitted_lines)


def check_places(after: Reading, answer: tuple[Reading, ...]) -> None:
    files = {reading.path: reading for reading in answer}
    for first, last, relation, path, at in marks(after):
        if relation == "=":
            place = files[path or after.path]
            here, there = ([" ".join(line.split()) for line in r.data.decode().split("\n")] for r in (after, place))
            hidden = here[first - 1 : last]
            # Blank lines at the end belong to the mark, not to the place.
            while hidden and not hidden[-1]:
                hidden.pop()
            assert hidden == there[at - 1 : at - 1 + len(hidden)]


def marks(reading: Reading) -> Iterator[tuple[int, int, str, str, int]]:
    """Yield (first line, last line, relation, path, first line there) of everything that the marks name."""
    rows = reading.content.split("\n")
    spans = sorted(
        [(s.first, s.last, True) for s in reading.lines] + [(s.first, s.last, False) for s in reading.omitted_lines]
    )
    at = 0
    for first, last, is_shown in spans:
        if is_shown:
            at += last - first + 1
            continue
        for named in parts_of(rows[at], LANGUAGES[reading.language]):
            yield int(named[1]), int(named[2] or named[1]), named[3] or "", named[4] or "", int(named[5] or 0)
        at += 1


def parts_of(mark: str, language: Language) -> list[re.Match[str]]:
    """Return what a mark names, part by part."""
    text = mark.rstrip("\r\n").rsplit("... ", 1)[1]
    closing = (
        "" if language.comments.line is not None or language.comments.block is None else language.comments.block[1]
    )
    found = [RANGE.match(part) for part in text.removesuffix(closing).rstrip().split(", ")]
    assert all(found), mark
    return [named for named in found if named]


def lines_of(spans: tuple[LineRange, ...]) -> list[int]:
    return [line for span in spans for line in range(span.first, span.last + 1)]


def compiles(data: bytes) -> bool:
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


@pytest.mark.parametrize("name", CODE)
def test_the_same_file_twice_is_one_mark_or_few(name: str, tmp_path: Path) -> None:
    ending = f".{LANGUAGES[name].extensions[0]}"
    check(tmp_path, {f"one{ending}": SAMPLES[name], f"other{ending}": SAMPLES[name]}, "aggressive")


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_generated_programs_read_together_parse_and_name_every_hidden_line(
    name: str, data: st.DataObject, tmp_path: Path
) -> None:
    ending = f".{LANGUAGES[name].extensions[0]}"
    texts = [data.draw(programs(name)) for _ in range(3)]
    mode = data.draw(st.sampled_from(["aggressive", "entropy:0.8"]))
    check(tmp_path, {f"f{number}{ending}": text for number, text in enumerate(texts)}, mode)


def test_threads_change_nothing(tmp_path: Path) -> None:
    paths = []
    for number in range(6):
        for name in ("python", "rust", "java"):
            path = f"f{number}.{LANGUAGES[name].extensions[0]}"
            (tmp_path / path).write_bytes(SAMPLES[name])
            paths.append(path)
    one, many = (read_files(tmp_path, paths, "aggressive", threads=threads) for threads in (1, 3))
    assert one == many
    assert sum(reading.tokens for reading in one) < sum(
        reading.tokens for reading in read_files(tmp_path, paths, "aggressive", dedup=DedupOptions(enabled=False))
    )


@pytest.mark.parametrize("mode", ["full", "raw", "lines:1-3", "map"])
def test_what_is_verbatim_or_an_outline_loses_nothing(mode: str, tmp_path: Path) -> None:
    for name in ("one.py", "other.py"):
        (tmp_path / name).write_bytes(SAMPLES["python"])
    together = read_files(tmp_path, ["one.py", "other.py"], mode)
    assert [reading.content for reading in together] == [
        read_files(tmp_path, [path], mode)[0].content for path in ("one.py", "other.py")
    ]


def test_a_file_that_would_come_whole_loses_what_stands_there_already(tmp_path: Path) -> None:
    repeated = "from alpha.beta.gamma import delta, epsilon, zeta\nfrom alpha.beta.theta import iota, kappa\n"
    rest = "from omega import omicron\n\nLIMIT = alpha.beta.gamma.delta(epsilon, zeta, alpha.beta.theta.iota, kappa)\n"
    (tmp_path / "one.py").write_text(repeated)
    (tmp_path / "other.py").write_text(repeated + rest)
    one, other = read_files(tmp_path, ["one.py", "other.py"], "aggressive")
    assert (one.mode, one.content) == ("full", repeated)
    assert (other.mode, other.reason) == ("aggressive", "as asked")
    assert other.content == f"# ... 1-2 = one.py:1\n{rest}"


def test_prose_loses_lines_that_stand_word_by_word_before_but_no_headings(tmp_path: Path) -> None:
    rules = "".join(f"Rule {n} of this project says what has to be done in its case.\n" for n in "abcdef")
    (tmp_path / "one.md").write_text(f"# One\n\n{rules}")
    (tmp_path / "other.md").write_text(f"# Other\n\n{rules.replace('Rule a', 'Rule z')}\n# One\n\nIts own text.\n")
    _, other = read_files(tmp_path, ["one.md", "other.md"], "aggressive")
    assert "Rule z" in other.content
    assert "... 4-8 = one.md:4" in other.content
    assert "# One\n" in other.content
    assert "Its own text." in other.content


SOURCE = read_source("a.py", b"".join(b"line_%d = 1\n" % n for n in range(1, 21)), LANGUAGES["python"])


@given(st.lists(st.integers(1, 20), unique=True))
def test_every_line_is_shown_or_named_by_one_mark(starts: list[int]) -> None:
    pieces = []
    for first, last, is_shown in ((1, 4, True), (5, 6, False), (7, 8, True), (9, 12, False), (13, 20, True)):
        span = LineRange(first, last)
        pieces.append(Piece(span, SOURCE.text_of(span) if is_shown else f"# ... {span.numbers}\n", is_shown))
    hidden = [(LineRange(n, n), " = b.py:1") for n in sorted(starts)]
    left = leave_out(SOURCE, pieces, hidden)
    seen: list[int] = []
    for piece in left:
        if piece.is_shown:
            assert piece.text == SOURCE.text_of(piece.span)
            seen += range(piece.span.first, piece.span.last + 1)
        else:
            for named in parts_of(piece.text, LANGUAGES["python"]):
                seen += range(int(named[1]), int(named[2] or named[1]) + 1)
    assert seen == list(range(1, 21))
    assert not any(not one.is_shown and not other.is_shown for one, other in pairwise(left))
