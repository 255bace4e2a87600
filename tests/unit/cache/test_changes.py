import subprocess
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxsieve.cache import diff_contents

lines = st.lists(st.sampled_from(["a\n", "b\n", "\n", "  c\n", "d\r\n", "x\x0cy\n"]), max_size=30)
texts = st.tuples(lines, st.sampled_from(["", "end", "a"])).map(lambda parts: "".join(parts[0]) + parts[1])


def apply(old: str, diff: str) -> str:
    """Carry out unified hunks; every context and removed line must be there."""
    source = [line + "\n" for line in old.split("\n")]
    source[-1] = source[-1][:-1]
    if source[-1] == "":
        source.pop()
    result: list[str] = []
    position = 0
    rows = diff.split("\n")[2:-1]
    for number, row in enumerate(rows):
        if row.startswith("@@"):
            start, count = (int(part) for part in row.split()[1][1:].split(","))
            begin = start - 1 if count else start
            result += source[position:begin]
            position = begin
            continue
        if row.startswith("\\"):
            continue
        bare = number + 1 < len(rows) and rows[number + 1].startswith("\\")
        line = row[1:] + ("" if bare else "\n")
        if row[0] in " -":
            assert source[position] == line
            position += 1
        if row[0] in " +":
            result.append(line)
    return "".join(result + source[position:])


@given(texts, texts)
def test_diff_leads_from_old_to_new(old: str, new: str) -> None:
    diff = diff_contents("a.py", old, new)
    assert (diff == "") == (old == new)
    if diff:
        assert apply(old, diff) == new


@settings(max_examples=25, deadline=None)
@given(texts.filter(lambda text: "\r" not in text), texts.filter(lambda text: "\r" not in text))
def test_patch_accepts_the_diff(tmp_path_factory: object, old: str, new: str) -> None:
    directory: Path = tmp_path_factory.mktemp("patch")  # type: ignore[attr-defined]
    target = directory / "a.py"
    target.write_bytes(old.encode())
    diff = diff_contents("a.py", old, new)
    if not diff:
        return
    (directory / "change.diff").write_bytes(diff.encode())
    done = subprocess.run(
        ["git", "apply", "--unsafe-paths", "-p0", "--unidiff-zero", "change.diff"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert target.read_bytes().decode() == new


def test_small_edit_in_a_large_file_is_a_small_diff() -> None:
    old = "".join(f"line {n}\n" for n in range(5000))
    new = old.replace("line 2500\n", "changed\n").replace("line 4000\n", "")
    assert diff_contents("a.py", old, new) == (
        "--- a.py (as you last saw it)\n+++ a.py\n"
        "@@ -2498,7 +2498,7 @@\n line 2497\n line 2498\n line 2499\n"
        "-line 2500\n+changed\n line 2501\n line 2502\n line 2503\n"
        "@@ -3998,7 +3998,6 @@\n line 3997\n line 3998\n line 3999\n-line 4000\n line 4001\n line 4002\n line 4003\n"
    )


def test_new_and_emptied_files() -> None:
    assert diff_contents("a", "", "x\n").endswith("@@ -0,0 +1,1 @@\n+x\n")
    assert diff_contents("a", "x\n", "").endswith("@@ -1,1 +0,0 @@\n-x\n")


def test_huge_rewrites_stay_bounded() -> None:
    old = "".join(f"a{n}\n" for n in range(30_000))
    new = "".join(f"b{n}\n" for n in range(30_000))
    assert apply(old, diff_contents("a", old, new)) == new
