"""The words of progress on standard error."""

from collections.abc import Callable

import pytest

from ctxsieve.cli import progress
from ctxsieve.cli.output import print_error, print_text


@pytest.mark.parametrize("is_terminal", [False, True])
def test_phases_are_told_in_words(
    is_terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", -1.0)
    report = progress.show_progress()
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal)
    for phase in ("walk", "scan", "resolve", "measure", "measuring"):
        report(phase, 0, 0 if phase == "walk" else 1222)
        report(phase, 0 if phase == "walk" else 1222, 0 if phase == "walk" else 1222)
    said = capsys.readouterr().err
    assert "ctxsieve: walking the tree\n" in said
    for words in ("scanning", "resolving imports of", "measuring"):
        expected = f"ctxsieve: {words} 1,222 of 1,222 files\n" if is_terminal else f"ctxsieve: {words} 1,222 files\n"
        assert expected in said


@pytest.mark.parametrize("write", [print_text, print_error])
def test_an_unfinished_line_is_erased_before_anything_else_is_written(
    write: Callable[[str], None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    progress.show_progress()("measuring files together", 1, 2)
    write("answer")
    write("more")
    said = capsys.readouterr().err
    assert said.startswith("\r\x1b[2Kctxsieve: measuring files together 1 of 2 groups\r\x1b[2K")
    assert said.count("\x1b[2K") == 2


def test_one_is_counted_in_the_singular(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    report = progress.show_progress()
    report("measuring files together", 0, 1)
    report("measuring", 0, 1)
    assert capsys.readouterr().err == "ctxsieve: measuring files together 1 group\nctxsieve: measuring 1 file\n"
