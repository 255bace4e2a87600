"""`ctxsieve tools`, `ctxsieve hydrate` and `ctxsieve conventions`: the reasoning primitives on the command line."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from ctxsieve.cli.options import FormatOption, PathOption, TaskArgument, text_of
from ctxsieve.cli.output import OutputFormat, print_error, print_json, print_records, print_text
from ctxsieve.errors import InputError, PathError

__all__ = ["conventions", "hydrate", "tools"]

tools = typer.Typer(
    name="tools",
    help="Filter lists of tool definitions: MCP, OpenAI, Anthropic or plain, as JSON.",
    no_args_is_help=True,
)

ToolsArgument = Annotated[str, typer.Argument(help="A JSON file with the tools; - reads standard input.")]
ProfileOption = Annotated[Path | None, typer.Option("--profile", help="A JSON file with a tool profile.")]
IncludeOption = Annotated[list[str] | None, typer.Option("--include", help="Keep names that match; repeatable.")]
ExcludeOption = Annotated[list[str] | None, typer.Option("--exclude", help="Remove names that match; repeatable.")]
AlwaysOption = Annotated[
    list[str] | None, typer.Option("--always-include", help="Names that --include and --max-tools spare; repeatable.")
]
MaxToolsOption = Annotated[int | None, typer.Option("--max-tools", help="Keep at most so many.")]
VerifiedOption = Annotated[bool, typer.Option("--require-verified", help="Keep only verified tools.")]
WantedOption = Annotated[str, typer.Option("--task", help="Rank by this task where --max-tools cuts.")]


@tools.command("filter")
def filter_tools(
    file: ToolsArgument,
    profile: ProfileOption = None,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
    always_include: AlwaysOption = None,
    max_tools: MaxToolsOption = None,
    require_verified: VerifiedOption = False,
    task: WantedOption = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the tools that the profile admits: their names, or with --format json their unchanged definitions."""
    from ctxsieve.reasoning import describe_tool

    made = _profile(profile, include, exclude, always_include, max_tools, require_verified)
    kept = made.filter(_read_tools(file), task=task)
    if output is OutputFormat.JSON:
        print_json(kept)
    elif output is OutputFormat.TEXT:
        print_text("".join(f"{describe_tool(tool).name}\n" for tool in kept))
    else:
        rows = [dict(zip(("name", "description"), describe_tool(tool)[:2], strict=True)) for tool in kept]
        print_records(rows, output, name="tool")


@tools.command("explain")
def explain_tools(
    file: ToolsArgument,
    profile: ProfileOption = None,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
    always_include: AlwaysOption = None,
    max_tools: MaxToolsOption = None,
    require_verified: VerifiedOption = False,
    task: WantedOption = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print which rule kept or removed each tool."""
    made = _profile(profile, include, exclude, always_include, max_tools, require_verified)
    rows = [
        {"name": verdict.name, "admitted": verdict.admitted, "rule": str(verdict.rule), "detail": verdict.detail}
        for verdict in made.explain(_read_tools(file), task=task)
    ]
    print_records(rows, output, name="tool")


@tools.command("lint")
def lint_tools(
    file: ToolsArgument,
    profile: ProfileOption = None,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
    always_include: AlwaysOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Name the rules that match no tool; exits with 1 when there are any."""
    from ctxsieve.reasoning import find_idle_rules

    made = _profile(profile, include, exclude, always_include, None, False)
    messages = find_idle_rules(made, _read_tools(file))
    if output is OutputFormat.TEXT:
        print_text("".join(f"{message}\n" for message in messages))
    else:
        print_records([{"message": message} for message in messages], output, name="finding")
    if messages:
        raise typer.Exit(1)


@tools.command("pin")
def pin_tools(
    file: ToolsArgument,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
    output: FormatOption = OutputFormat.JSON,
) -> None:
    """Print the definition hashes of the tools, for `verified_definitions` in a profile."""
    from ctxsieve.reasoning import describe_tool, hash_definition

    kept = _profile(None, include, exclude, None, None, False).filter(_read_tools(file))
    hashes = {describe_tool(tool).name: hash_definition(tool) for tool in kept}
    if output is OutputFormat.JSON:
        print_json(hashes)
    else:
        print_records([{"name": name, "hash": value} for name, value in hashes.items()], output, name="tool")


def hydrate(
    task: TaskArgument,
    path: PathOption = Path("."),
    config: Annotated[Path | None, typer.Option("--config", help="A JSON file with a pre-hydration config.")] = None,
    budget: Annotated[int | None, typer.Option("--budget", help="The most tokens of the block.")] = None,
    web: Annotated[bool, typer.Option("--web", help="Fetch URLs too (needs the extra `web`).")] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Fetch the files (and URLs) that a task names, and print them as one fenced block within a budget."""
    import asyncio
    from dataclasses import replace

    from ctxsieve.api import Project
    from ctxsieve.reasoning import FileReader, PreHydrationConfig, ToolTable, WebFetcher, hydrate_task

    project = Project.open(path)
    made = PreHydrationConfig() if config is None else PreHydrationConfig.from_json(_read_file(config))
    if budget is not None:
        made = replace(made, max_context_tokens=budget)
    table: dict[str, Any] = {"file_read": FileReader(project.root, lambda: _list_files(project.root))}
    if web:
        table["web_fetch"] = WebFetcher()
    executor = ToolTable(table)
    result = asyncio.run(hydrate_task(text_of(task), made, executor, tools=executor.names))
    references = [
        {
            "type": outcome.reference.ref_type,
            "text": outcome.reference.text,
            "key": outcome.reference.key,
            "state": str(outcome.state),
            "reason": outcome.reason,
            "note": outcome.note,
        }
        for outcome in result.outcomes
    ]
    if output is OutputFormat.JSON:
        print_json({"text": result.text, "tokens": result.tokens, "references": references})
    elif output is OutputFormat.TEXT:
        print_text(f"{result.text}\n" if result.text else "")
        for reference in references:
            if reference["reason"]:
                typer.echo(f"ctxsieve: {reference['text']} {reference['state']}: {reference['reason']}", err=True)
    else:
        print_records(references, output, name="reference")


def conventions(
    directory: Annotated[str, typer.Argument(help="Relative to the root.")] = ".",
    path: PathOption = Path("."),
    query: Annotated[str, typer.Option("--query", help="Only lines about this.")] = "",
    language: Annotated[list[str] | None, typer.Option("--language", help="Leave out facts of others.")] = None,
    limit: Annotated[int, typer.Option("--limit", help="The most lines.")] = 50,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Print the conventions that hold in a directory, nearest first, each with the file and line that says so."""
    from ctxsieve.api import Project
    from ctxsieve.knowledge import KnowledgeBase
    from ctxsieve.reasoning import recall_knowledge
    from ctxsieve.store import Store

    project = Project.open(path)
    facts = []
    if project.directories.store.exists():
        with Store(project.directories.store) as store:
            facts = KnowledgeBase(store).facts()
    answer = recall_knowledge(
        query, directory, "conventions", limit, facts=facts, root=project.root, languages=language
    )
    for skipped, reason in answer.skipped:
        typer.echo(f"ctxsieve: {skipped} left out: {reason}", err=True)
    if not answer.lines:
        print_error(f"no conventions found for {directory}")
    if output is OutputFormat.TEXT:
        print_text("".join(f"{line.source}: {line.text}\n" for line in answer.lines))
        return
    rows = [
        {"text": line.text, "source": line.source, "directory": line.directory, "distance": line.distance,
         "heading": line.heading}
        for line in answer.lines
    ]  # fmt: skip
    print_records(rows, output, name="convention")


def _profile(
    file: Path | None,
    include: list[str] | None,
    exclude: list[str] | None,
    always_include: list[str] | None,
    max_tools: int | None,
    require_verified: bool,
) -> Any:
    """Return the profile of the file with the options added to its rules."""
    from ctxsieve.reasoning import ToolProfile

    made = ToolProfile() if file is None else ToolProfile.from_json(_read_file(file))
    values = made.to_dict()
    for name, given in (("include", include), ("exclude", exclude), ("always_include", always_include)):
        if given:
            values[name] = [*values.get(name, ()), *given]
    if max_tools is not None:
        values["max_tools"] = max_tools
    if require_verified:
        values["require_verified"] = True
    return ToolProfile.from_dict(values)


def _list_files(root: Path) -> list[str]:
    """Return the files of the tree; an index, which knows them too, may take longer than a fetch is allowed to."""
    from ctxsieve._kernels import walk_tree

    for with_git_rules in (True, False):  # as for the index: rules that leave nothing were not made for this tree
        tree = walk_tree(os.fsencode(root), with_git_rules=with_git_rules, threads=1)
        if tree.paths:
            return [os.fsdecode(path) for path in tree.paths]
    return []


def _read_tools(file: str) -> list[Any]:
    """Return the list of tools in a JSON text: a list, or the answer of an MCP server that holds one."""
    import json

    text = text_of("-") if file == "-" else _read_file(Path(file))
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not valid JSON: {error}") from None
    if isinstance(value, dict):
        value = value.get("result", value)
        value = value.get("tools") if isinstance(value, dict) else None
    if not isinstance(value, list):
        raise InputError(f"{file} holds no list of tools: it must be a list, or an object with a list `tools`")
    return value


def _read_file(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise PathError(f"{os.fspath(file)} cannot be read: {reason}") from None
