import dataclasses
import json

import jsonschema
import pytest

from ctxsieve.errors import InputError
from ctxsieve.reasoning.configuration import StrictConfig
from ctxsieve.reasoning.configuration_schema import json_schema_of
from ctxsieve.reasoning.events import LoopConfig, RunStarted
from ctxsieve.reasoning.hydration_plan import PreHydrationConfig
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


@pytest.mark.parametrize("kind", [LoopConfig, ToolProfile, StepIterationConfig, PreHydrationConfig, RunStarted])
def test_schema_is_a_schema_that_closes_every_object(kind: type[StrictConfig]) -> None:
    schema = json_schema_of(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False


VALUES = [
    {},
    {"max_steps": 3, "tool_profile": {"include": None, "exclude": ["a*"], "max_tools": 0}},
    {"step_iteration": {"on_limit_reached": "escalate", "similarity_threshold": 1}},
    {"pre_hydration": {"custom_patterns": [{"ref_type": "x", "pattern": "a"}], "quotas": {"url": 1}, "timeout": 2}},
    {"max_step": 3},
    {"max_steps": "3"},
    {"tool_profile": {"exclude": "a*"}},
    {"tool_profile": {"exlude": []}},
    {"step_iteration": {"on_limit_reached": "retry"}},
    {"pre_hydration": {"custom_patterns": [{"ref_type": "x"}]}},
    {"pre_hydration": {"quotas": {"url": "1"}}},
]


@pytest.mark.parametrize("values", VALUES)
def test_schema_and_parser_agree(values: dict[str, object]) -> None:
    is_valid = jsonschema.Draft202012Validator(json_schema_of(LoopConfig)).is_valid(values)
    try:
        assert jsonschema.Draft202012Validator(json_schema_of(LoopConfig)).is_valid(
            LoopConfig.from_dict(values).to_dict()
        )
    except InputError:
        assert not is_valid
    else:
        assert is_valid
