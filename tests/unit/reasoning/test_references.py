import time

import pytest

from ctxsieve.errors import InputError
from ctxsieve.reasoning.references import CustomPattern, find_mentions, scan_references


def found(text: str) -> list[tuple[str, str]]:
    return [(reference.ref_type, reference.key) for reference in scan_references(text)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("see https://example.org/a.", "https://example.org/a"),
        ("see https://example.org/a, then", "https://example.org/a"),
        ("(https://example.org/a)", "https://example.org/a"),
        ("https://en.example.org/wiki/A_(b)", "https://en.example.org/wiki/A_(b)"),
        ("(https://en.example.org/wiki/A_(b))", "https://en.example.org/wiki/A_(b)"),
        ("[text](https://example.org/a_(b))!", "https://example.org/a_(b)"),
        ("<https://example.org/a>", "https://example.org/a"),
        ('"https://example.org/a"', "https://example.org/a"),
        ("'https://example.org/a'", "https://example.org/a"),
        ("**https://example.org/a**", "https://example.org/a"),
        ("`https://example.org/a`", "https://example.org/a"),
        ("https://example.org/a?b=c&d=[e]#f", "https://example.org/a?b=c&d=[e]"),
        ("HTTPS://Example.ORG:443/Path", "https://example.org/Path"),
        ("http://example.org:80", "http://example.org/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("https://example.org/日本語。", "https://example.org/日本語"),
        ("看https://example.org/a，然后", "https://example.org/a"),
        ("https://example.org/src/main.py#L3", "https://example.org/src/main.py"),
        ("https://example.org/a...", "https://example.org/a"),
    ],
)
def test_url_ends_where_a_reader_ends_it(text: str, key: str) -> None:
    assert found(text) == [("url", key)]


@pytest.mark.parametrize(
    "text", ["https://", "https:///x", "ftp://h/a.py", "s3://bucket/a.json", "file:///etc/x.py", "http://."]
)
def test_other_schemes_and_missing_hosts_are_nothing(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://github.com/Owner/repo/issues/12", ("issue", "owner/repo#12")),
        ("https://github.com/owner/repo/pull/12/files", ("pull_request", "owner/repo#12")),
        ("http://www.github.com/owner/repo/issues/12#issuecomment-1.", ("issue", "owner/repo#12")),
        ("https://github.example.com/o/r/pull/3", ("pull_request", "github.example.com/o/r#3")),
        ("https://gitlab.com/group/sub/r/-/issues/4", ("issue", "gitlab.com/group/sub/r#4")),
        ("https://gitlab.com/group/r/-/merge_requests/4/diffs", ("pull_request", "gitlab.com/group/r!4")),
        ("https://git.example.org/g/r/-/merge_requests/4", ("pull_request", "git.example.org/g/r!4")),
        ("https://gitlab.com/group/r/issues/4", ("issue", "gitlab.com/group/r#4")),
        ("https://github.com/owner/repo/issues", ("url", "https://github.com/owner/repo/issues")),
        ("https://github.com/owner/repo/issues/12x", ("url", "https://github.com/owner/repo/issues/12x")),
        ("https://evil.example/github.com/o/r/issues/1", ("url", "https://evil.example/github.com/o/r/issues/1")),
        ("https://example.org/o/r/issues/1", ("url", "https://example.org/o/r/issues/1")),
    ],
)
def test_forge_urls_are_issues_and_pull_requests(text: str, expected: tuple[str, str]) -> None:
    assert found(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PR #55", [("pull_request", "#55")]),
        ("PR#55", [("pull_request", "#55")]),
        ("PR 55", [("pull_request", "#55")]),
        ("PR: #55", [("pull_request", "#55")]),
        ("pull request #55", [("pull_request", "#55")]),
        ("Pull Request\n#55", [("pull_request", "#55")]),
        ("pull-request 55", [("pull_request", "#55")]),
        ("MR !55", [("pull_request", "!55")]),
        ("merge request 55", [("pull_request", "#55")]),
        ("PRs #1, #2 and #3", [("pull_request", "#1"), ("pull_request", "#2"), ("pull_request", "#3")]),
        ("issue #12", [("issue", "#12")]),
        ("issues #12 and #13", [("issue", "#12"), ("issue", "#13")]),
        ("Issue 12 is about", [("issue", "#12")]),
        ("fix issue 12.", [("issue", "#12")]),
        ("issue number 12", [("issue", "#12")]),
        ("bug #7", [("issue", "#7")]),
        ("GH-7", [("issue", "#7")]),
        ("Fixes #12.", [("issue", "#12")]),
        ("(#12)", [("issue", "#12")]),
        ("owner/repo#12", [("issue", "owner/repo#12")]),
        ("PR owner/repo#12", [("pull_request", "owner/repo#12")]),
        ("group/project!12", [("pull_request", "group/project!12")]),
        ("vuejs/vue.js#12", [("issue", "vuejs/vue.js#12")]),
    ],
)
def test_issues_and_pull_requests_in_words(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "C#7", "F#4 code", "v1.2#3", "#fff", "#12abc", "color: #123456", 'background="#333"', "the hex colour #123456",
        "&#39;", "a&#39;b", "&#x27;", "#0", "#007", "#000000", "# 12", "## 3", "#1.2", "#12-section", "[top](#12)",
        "page#12",
        "href=#12", "the compiler should issue 12 warnings", "Mr 5", "PR5", "bug7", "!12", "x != 12", "step-#3",
        "#1234567890",
        "`#12`", "```\nfixes #12\n```", "~~~\n#12", "> ```\n> #12\n> ```", "/#12", "docs/page.md#12x",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_issue_is_none(text: str) -> None:
    assert [entry for entry in found(text) if entry[0] != "file"] == []


def test_issue_after_a_fence_counts_again() -> None:
    assert found("```\n#1\n```\nsee #2 and `#3` and #4") == [("issue", "#2"), ("issue", "#4")]


def test_pull_request_is_counted_once_and_as_a_pull_request() -> None:
    assert found("PR #55 broke it; #55 again, pull request 55") == [("pull_request", "#55")]
    assert found("see #55, which is PR #55") == [("pull_request", "#55")]


def test_short_form_and_url_of_one_issue_are_one() -> None:
    assert found("o/r#12 https://github.com/O/R/issues/12 o/R#12") == [("issue", "o/r#12")]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("fix src/main.py", "src/main.py"), ("src/main.rs.", "src/main.rs"), ("(src/main.rs)", "src/main.rs"),
        ("see main.py", "main.py"),
        ("`main.py`", "main.py"), ("'a b/c d.py'", "a b/c d.py"), ('"my dir/file.txt"', "my dir/file.txt"),
        ("src\\main.rs", "src/main.rs"),
        (".\\src\\a.cs", "src/a.cs"), ("C:\\x\\y.py", "C:/x/y.py"), ('"C:\\Program Files\\a.cs"',
        "C:/Program Files/a.cs"),
        ("./src//a.py", "src/a.py"), ("../a.py", "../a.py"), ("/etc/hosts.conf", "/etc/hosts.conf"), ("a/b/Makefile",
        "a/b/Makefile"),
        ("the Makefile", "Makefile"), ("see Cargo.lock", "Cargo.lock"), ("`app.log`", "app.log"), ("main.c",
        "main.c"), (".github/workflows/ci.yml", ".github/workflows/ci.yml"), (".gitignore",
        ".gitignore"),
        ("app/data.custom", "app/data.custom"), ("foo.tar.gz/x.py", "foo.tar.gz/x.py"), ("types.d.ts", "types.d.ts"),
        ("error:src/main.go", "src/main.go"), ("请修改src/main.py文件。", "src/main.py"), ("src/naïve/日本.py",
        "src/naïve/日本.py"),
        ('"app/[slug]/page.tsx"', "app/[slug]/page.tsx"), ("--config=a/b.toml", "a/b.toml"),
        ("tests/a.py::TestA::test_b", "tests/a.py"),
        ("see [x](docs/a.md#part)", "docs/a.md"), ("`python src/run.py`", "src/run.py"), ("@types/x.d.ts",
        "@types/x.d.ts"),
        ("don't edit src/a.py' or it's", "src/a.py"), ("README.md's text", "README.md"), ("docs/a.md#12", "docs/a.md"),
        ('"python src/run.py"', "src/run.py"),
    ],
)  # fmt: skip
def test_paths_are_seen(text: str, path: str) -> None:
    assert found(text) == [("file", path)]


@pytest.mark.parametrize(
    "text",
    [
        "and/or", "TCP/IP", "n/a", "24/7", "client/server", "Node.js", "Vue.js and D3.js", "e.g. this", "i.e. that",
        "1.2.3", "v1.2.3",
        "python3.11", "http/1.1", "text/plain", "src/*.py", "**/*.ts", "os.path.join(a)", "foo.rs()",
        "me@example.py", "...", "....",
        "git@github.com:o/r.git", "example.com/a/b.html", "//cdn.example.net/x.js", "src/", "a/b/c", "3.py",
        "x.unknown", "12/05/2024",
        "image.", ".py", "word.Word", "django.conf", "utils.log", "3 p.m", "A.B.C", "x.r", "std::fs::File", "w/o",
        "$5.5m/year",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_path_is_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("src/a.py:12", (12, 12)), ("src/a.py:12:5", (12, 12)), ("src/a.py:12-20", (12, 20)), ("src/a.py#L3", (3, 3)),
        ("src/a.py#L3-L9", (3, 9)), ("src/a.py#L3-9", (3, 9)), ("src/a.ts(12,5)", (12, 12)),
        ('File "src/a.py", line 33', (33, 33)),
        ("src/a.py:12.", (12, 12)), ("src/a.py:20-12", (20, 20)), ("C:\\x\\a.py:7", (7, 7)), ("src/a.py:12: error",
        (12, 12)),
    ],
)  # fmt: skip
def test_line_suffixes_are_read(text: str, lines: tuple[int, int]) -> None:
    (reference,) = scan_references(text)
    assert (reference.values["first_line"], reference.values["last_line"]) == lines
    assert reference.key.endswith(("a.py", "a.ts"))


def test_one_file_named_in_three_ways_is_one() -> None:
    assert found("src/a.py, ./src/a.py:12 and src\\a.py") == [("file", "src/a.py")]


def test_order_is_that_of_appearance() -> None:
    text = "b.py then #2, https://x.example/y and a.py; PR 3"
    assert [kind for kind, _ in found(text)] == ["file", "issue", "url", "file", "pull_request"]


def test_file_in_a_url_belongs_to_the_url() -> None:
    assert found("https://example.org/src/main.py?x=a/b.py") == [("url", "https://example.org/src/main.py?x=a/b.py")]


def test_custom_pattern_finds_what_it_describes() -> None:
    ticket = CustomPattern(ref_type="jira", pattern=r"\b(?P<project>[A-Z]{2,10})-(\d+)\b")
    (reference,) = scan_references("do ABC-12 and ABC-12", [ticket])
    assert (reference.ref_type, reference.text, reference.values["project"]) == ("jira", "ABC-12", "ABC")


def test_custom_pattern_comes_last() -> None:
    everything = CustomPattern(ref_type="word", pattern=r"\S+")
    references = scan_references("see #12 src/a.py", [everything])
    assert [reference.ref_type for reference in references] == ["word", "issue", "file"]


def test_custom_pattern_can_extend_a_built_in_kind() -> None:
    pattern = CustomPattern(ref_type="issue", pattern=r"ticket:(\d+)")
    (reference,) = scan_references("ticket:12 is #12", [pattern])
    assert (reference.key, reference.values["number"]) == ("#12", 12)


@pytest.mark.parametrize("pattern", ["(", "[", "*", "a{2,1}", "(?P<1>a)", "x*", "", "(?=a)|", "(?i", "\\"])
def test_bad_pattern_is_an_error_at_construction(pattern: str) -> None:
    with pytest.raises(InputError, match="pattern "):
        CustomPattern(ref_type="x", pattern=pattern)


@pytest.mark.parametrize("ref_type", ["", "Url", "a b", "a-b", "x" * 40, "1a"])
def test_bad_type_name_is_an_error(ref_type: str) -> None:
    with pytest.raises(InputError, match="ref_type"):
        CustomPattern(ref_type=ref_type, pattern="a")


def test_mentions_keep_every_place() -> None:
    text = "#1 and #1"
    assert [(mention.start, mention.end) for mention in find_mentions(text)] == [(0, 2), (7, 9)]


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "a/",
        "#1 ",
        "https://",
        ")(",
        "`",
        "'",
        "PR ",
        "a@",
        "```\n",
        "x/y#1",
        "a.b ",
        '"a ',
        ":",
        "pr #1, ",
        "color ",
    ],
)
def test_costs_grow_linearly(unit: str) -> None:
    def measure(repeats: int) -> float:
        text = unit * repeats
        start = time.thread_time()
        scan_references(text)
        return time.thread_time() - start

    small = min(measure(2000) for _ in range(3))
    assert measure(16_000) < 8 * 4 * small + 0.05
