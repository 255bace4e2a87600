"""Facts as text: a JSON file that keeps everything, and `K:` lines for people and prompts."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, fields
from typing import Any

from ctxsieve.errors import InputError
from ctxsieve.knowledge.facts import Fact, format_fact, parse_fact

__all__ = ["export_facts", "facts_from_json", "facts_to_json", "fitting_facts", "import_facts", "render_facts"]

_FORMAT = "ctxsieve-knowledge"
_VERSION = 1


def export_facts(facts: Iterable[Fact]) -> str:
    """The JSON file of the facts, byte-stable; `import_facts` reads it back."""
    document = {"format": _FORMAT, "version": _VERSION, "facts": facts_to_json(facts)}
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def import_facts(
    text: str, *, agent: str, session: str = "", source: str = "", project: str = "", now_seconds: float
) -> list[Fact]:
    """The facts of an exported file or of `K:` lines (blank lines and `#` comments are skipped).

    Lines carry no provenance: they get the one given here.

    Raises:
        InputError: anything is malformed; the message names the line or the fact.
    """
    if text.lstrip().startswith("{"):
        return _read_document(text)
    facts = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            category, key, value = parse_fact(line)
            facts.append(
                Fact(
                    category,
                    key,
                    value,
                    agent=agent,
                    source=source,
                    project=project,
                    session=session,
                    recorded_at=now_seconds,
                )
            )
        except InputError as error:
            raise InputError(f"line {number}: {error}") from error
    return facts


def fitting_facts(facts: Iterable[Fact], *, budget_tokens: int, count_tokens: Callable[[str], int]) -> list[Fact]:
    """As many leading facts as fit a token budget together as `K:` lines."""
    if budget_tokens < 0:
        raise InputError(f"budget is {budget_tokens} tokens: it must be 0 or more")
    fitting: list[Fact] = []
    for fact in facts:
        if count_tokens(render_facts([*fitting, fact])) > budget_tokens:
            break
        fitting.append(fact)
    return fitting


def render_facts(facts: Iterable[Fact]) -> str:
    """`K:` lines of the facts."""
    return "".join(f"{format_fact(fact)}\n" for fact in facts)


def facts_to_json(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    """Plain values of the facts, every field present."""
    return [asdict(fact) for fact in facts]


def facts_from_json(values: object) -> list[Fact]:
    """The facts of `facts_to_json`; unknown, missing or wrongly typed fields are errors."""
    if not isinstance(values, list):
        raise InputError(f"facts are {type(values).__name__}: they must be a list")
    return [_fact_from_json(position, value) for position, value in enumerate(values, start=1)]


def _read_document(text: str) -> list[Fact]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"knowledge file is not valid JSON ({error}): export it again") from error
    if document.get("format") != _FORMAT:
        raise InputError(f"format is {document.get('format')!r}: it must be {_FORMAT!r}")
    if document.get("version") != _VERSION:
        raise InputError(f"version of the knowledge file is {document.get('version')!r}: this program reads {_VERSION}")
    return facts_from_json(document.get("facts"))


def _fact_from_json(position: int, value: object) -> Fact:
    known = {field.name: field.type for field in fields(Fact)}
    if not isinstance(value, dict):
        raise InputError(f"fact {position} is {type(value).__name__}: it must be an object")
    if wrong := sorted(set(value) ^ set(known)):
        raise InputError(f"fact {position} has missing or unknown fields: {', '.join(map(str, wrong))}")
    for name, kind in known.items():
        allowed = (int, float) if kind is float else (str,)
        if not isinstance(value[name], allowed) or isinstance(value[name], bool):
            expected = "a number" if kind is float else "text"
            raise InputError(f"fact {position} has {name} {value[name]!r}: it must be {expected}")
    try:
        arguments: dict[str, Any] = {
            name: float(item) if known[name] is float else item for name, item in value.items()
        }
        return Fact(**arguments)
    except (InputError, OverflowError) as error:
        raise InputError(f"fact {position}: {error}") from error
