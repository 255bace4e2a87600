"""Facts that are remembered by content: always those of the text at hand, whatever stands in the memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.compress import SourceFile, parse_sources, read_source, recall_line_facts, recall_whole_nodes
from ctxsieve.compress.line_facts import LineFacts, measure_lines
from ctxsieve.languages import LANGUAGES
from integration.command import SOURCE

TEXT = '''import os


class Cache:
    """Entries by name.

        indented on purpose
    """

    def get(self, name):
        if name not in self.entries:
            raise KeyError(f"no entry {name}")
        return self.entries[name]
'''


def recalled(text: str, memory: Path, *, is_aligned: bool = True) -> SourceFile:
    source = read_source("cache.py", text.encode(), LANGUAGES["python"])
    (parsed,) = parse_sources([source], memory=memory, threads=1, is_aligned=is_aligned)
    return recall_line_facts(parsed, memory=memory)


def facts(text: str, memory: Path, *, is_aligned: bool = True) -> LineFacts:
    found = recalled(text, memory, is_aligned=is_aligned).known_lines
    assert found is not None
    return found


def entry(memory: Path) -> Path:
    (found,) = memory.glob("*.aligned_lines")
    return found


def test_facts_say_what_the_lines_say(tmp_path: Path) -> None:
    found = facts(TEXT, tmp_path)
    assert found.error_lines == [11]
    assert found.words["entries"] == [10, 12]
    assert found.spelling is not None
    assert found.spelling[9] == " def get(self, name):"
    assert len(found.line_tokens) == len(TEXT.splitlines())
    assert facts(TEXT, tmp_path, is_aligned=False).spelling is None


@pytest.mark.parametrize("is_aligned", [True, False])
def test_remembered_facts_are_those_that_were_found(tmp_path: Path, is_aligned: bool) -> None:
    first = facts(TEXT, tmp_path, is_aligned=is_aligned)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again = recalled(TEXT, tmp_path, is_aligned=is_aligned)
    assert again.known_lines == first == measure_lines(again)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == times
    assert len(times) == 2


@given(
    lines=st.lists(st.sampled_from(["", "x = 1", "    raise Error", "\tself.x = 'é'", "a\r", "def f():"]), max_size=8)
)
def test_remembered_facts_of_any_text_are_those_that_were_found(
    lines: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    memory = tmp_path_factory.mktemp("memory")
    for text in ("\n".join(lines), "\n".join([*lines, ""])):
        assert facts(text, memory) == facts(text, memory)
        assert len(facts(text, memory).line_tokens) == len(recalled(text, memory).lines)


def test_an_edited_file_has_fresh_facts(tmp_path: Path) -> None:
    facts(TEXT, tmp_path)
    edited = TEXT.replace("raise KeyError", "return print")
    assert facts(edited, tmp_path).error_lines == []
    assert facts(TEXT, tmp_path).error_lines == [11]


@pytest.mark.parametrize("suffix", ["aligned_lines", "definitions", "compress"])
def test_a_damaged_entry_is_found_out_again(tmp_path: Path, suffix: str) -> None:
    def everything() -> object:
        source = recalled(TEXT, tmp_path)
        return source.known_lines, source.parsed, recall_whole_nodes(source, memory=tmp_path)

    whole = everything()
    (place,) = tmp_path.glob(f"*.{suffix}")
    content = place.read_bytes()
    head, _, body = content.partition(b"\n")
    damages = [
        b"",
        b"\n",
        b"garbage",
        body,
        head,
        content[: len(content) // 2],
        content[:-1],
        content[:-3] + b"9" + content[-2:],
        head[::-1] + b"\n" + body,
        head + b"\n" + body.replace(b"1", b"2"),
        head + b"\n[]",
        b"0" * 64 + head[64:] + b"\n" + body,
    ]
    for damage in damages:
        place.write_bytes(damage)
        assert everything() == whole, damage[:80]
        assert place.read_bytes() == content, damage[:80]


def test_an_entry_that_cannot_be_written_is_not_remembered(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    assert facts(TEXT, place) == facts(TEXT, tmp_path / "memory")


def test_processes_that_remember_at_once_agree(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from ctxsieve.compress import parse_sources, read_source, recall_line_facts\n"
        "from ctxsieve.languages import LANGUAGES\n"
        "for turn in range(60):\n"
        "    text = f'def f{turn % 3}():\\n    raise Error\\n' * (turn % 3 + 1)\n"
        "    source = read_source('a.py', text.encode(), LANGUAGES['python'])\n"
        "    (parsed,) = parse_sources([source], memory=Path(sys.argv[1]), threads=1, is_aligned=True)\n"
        "    found = recall_line_facts(parsed, memory=Path(sys.argv[1])).known_lines\n"
        "    assert found.words[f'f{turn % 3}'] == list(range(0, 2 * (turn % 3 + 1), 2)), found\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", code, str(tmp_path)]
    running = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in running:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    assert not list(tmp_path.glob("*.tmp"))
    assert entry(tmp_path).exists()
