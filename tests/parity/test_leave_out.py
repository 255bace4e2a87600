"""The native core leaves lines out of a text with the same marks, as far as the same tries parse, as its twin."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compression_rules import CODE, fixture_sources, source_of
from ctxsieve._kernels.pure.remove_nodes import leave_out as leave_it_to_the_twin
from ctxsieve.compress import CompressionOptions, Mode, SourceFile, find_whole_nodes, render_aggressive, render_full
from ctxsieve.compress import native as native_path
from ctxsieve.dedup import DedupOptions, Repeat
from ctxsieve.fragments import LineRange
from ctxsieve.pipeline import read_files
from ctxsieve.pipeline.read_together import _Part
from ctxsieve.pipeline.reading import AS_ASKED, ReadFile, Reading
from fuzz.compression_corpus import files_of_code, sample
from strategies.backends import native
from strategies.programs import programs

relaxed = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SAMPLES = {name: b"\n".join(fixture_sources(name)) for name in CODE}


def shown(source: SourceFile, *, is_whole: bool) -> ReadFile:
    """Return the file as `aggressive` shows it, or whole."""
    removal = render_aggressive(source, CompressionOptions(aggressive_share=0.8))
    rendering = render_full(source) if is_whole or removal.rendering is None else removal.rendering
    reading = Reading(
        path=source.path,
        mode=rendering.mode.value,
        reason=AS_ASKED,
        content=rendering.content,
        tokens=rendering.tokens,
        original_tokens=source.tokens,
        lines=rendering.shown,
        omitted_lines=rendering.omitted,
        encoding=source.encoding,
        lossless=True,
        language=source.language.name if source.language else "",
        content_hash="",
        data=source.data,
    )
    return ReadFile(reading, source, asked=Mode.AGGRESSIVE)


def chosen(data: st.DataObject, source: SourceFile) -> list[Repeat]:
    """Return some nodes that do not overlap, as if they stood elsewhere."""
    nodes = find_whole_nodes(source)
    wanted = data.draw(st.lists(st.sampled_from(nodes), max_size=8, unique=True)) if nodes else []
    repeats: list[Repeat] = []
    for span in sorted(wanted):
        if not repeats or repeats[-1].hidden.last < span.first:
            is_same = data.draw(st.booleans())
            repeats.append(Repeat(span, data.draw(st.sampled_from(["", "a/b */.c"])), LineRange(3, 9), is_same))
    return repeats


def assert_same(file: ReadFile, repeats: list[Repeat]) -> Reading:
    ours = _Part(file).without(repeats)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_path, "leave_out", leave_it_to_the_twin)
        twins = _Part(file).without(repeats)
    assert ours.file.reading == twins.file.reading
    assert [(piece.span, piece.is_shown) for piece in ours.pieces if not piece.is_shown] == [
        (piece.span, piece.is_shown) for piece in twins.pieces if not piece.is_shown
    ]
    return ours.file.reading


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_fixtures_are_the_same(name: str, data: st.DataObject) -> None:
    text = SAMPLES[name]
    if data.draw(st.booleans()):
        text = text.replace(b"\n", b"\r\n")
    if data.draw(st.booleans()):
        text = text.rstrip()
    start = data.draw(st.integers(0, len(text)))
    if data.draw(st.integers(0, 3)) == 0:
        text = text[:start] + data.draw(st.sampled_from([b"{", b"(", b'"', b"\n \n"])) + text[start:]
    source = source_of(name, text)
    assert_same(shown(source, is_whole=data.draw(st.booleans())), chosen(data, source))


@pytest.mark.parametrize("name", CODE)
@relaxed
@given(data=st.data())
def test_generated_programs_are_the_same(name: str, data: st.DataObject) -> None:
    source = source_of(name, data.draw(programs(name)))
    assert_same(shown(source, is_whole=data.draw(st.booleans())), chosen(data, source))


def test_marks_that_meet_become_one_and_emptied_blocks_keep_a_statement() -> None:
    long = "compute(alpha, beta, gamma, delta, epsilon, zeta, eta, theta, iota, kappa)"
    text = f"def first():\n    one = {long}\n\n    two = {long}\n\n\nlast = 1\n"
    file = shown(source_of("python", text.encode()), is_whole=True)
    repeats = [Repeat(LineRange(n, n), "a.py", LineRange(n, n), is_same=True) for n in (2, 4)]
    left = assert_same(file, repeats)
    assert left.content == "def first():\n    ...  # ... 2-3 = a.py:2, 4 = a.py:4\n\n\nlast = 1\n"
    assert left.omitted_lines == (LineRange(2, 4),)


def test_what_does_not_parse_is_found_by_halves() -> None:
    words = ", ".join(f"alpha_{n}" for n in range(20))
    text = "".join(f"def f{n}():\n    value_{n} = compute({words})\n" for n in range(6))
    file = shown(source_of("python", text.encode()), is_whole=True)
    # The head alone is no node: without it the rest does not parse.
    repeats = [Repeat(LineRange(n, n), "a.py", LineRange(n, n), is_same=True) for n in (2, 5, 6, 8)]
    left = assert_same(file, repeats)
    assert 0 < len(left.omitted_lines) < 4


def test_real_answers_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Path(__file__).parents[2]
    paths = [path.relative_to(project).as_posix() for path in sample(files_of_code([project / "python"]), 40)]
    paths += [path.relative_to(project).as_posix() for path in sample(files_of_code([project / "rust"]), 20)]
    options = DedupOptions(least_gain_tokens=1)
    ours = read_files(project, paths, "aggressive", dedup=options, threads=2)
    monkeypatch.setattr(native_path, "leave_out", leave_it_to_the_twin)
    assert ours == read_files(project, paths, "aggressive", dedup=options, threads=2)


def test_a_text_of_other_lines_is_refused() -> None:
    source = source_of("python", b"a = 1\nb = 2\n")
    file = shown(source, is_whole=True)
    removed = _Part(ReadFile(file.reading, source_of("python", b"a = 1\n"), asked=Mode.AGGRESSIVE))
    assert native.NodeRemover is not None
    with pytest.raises(ValueError, match=r"^the text of 2 lines is not that of the lines shown, and one for each gap$"):
        removed.without([Repeat(LineRange(1, 1), "", LineRange(1, 1), is_same=True)])
