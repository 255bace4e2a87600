"""Deciding which references of a task are fetched, by which tool, with which arguments; nothing is fetched here."""

from collections.abc import Collection, Mapping, Sequence
from string import Formatter

from ctxsieve.errors import InputError, ToolDeniedError
from ctxsieve.reasoning.configuration import StrictConfig
from ctxsieve.reasoning.gate import ToolGate
from ctxsieve.reasoning.mentions import FILE, ISSUE, PULL_REQUEST, URL, Reference
from ctxsieve.reasoning.references import CustomPattern, scan_references
from ctxsieve.values import dataclass, field

__all__ = ["HydrationPlan", "PlannedReference", "PreHydrationConfig", "ToolCall", "plan_hydration"]

_BUILT_IN_TYPES = (URL, PULL_REQUEST, ISSUE, FILE)
_DEFAULT_TEMPLATES: Mapping[str, Mapping[str, str]] = {
    URL: {"url": "{url}"},
    FILE: {"path": "{path}"},
    ISSUE: {"reference": "{key}"},
    PULL_REQUEST: {"reference": "{key}"},
}
_CUSTOM_TEMPLATE: Mapping[str, str] = {"reference": "{id}"}


def _default_tools() -> dict[str, str]:
    return {URL: "web_fetch", FILE: "file_read"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PreHydrationConfig(StrictConfig):
    """What is found, fetched and shown before a run.

    Attributes:
        custom_patterns: Further kinds of references.
        resolution_tools: Kind of reference to the name of the tool that fetches it. An issue or pull request that is
            a URL falls back to the tool for URLs.
        argument_templates: Tool name to its arguments, each a text with `{...}` for the values of the reference (see
            `Reference`) or `{text}`, `{key}`, `{ref_type}`. A template that is one placeholder keeps numbers numbers.
        quotas: Kind to the most that are fetched of it; 0 fetches none.
        timeout: Seconds until whatever has not answered counts as failed.
        reference_timeout: Seconds that one reference may take; None leaves only `timeout`.
        max_references: The most that are fetched; beyond it, the kinds take turns.
        max_context_tokens: The most that the rendered block costs, frame included.
    """

    custom_patterns: tuple[CustomPattern, ...] = ()
    resolution_tools: Mapping[str, str] = field(default_factory=_default_tools)
    argument_templates: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    quotas: Mapping[str, int] = field(default_factory=dict)
    timeout: float = 15.0
    reference_timeout: float | None = None
    max_references: int = 10
    max_context_tokens: int = 4000

    def _check(self) -> None:
        for name in ("timeout", "reference_timeout"):
            if (seconds := getattr(self, name)) is not None and seconds <= 0:
                raise InputError(f"{name} is {seconds} seconds: it must be more than 0")
        for name in ("max_references", "max_context_tokens"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} is {getattr(self, name)}: it must be 0 or more")
        types = {*_BUILT_IN_TYPES, *(pattern.ref_type for pattern in self.custom_patterns)}
        for name in ("resolution_tools", "quotas"):
            for ref_type in getattr(self, name):
                if ref_type not in types:
                    raise InputError(f"{name} names {ref_type!r}: it must be one of {', '.join(sorted(types))}")
        for ref_type, quota in self.quotas.items():
            if quota < 0:
                raise InputError(f"quotas[{ref_type!r}] is {quota}: it must be 0 or more")
        for tool, arguments in self.argument_templates.items():
            if tool not in self.resolution_tools.values():
                raise InputError(f"argument_templates names {tool!r}, which no kind of reference is resolved by")
            for argument, template in arguments.items():
                _placeholders(template, f"argument_templates[{tool!r}][{argument!r}]")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a resolution tool; `call_id` is what its answer is matched by."""

    call_id: str
    tool: str
    arguments: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class PlannedReference:
    """A reference with its call, or with the reason why it is skipped."""

    reference: Reference
    call: ToolCall | None
    skip_reason: str = ""


@dataclass(frozen=True, slots=True)
class HydrationPlan:
    """Every reference of the task once, in order of appearance."""

    references: tuple[PlannedReference, ...]

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls to be made, in order."""
        return tuple(planned.call for planned in self.references if planned.call is not None)


def plan_hydration(
    task: str, config: PreHydrationConfig, *, tools: Collection[str], gate: ToolGate | None = None
) -> HydrationPlan:
    """Scan the task and decide about each reference.

    Args:
        task: The task in plain words.
        config: What is wanted.
        tools: Names of the tools that can be called.
        gate: Where given, a tool that it does not admit resolves nothing.
    """
    references = scan_references(task, config.custom_patterns)
    drafts = [_draft(reference, n, config, tools, gate) for n, reference in enumerate(references, start=1)]
    return HydrationPlan(tuple(_within_limits(drafts, config)))


def _draft(
    reference: Reference, number: int, config: PreHydrationConfig, tools: Collection[str], gate: ToolGate | None
) -> PlannedReference:
    """Return the reference with its call, limits not yet applied."""
    tool, template_type = config.resolution_tools.get(reference.ref_type), reference.ref_type
    if tool is None and "url" in reference.values:
        tool, template_type = config.resolution_tools.get(URL), URL
    if tool is None:
        reason = f"no tool resolves references of the type {reference.ref_type}: resolution_tools names none for it"
        return PlannedReference(reference, None, reason)
    if tool not in tools:
        return PlannedReference(reference, None, f"the tool {tool} is not offered")
    if gate is not None:
        try:
            gate.require(tool)
        except ToolDeniedError as error:
            return PlannedReference(reference, None, str(error))
    templates = config.argument_templates.get(tool) or _DEFAULT_TEMPLATES.get(template_type, _CUSTOM_TEMPLATE)
    known = {"text": reference.text, "key": reference.key, "ref_type": reference.ref_type, **reference.values}
    arguments: dict[str, str | int] = {}
    for argument, template in templates.items():
        names = _placeholders(template, argument)
        if missing := [name for name in names if name not in known]:
            return PlannedReference(reference, None, f"{tool} needs {missing[0]}, which this reference lacks")
        arguments[argument] = known[names[0]] if template == f"{{{''.join(names)}}}" else template.format_map(known)
    return PlannedReference(reference, ToolCall(f"hydrate-{number}", tool, arguments))


def _placeholders(template: str, what: str) -> list[str]:
    """Return the names in a template; anything but plain names in braces is an InputError."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise InputError(f"{what} is {template!r}: {error}") from None
    names = []
    for _, name, specification, conversion in parts:
        if name is None:
            continue
        if not name.isidentifier() or specification or conversion:
            raise InputError(f"{what} is {template!r}: in braces stands only the plain name of a value")
        names.append(name)
    return names


def _within_limits(drafts: Sequence[PlannedReference], config: PreHydrationConfig) -> list[PlannedReference]:
    """Apply the quotas, then let the kinds take turns until `max_references` are chosen."""
    planned = list(drafts)
    queues: dict[str, list[int]] = {}
    for n, draft in enumerate(planned):
        if draft.call is None:
            continue
        queue = queues.setdefault(draft.reference.ref_type, [])
        quota = config.quotas.get(draft.reference.ref_type)
        if quota is not None and len(queue) >= quota:
            reason = f"the quota of {quota} for the type {draft.reference.ref_type} is used up"
            planned[n] = PlannedReference(draft.reference, None, reason)
        else:
            queue.append(n)
    turns = sorted((rank, n) for queue in queues.values() for rank, n in enumerate(queue))
    for _, n in turns[config.max_references :]:
        reason = f"only {config.max_references} references are fetched"
        planned[n] = PlannedReference(planned[n].reference, None, reason)
    return planned
