"""What an intent asks of the layers after it."""

import pytest

from ctxsieve.intent import TaskType, parse_intent, policy_for, suggested_mode, suggested_tests


@pytest.mark.parametrize(
    ("task", "mode"),
    [
        ("fix the NaN bug in entropy.rs", "task"),
        ("how does the cache work?", "map"),
        ("document the public functions", "signatures"),
        ("implement an LRU cache", "signatures"),
    ],
)
def test_mode_follows_the_type_for_large_files(task, mode):
    intent = parse_intent(task)
    assert suggested_mode(intent) == mode
    assert suggested_mode(intent, file_tokens=50_000) == mode
    assert policy_for(intent).preferred_mode == mode


def test_small_files_of_a_bug_fix_are_read_in_full():
    assert suggested_mode(parse_intent("fix the crash in a.py"), file_tokens=300) == "full"


def test_bug_fixes_put_error_lines_and_tests_first_and_explore_keeps_structure():
    fix = policy_for(parse_intent("fix the crash in the parser"))
    explore = policy_for(parse_intent("how does the parser work?"))
    assert fix.keeps_error_lines_first
    assert not explore.keeps_error_lines_first
    assert explore.keeps_structure
    assert fix.role_weights["test"] > explore.role_weights["test"]


def test_every_type_has_a_policy():
    import dataclasses

    intent = parse_intent("fix it")
    for kind in TaskType:
        assert policy_for(dataclasses.replace(intent, task_type=kind)).role_order


def test_several_parts_share_the_highest_weight_of_a_role():
    both = policy_for(parse_intent("Explain how the parser works. Then write tests for it."))
    assert both.role_weights["test"] == policy_for(parse_intent("write tests for the parser")).role_weights["test"]


def test_more_specific_tasks_concentrate_the_budget():
    broad = parse_intent("give me an overview of this repository")
    narrow = parse_intent("fix the off-by-one error in `next_token` of src/lexer.rs")
    assert policy_for(broad).beta < policy_for(narrow).beta


def test_worked_example_suggests_its_test():
    intent = parse_intent("fix the NaN bug in entropy.rs")

    assert suggested_tests(intent) == ("tests/entropy_test.rs",)
    assert suggested_tests(intent, exists={"tests/entropy.rs"}.__contains__) == ("tests/entropy.rs",)
    assert suggested_tests(parse_intent("explain entropy.rs")) == ()


def test_a_test_file_suggests_no_test_of_its_own():
    intent = parse_intent("fix the crash in b.py")
    assert suggested_tests(intent, test_candidates=lambda path: ["test_b.py", path]) == ()
