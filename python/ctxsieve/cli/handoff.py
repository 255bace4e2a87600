"""`ctxsieve handoff`: one agent's session for another, in one file."""

from pathlib import Path
from typing import Annotated

import typer

from ctxsieve.cli.options import ConsumerOption, FormatOption, PathOption, RoleOption, SessionOption, text_of
from ctxsieve.cli.output import OutputFormat, print_record, print_text
from ctxsieve.cli.recording import confirm
from ctxsieve.cli.sections import print_sections

__all__ = ["app"]

app = typer.Typer(help="Hand a session over to another agent.", no_args_is_help=True)

PackageArgument = Annotated[Path, typer.Argument(help="The file of the package.")]


@app.command()
def export(
    package: PackageArgument,
    path: PathOption = Path("."),
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    role: RoleOption = None,
    task: Annotated[str, typer.Option("--task", help="The task that is handed over; - reads it.")] = "",
    note: Annotated[str, typer.Option("--note", help="What the receiver should know besides.")] = "",
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Write a package: the ledger, the intent of the task, the context that is held, and all facts."""
    from ctxsieve.agents import write_handoff
    from ctxsieve.api import Project
    from ctxsieve.pipeline import handoff_mapping

    with Project.open(path).session(session=session, consumer=consumer) as opened:
        packed = opened.pack_handoff(task=text_of(task), note=note, role=role or "")
    write_handoff(packed, package)
    print_record(handoff_mapping(packed), output, name="handoff")


@app.command("import")
def import_(
    package: PackageArgument,
    path: PathOption = Path("."),
    session: SessionOption = "default",
    consumer: ConsumerOption = None,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Take a package over and print the context that the receiver starts with."""
    from ctxsieve.agents import read_handoff
    from ctxsieve.api import Project
    from ctxsieve.pipeline import handoff_mapping

    packed = read_handoff(package)
    with Project.open(path).session(session=session, consumer=consumer) as opened:
        received = opened.receive_handoff(packed, confirm=False)
        if output is OutputFormat.TEXT:
            print_text(received.text)
            for word, paths in (("differ here", received.outdated), ("missing here", received.missing)):
                if paths:
                    typer.echo(f"{word}: {', '.join(paths)}", err=True)
        else:
            record = {
                **handoff_mapping(packed),
                "text": received.text,
                "tokens": received.text_tokens,
                "new_facts": received.new_facts,
                "outdated": list(received.outdated),
                "missing": list(received.missing),
            }
            print_record(record, output, name="received")
        confirm(opened, received.delivery)


@app.command()
def show(
    package: PackageArgument,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Check a package and print what is in it; nothing is taken over."""
    from ctxsieve.agents import read_handoff
    from ctxsieve.pipeline import handoff_mapping

    packed = read_handoff(package)
    files = [
        {"path": file.path, "mode": file.mode, "original_tokens": file.original_tokens, "changed": file.was_changed}
        for file in packed.files
    ]
    print_sections(handoff_mapping(packed), {"files": files}, output, name="handoff")
