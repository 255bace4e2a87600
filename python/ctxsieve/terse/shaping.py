"""Layer 3: prompt fragments that ask a model for brevity."""

from collections.abc import Mapping
from types import MappingProxyType

from ctxsieve.terse.levels import CompressionLevel

__all__ = ["prompt_fragment", "shape_prompt"]

# A stronger request is a shorter one, so that a higher level costs fewer tokens in the prompt as well.
_FRAGMENTS: Mapping[CompressionLevel, str] = MappingProxyType(
    {
        CompressionLevel.OFF: "",
        CompressionLevel.LITE: (
            "Answer briefly: start with the result, leave out greetings, recaps and what the code already says. "
            "Give paths, names, numbers, commands, code and error texts in full and unchanged."
        ),
        CompressionLevel.STANDARD: (
            "Be terse: result first, short sentences, no recap, no restated code. "
            "Paths, names, numbers, code and errors stay exact."
        ),
        CompressionLevel.MAX: "Fewest words; no prose around code. Keep paths, names, numbers, errors exact.",
    }
)


def prompt_fragment(level: CompressionLevel) -> str:
    """The text that asks for brevity at a level; empty for `off`."""
    return _FRAGMENTS[level]


def shape_prompt(prompt: str, *, level: CompressionLevel = CompressionLevel.STANDARD) -> str:
    """`prompt` with the level's fragment as its last paragraph, which replaces that of another level."""
    if level is CompressionLevel.OFF:
        return prompt
    # Line breaks at the end are not the prompt's: kept, they would grow with every shaping.
    body = prompt.rstrip("\n")
    for fragment in _FRAGMENTS.values():
        if fragment and body.endswith(fragment):
            body = body.removesuffix(fragment).rstrip("\n")
    return f"{body}\n\n{_FRAGMENTS[level]}" if body else _FRAGMENTS[level]
