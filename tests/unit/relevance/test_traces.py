"""Stack frames of six languages."""

import pytest

from ctxsieve.relevance import find_frames

_PYTHON = """Traceback (most recent call last):
  File "app/main.py", line 3, in <module>
    run()
  File "/home/user/app/core.py", line 12, in load
KeyError: 'x'
"""
_JAVASCRIPT = """TypeError: x is undefined
    at Parser.next (/srv/app/src/parser.js:10:5)
    at async run (file:///srv/app/lib/run.mjs:4:2)
"""
_JAVA = """java.lang.NullPointerException
\tat org.example.text.Joiner.join(Joiner.java:123)
\tat java.base/java.lang.Thread.run(Thread.java:829)
"""
_GO = """goroutine 1 [running]:
main.load(0x1)
\t/home/user/app/load.go:12 +0x1d
"""
_RUST = """thread 'main' panicked at src/cell.rs:10:5:
index out of bounds
  12: app::run
             at ./src/run.rs:44:9
"""
_C = """#0  0x0000 in insert (t=0x0) at table.c:123
#1  0x0004 in main /src/main.c:55:3
"""


@pytest.mark.parametrize(
    ("trace", "frames"),
    [
        (_PYTHON, [("/home/user/app/core.py", 12), ("app/main.py", 3)]),
        (_JAVASCRIPT, [("/srv/app/src/parser.js", 10), ("/srv/app/lib/run.mjs", 4)]),
        (_JAVA, [("org/example/text/Joiner.java", 123), ("java/lang/Thread.java", 829)]),
        (_GO, [("/home/user/app/load.go", 12)]),
        (_RUST, [("src/cell.rs", 10), ("src/run.rs", 44)]),
        (_C, [("table.c", 123), ("/src/main.c", 55)]),
    ],
    ids=["python", "javascript", "java", "go", "rust", "c"],
)
def test_frames_begin_with_the_innermost(trace: str, frames: list[tuple[str, int]]) -> None:
    found = find_frames(trace)
    assert [(frame.path, frame.line) for frame in found] == frames
    assert [frame.depth for frame in found] == list(range(len(frames)))


def test_functions_are_named() -> None:
    assert find_frames(_C)[0].function == "insert"
    assert find_frames(_PYTHON)[0].function == "load"
    assert find_frames(_JAVA)[0].function == "join"


def test_compiler_message_is_a_frame() -> None:
    assert [(frame.path, frame.line) for frame in find_frames("lib/io.c:7:3: error: expected ';'")] == [("lib/io.c", 7)]


def test_prose_and_times_are_no_frames() -> None:
    assert find_frames("Released at 12:30; see section 3.4:12 of v1.2:3") == ()
