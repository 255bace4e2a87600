import subprocess
import sys

import pytest

from ctxsieve.errors import InputError
from ctxsieve.surprise import score_files, score_lines

# docs/surprise.md: the lines with the scores that were published for them, from boilerplate to logic.
REFERENCE_LINES = [
    ("return Ok(());", 0.12),
    ("use std::collections::HashMap;", 0.18),
    ("let decay = (-alpha * dist as f64).exp();", 0.89),
    ("scores[j] += heat[i] * decay / degree;", 0.94),
]


def test_reference_lines_are_ordered_and_apart() -> None:
    scores = score_lines("\n".join(line for line, _ in REFERENCE_LINES).encode()).normalised.tolist()
    for (line, published), score in zip(REFERENCE_LINES, scores, strict=True):
        print(f"{score:.2f} (published {published:.2f})  {line}")
    assert scores == sorted(scores)
    assert len(set(scores)) == 4
    assert max(scores[:2]) + 0.15 <= min(scores[2:])


def test_lines_without_text_score_nothing() -> None:
    scores = score_lines(b"\n   \t\r\n\xe3\x80\x80\n")
    assert scores.bits.tolist() == [0.0, 0.0, 0.0]
    assert scores.tokens.tolist() == [0, 0, 0]
    assert scores.normalised.tolist() == [0.0, 0.0, 0.0]


def test_white_space_around_a_line_is_not_scored() -> None:
    plain, indented = score_lines(b"return x;"), score_lines("\t  return x; \u00a0\r\n".encode())
    assert plain.bits.tobytes() == indented.bits.tobytes()
    assert plain.tokens.tobytes() == indented.tokens.tobytes()


def test_scores_are_normalised_to_0_and_1() -> None:
    scores = score_lines(b"return x;\nimport os\n\xf0\x9f\xa6\x80\xf0\x9f\xa6\x80 qzxj vkwq\n")
    assert ((scores.normalised >= 0.0) & (scores.normalised <= 1.0)).all()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_files_score_as_each_alone(threads: int) -> None:
    contents = [b"", b"a = 1\n", b"def f():\n    return 'x'\n\n# end", b"\n\n", "naïve = \u2603\n".encode() * 50]
    for scores, content in zip(score_files(contents, threads=threads), contents, strict=True):
        alone = score_lines(content)
        assert scores.bits.tobytes() == alone.bits.tobytes()
        assert scores.tokens.tobytes() == alone.tokens.tobytes()
        assert scores.normalised.tobytes() == alone.normalised.tobytes()


def test_no_files_have_no_scores() -> None:
    assert score_files([]) == []


def test_no_threads_are_refused() -> None:
    with pytest.raises(InputError, match="threads is 0: it must be 1 or more"):
        score_files([b"a"], threads=0)


def test_importing_the_package_loads_no_vocabulary() -> None:
    code = "import ctxsieve, sys; sys.exit('numpy' in sys.modules or 'tiktoken' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
