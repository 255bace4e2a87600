"""The `ctxsieve` command."""

import gc
import os
import sys

__all__ = ["main", "run"]


def main(*, ends_process: bool = False) -> int:
    """Run the command line and return its exit code; see `run_command_line`."""
    if sys.argv[1:] == ["--version"]:
        # Answered without loading the command line: scripts ask for it in loops.
        from ctxsieve import __version__
        from ctxsieve._kernels import BACKEND

        print(f"ctxsieve {__version__} ({BACKEND})")  # noqa: T201
        return 0
    # What is loaded stays: looking for garbage among it again and again takes longer than some answers.
    gc.set_threshold(200_000, 20, 100)
    from ctxsieve.cli import run_command_line

    return run_command_line(sys.argv[1:], ends_process=ends_process)


def run() -> None:
    """Run the command line as a process of its own, and end it.

    What the direct commands wrote is flushed and committed when they return. To take the interpreter apart object by
    object would only free memory that the system takes back anyway, in a tenth of an answer's time.
    """
    try:
        code = main(ends_process=_is_done(sys.argv[1:]))
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError as error:
        from ctxsieve.cli.output import discard_output

        discard_output(error)
        code = 1
    if _is_done(sys.argv[1:]):
        os._exit(code)
    sys.exit(code)


def _is_done(arguments: list[str]) -> bool:
    """Say whether nothing is left to do at exit, such as threads of a server."""
    if not arguments or arguments[0].startswith("-"):
        return arguments == ["--version"]
    from ctxsieve.cli.direct import DIRECT_COMMANDS

    return arguments[0] in DIRECT_COMMANDS


if __name__ == "__main__":
    run()
