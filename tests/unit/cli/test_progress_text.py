"""The words of progress on standard error."""

import pytest

from ctxsieve.cli import progress


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
