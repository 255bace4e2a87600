"""Time per prompt of `parse_intent`, over the labelled prompts; the bound is 1 ms."""

import json
from pathlib import Path

from ctxsieve.intent import parse_intent

PROMPTS = [
    json.loads(line)["task"]
    for path in sorted((Path(__file__).parents[2] / "tests" / "fixtures" / "intents").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]


def test_all_prompts(benchmark):
    result = benchmark(lambda: [parse_intent(prompt) for prompt in PROMPTS])
    assert len(result) == len(PROMPTS)
    if benchmark.stats is not None:
        assert benchmark.stats.stats.median / len(PROMPTS) < 1e-3


def test_long_prompt(benchmark):
    prompt = "fix the crash in src/parser.rs, then add a test.\n" * 2_000
    assert benchmark(parse_intent, prompt).parts
