import dataclasses
import json

import pytest

from ctxsieve.errors import InputError
from ctxsieve.reasoning.profiles import ToolProfile
from ctxsieve.reasoning.progress import LimitAction, StepIterationConfig


def test_absent_fields_stay_absent() -> None:
    assert ToolProfile.from_json("{}").to_json() == "{}"
    assert json.loads(ToolProfile(exclude=("a",)).to_json()) == {"exclude": ["a"]}


@pytest.mark.parametrize(
    "text", ['{"max_reattempts_per_step": 2}', '{"similarity_threshold": 0.85, "on_limit_reached": "abort_task"}']
)
def test_given_fields_stay_even_where_they_equal_the_default(text: str) -> None:
    assert json.loads(StepIterationConfig.from_json(text).to_json()) == json.loads(text)


def test_given_defaults_make_no_other_value() -> None:
    assert StepIterationConfig.from_dict({"max_reattempts_per_step": 2}) == StepIterationConfig()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"max_reattempts_per_step": NaN}', '{"similarity_threshold": Infinity}', "3",
     "[" * 100_000,
     '{"max_reattempts_per_step": 1, "max_reattempts_per_step": 5}', '{"on_limit_reached": "retry"}',
     '{"on_limit_reached": null}', '{"max_reattempts_per_step": 1e3}'],
)  # fmt: skip
def test_bad_json_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError):
        StepIterationConfig.from_json(text)


def test_whole_number_serves_as_a_fraction() -> None:
    assert StepIterationConfig.from_json('{"similarity_threshold": 1}').similarity_threshold == 1.0


def test_choice_may_be_given_as_text() -> None:
    assert StepIterationConfig(on_limit_reached="escalate").on_limit_reached is LimitAction.ESCALATE  # type: ignore[arg-type]


def test_replace_checks_again() -> None:
    with pytest.raises(InputError):
        dataclasses.replace(StepIterationConfig(), similarity_threshold=2.0)
