"""What a task is turned into."""

import pytest

from ctxsieve.relevance import Term, TermKind, parse_task


def _terms(task: str) -> dict[str, Term]:
    return {term.text: term for term in parse_task(task).terms}


def test_identifier_gives_itself_and_its_parts() -> None:
    found = _terms("crash in parseHTTPHeader2")
    assert found["parseHTTPHeader2"].kind is TermKind.COMPOUND
    assert {"parse", "http", "header2"} <= set(found)
    assert "parse_http_header2" in found["parseHTTPHeader2"].spellings
    assert found["parseHTTPHeader2"].weight > found["crash"].weight > found["http"].weight / 1.3


def test_neighbouring_words_are_read_as_one_identifier_too() -> None:
    pair = _terms("shell completion breaks")["shell completion"]
    assert pair.kind is TermKind.PAIR
    assert {"shell_completion", "shellcompletion"} <= set(pair.spellings)


def test_words_of_the_first_line_weigh_more() -> None:
    found = _terms("tokenizer overflow\n\nseen while running the scheduler")
    assert found["tokenizer"].weight > found["scheduler"].weight


def test_quoted_words_weigh_more_and_words_of_commit_language_less() -> None:
    found = _terms("fix `timeout` of sockets")
    assert found["timeout"].weight > found["sockets"].weight > found["fix"].weight


def test_scope_of_a_conventional_commit_is_no_call() -> None:
    found = _terms("fix(runtime-core): keep order")
    assert found["fix"].weight < found["runtime"].weight


@pytest.mark.parametrize(
    "noise", ["https://example.org/parser/issues", "#1234", "GH-77", "PROJ-1234", "a.b@example.org"]
)
def test_links_tickets_and_addresses_are_no_terms(noise: str) -> None:
    assert set(_terms(f"sort keys {noise}")) == set(_terms("sort keys"))


def test_trailers_are_no_terms() -> None:
    assert set(_terms("sort keys\n\nSigned-off-by: Jane Roe <jane@example.org>")) == set(_terms("sort keys"))


@pytest.mark.parametrize(
    ("word", "inflected"),
    [("validate", "validation"), ("completion", "completions"), ("map", "mapping"), ("query", "queries")],
)
def test_inflections_share_their_spellings(word: str, inflected: str) -> None:
    assert inflected in parse_task(word).terms[0].spellings
    assert word in parse_task(inflected).terms[0].spellings


def test_abbreviations_are_related_to_the_full_word() -> None:
    assert "auth" in parse_task("authentication").terms[0].related
    assert "configuration" in parse_task("cfg").terms[0].related


def test_identifiers_between_chinese_words_are_found() -> None:
    assert "createMailer" in _terms("修复createMailer函数的错误")


def test_paths_are_read_with_either_separator() -> None:
    assert parse_task(r"see src\core\main.rs and ./lib/a.py, please").paths == ("src/core/main.rs", "lib/a.py")


def test_roles_that_the_task_asks_for() -> None:
    assert parse_task("add tests for the parser").asks_for == {"test"}
    assert parse_task("speed up the parser").asks_for == frozenset()


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "a/" * 50_000, "`" * 100_000, "foo@" * 25_000, "A1" * 50_000, "\0" * 9]
)
def test_hostile_text_gives_few_terms(text: str) -> None:
    assert len(parse_task(text).terms) <= 1


def test_long_log_is_bounded() -> None:
    log = "\n".join(f"worker {number} lost job_{number % 7000} in queue.py:{number}" for number in range(20_000))
    found = parse_task(log)
    assert len(found.terms) <= 192
    assert len(found.frames) <= 64


def test_task_without_words_gives_nothing() -> None:
    assert parse_task(" \n?!").terms == ()


def test_word_and_number_are_read_as_one_identifier_too() -> None:
    assert "utf16" in _terms("decode UTF-16 files")["utf 16"].spellings
    assert "http2" in _terms("HTTP 2 streams stall")["http 2"].spellings
