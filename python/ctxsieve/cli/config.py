"""`ctxsieve config`: what holds, and where it comes from."""

from pathlib import Path

import typer

from ctxsieve.cli.options import FormatOption, PathOption
from ctxsieve.cli.output import OutputFormat, print_records

__all__ = ["app"]

app = typer.Typer(help="Settings and their origins.", no_args_is_help=True)


@app.command("show")
def show(path: PathOption = Path("."), output: FormatOption = OutputFormat.TEXT) -> None:
    """Print every setting, its value and where the value comes from."""
    from ctxsieve.api import Project
    from ctxsieve.config import setting_values

    project = Project.open(path)
    rows = [
        {"key": key, "value": value, "origin": project.origins.get(key, "default")}
        for key, value in setting_values(project.settings)
    ]
    print_records(rows, output, name="setting")
