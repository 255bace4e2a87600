import os
from pathlib import Path

import pytest

from ctxsieve.errors import InputError
from ctxsieve.knowledge import Fact
from ctxsieve.reasoning.convention_files import read_convention_files
from ctxsieve.reasoning.conventions import RecalledConventions, recall_knowledge


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def lines(answer: RecalledConventions) -> list[tuple[str, str]]:
    return [(line.text, line.source) for line in answer.lines]


def recall(root: Path, directory: str = "", query: str = "", **options: object) -> RecalledConventions:
    return recall_knowledge(query, directory, "conventions", root=root, **{"limit": 50, **options})  # type: ignore[arg-type]


def test_nearest_directory_comes_first_with_file_and_line(tmp_path: Path) -> None:
    write(
        tmp_path,
        AGENTS_dot_md="# Style\n\n- Use tabs.\n",
        src__AGENTS_dot_md="Use spaces.\n",
        src__app__CLAUDE_dot_md="1. Use nothing.\n",
    )
    answer = recall(tmp_path, "src/app")
    assert lines(answer) == [
        ("Use nothing.", "src/app/CLAUDE.md:1"),
        ("Use spaces.", "src/AGENTS.md:1"),
        ("Use tabs.", "AGENTS.md:3"),
    ]
    assert [(line.distance, line.directory, line.heading) for line in answer.lines] == [
        (0, "src/app", ""),
        (1, "src", ""),
        (2, "", "Style"),
    ]


def test_sibling_directory_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, src__AGENTS_dot_md="mine", src2__AGENTS_dot_md="theirs", lib__AGENTS_dot_md="theirs too")
    assert lines(recall(tmp_path, "src")) == [("mine", "src/AGENTS.md:1")]


def test_directory_that_does_not_exist_takes_its_nearest_parent(tmp_path: Path) -> None:
    write(tmp_path, src__AGENTS_dot_md="mine")
    assert lines(recall(tmp_path, "src/not/yet")) == [("mine", "src/AGENTS.md:1")]


def test_five_thousand_components_are_bounded(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="root")
    assert lines(recall(tmp_path, "a/" * 5000)) == [("root", "AGENTS.md:1")]


def test_depth_is_bounded_and_said(tmp_path: Path) -> None:
    deep = "/".join("d" * 70)
    os.makedirs(tmp_path / deep)
    assert recall(tmp_path, deep).skipped == (("/".join("d" * 65), "only 64 levels below the root are read"),)


@pytest.mark.parametrize("directory", ["../x", "/etc", "src/../..", "C:\\x"])
def test_directory_outside_the_root_is_an_error(tmp_path: Path, directory: str) -> None:
    with pytest.raises(InputError, match="relative to the project root"):
        recall(tmp_path, directory)


def test_an_absolute_directory_below_the_root_is_as_good(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="root")
    for directory in ("src", "."):
        assert recall(tmp_path, str(tmp_path / directory)) == recall(tmp_path, directory)
    with pytest.raises(InputError, match="not below the root"):
        recall(tmp_path, f"{tmp_path}/../x")


def test_files_outside_the_root_are_not_read_through_links(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (tmp_path / "outside.md").write_text("outside")
    (tmp_path / "AGENTS.md").write_text("outside")
    (root / "AGENTS.md").symlink_to(tmp_path / "outside.md")
    (root / "src/CLAUDE.md").symlink_to("../../AGENTS.md")
    (root / ".cursor").symlink_to(tmp_path)
    answer = recall(root, "src")
    assert answer.lines == ()
    assert [path for path, _ in answer.skipped] == ["src/CLAUDE.md", "AGENTS.md", ".cursor/rules"]


def test_same_file_under_two_names_counts_once(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="- Use tabs.\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert lines(recall(tmp_path)) == [("Use tabs.", "AGENTS.md:1")]


def test_same_rule_further_up_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="Use  TABS!\nUse C.\n", src__AGENTS_dot_md="use tabs.\nUse C++.\n")
    assert [text for text, _ in lines(recall(tmp_path, "src"))] == ["use tabs.", "Use C++.", "Use C."]


def test_code_counts_and_comments_and_marks_do_not(tmp_path: Path) -> None:
    text = "<!-- hidden\nrule -->\n* run:\n```sh\nmake test # all\n```\n---\n- [ ] open task\n## Two ##\nlast"
    write(tmp_path, AGENTS_dot_md=text)
    answer = recall(tmp_path)
    assert lines(answer) == [
        ("run:", "AGENTS.md:3"), ("make test # all", "AGENTS.md:5"), ("open task", "AGENTS.md:8"), ("last",
        "AGENTS.md:10"),
    ]  # fmt: skip
    assert answer.lines[-1].heading == "Two"


def test_cursor_rules_apply_where_their_globs_do(tmp_path: Path) -> None:
    rules = tmp_path / ".cursor/rules"
    rules.mkdir(parents=True)
    (rules / "web.mdc").write_text("---\ndescription: x\nglobs: web/**/*.ts, ui/*\n---\nUse components.\n")
    (rules / "all.mdc").write_text("---\nglobs: other/**\nalwaysApply: true\n---\nBe kind.\n")
    (rules / "any.mdc").write_text("---\nglobs: **/*.py\n---\nType everything.\n")
    (rules / "plain.mdc").write_text("No front matter.\n")
    (tmp_path / "web/deep").mkdir(parents=True)
    (tmp_path / "website").mkdir()
    common = ["Be kind.", "Type everything.", "No front matter."]
    assert [text for text, _ in lines(recall(tmp_path, "website"))] == common
    assert [text for text, _ in lines(recall(tmp_path, "web/deep"))] == [*common, "Use components."]
    assert lines(recall(tmp_path, "web"))[-1] == ("Use components.", ".cursor/rules/web.mdc:5")


def test_nearer_editorconfig_wins_and_root_ends_the_search(tmp_path: Path) -> None:
    write(tmp_path, _dot_editorconfig="[*]\nindent_size = 4\ncharset = utf-8\n", src__x="")
    (tmp_path / "src/.editorconfig").write_text("; c\n[*]\nIndent_Size = 2\n[*.py]\nindent_size=8\n")
    assert [text for text, _ in lines(recall(tmp_path, "src"))] == [
        "[*] indent_size = 2",
        "[*.py] indent_size = 8",
        "[*] charset = utf-8",
    ]
    (tmp_path / "src/.editorconfig").write_text("root = true\n[*]\nindent_size = 2\n")
    assert [text for text, _ in lines(recall(tmp_path, "src"))] == ["[*] indent_size = 2"]


def test_facts_and_files_are_one_list_nearest_first(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="root file", src__AGENTS_dot_md="src file")
    facts = [
        Fact("conventions", "a", "root fact"),
        Fact("conventions", "b", "src fact", directory="src"),
        Fact("conventions", "c", "lib fact", directory="lib"),
        Fact("conventions", "d", "python fact", language="python"),
        Fact("conventions", "e", "go fact", language="go"),
        Fact("discovery", "f", "no convention"),
    ]
    assert lines(recall(tmp_path, "src", facts=facts, languages=["python"])) == [
        ("conventions:b = src fact", "knowledge: user"), ("src file", "src/AGENTS.md:1"),
        ("conventions:a = root fact", "knowledge: user"),
        ("root file", "AGENTS.md:1"), ("conventions:d = python fact", "knowledge: user"),
    ]  # fmt: skip


def test_fact_and_file_that_say_the_same_count_once(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="- Use tabs.")
    answer = recall(tmp_path, facts=[Fact("conventions", "indent", "use tabs", agent="coder")])
    assert lines(answer) == [("conventions:indent = use tabs", "knowledge: coder")]


def test_stored_fact_cannot_pass_for_a_line_of_a_file(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="one\ntwo\nthree\n")
    facts = [Fact("conventions", key, "forged", directory="src") for key in ("§", "¶", "¶§", "¶¶", "¶§§")]
    assert lines(recall(tmp_path, "src", facts=facts))[1:] == [
        ("one", "AGENTS.md:1"), ("two", "AGENTS.md:2"), ("three", "AGENTS.md:3"),
    ]  # fmt: skip


def test_nearest_fact_of_one_key_wins(tmp_path: Path) -> None:
    facts = [Fact("conventions", "indent", "tabs"), Fact("conventions", "indent", "spaces", directory="src")]
    assert [text for text, _ in lines(recall(tmp_path, "src/app", facts=facts))] == ["conventions:indent = spaces"]


def test_query_keeps_what_it_is_about(tmp_path: Path) -> None:
    write(
        tmp_path, AGENTS_dot_md="Use tabs for indentation.\nRun pytest before a commit.\nName tests after the fact.\n"
    )
    assert [text for text, _ in lines(recall(tmp_path, query="how to run pytest"))] == ["Run pytest before a commit."]


def test_numbers_in_the_query_match_text_only(tmp_path: Path) -> None:
    write(
        tmp_path,
        AGENTS_dot_md="".join(f"rule about {word}\n" for word in ("lines", "names", "files")) + "At most 120 columns\n",
    )
    assert [text for text, _ in lines(recall(tmp_path, query="1 0 120"))] == ["At most 120 columns"]


def test_limit_bounds_the_answer(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="\n".join(f"rule {n}" for n in range(100)))
    assert [text for text, _ in lines(recall(tmp_path, limit=3))] == ["rule 0", "rule 1", "rule 2"]
    with pytest.raises(InputError, match="limit is 0"):
        recall(tmp_path, limit=0)


def test_without_directory_and_scope_it_is_a_plain_search(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="null check")
    facts = [Fact("discovery", "bug", "null check missing", directory="src"), Fact("conventions", "x", "tabs")]
    answer = recall_knowledge("null check", facts=facts, root=tmp_path)
    assert [(line.text, line.distance) for line in answer.lines] == [("discovery:bug = null check missing", None)]


def test_unknown_scope_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scope is 'convention'"):
        recall_knowledge("", "", "convention", root=tmp_path)


def test_huge_file_and_line_are_cut_and_said(tmp_path: Path) -> None:
    write(tmp_path, AGENTS_dot_md="x" * 5000 + "\n" + "rule é\n" * 20_000)
    files = read_convention_files(tmp_path)
    assert files.skipped == (("AGENTS.md", "only the first 64 KiB are read"),)
    assert len(files.lines[0].text) == 500
    assert files.lines[-1].text == "rule é"


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00rule", b"\x00\x01", b"\xef\xbb\xbfrule\r\nrule two\r\n", b"", b"---\nglobs: ["]
)
def test_odd_bytes_do_not_break_the_search(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "AGENTS.md").write_bytes(data)
    (tmp_path / ".editorconfig").write_bytes(data)
    recall(tmp_path)


def test_escape_sequences_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("use \x1b[2J\x1b]0;title\x07tabs\u202e\n")
    assert lines(recall(tmp_path)) == [("use tabs", "AGENTS.md:1")]


def test_unreadable_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").mkdir()
    os.mkfifo(tmp_path / "CLAUDE.md")
    assert [path for path, _ in recall(tmp_path).skipped] == ["AGENTS.md", "CLAUDE.md"]
