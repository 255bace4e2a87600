"""The entry point of the command line: how commands are found, and how errors become exit codes."""

import os
from collections.abc import Sequence
from threading import Thread

from ctxsieve.cli.direct import COUNTING_COMMANDS, find_command
from ctxsieve.cli.output import print_error
from ctxsieve.cli.recording import close_sessions
from ctxsieve.errors import CtxsieveError, InputError, PathError

__all__ = ["run_command_line"]


def _unpack_vocabulary() -> None:
    """Unpack the native vocabulary beside the start of the command: it takes a tenth of the time of an answer."""
    from ctxsieve._kernels import BACKEND, count_tokens

    if BACKEND == "rust":
        count_tokens(b"")


def run_command_line(arguments: Sequence[str], *, ends_process: bool = False) -> int:
    """Run the command line and return its exit code: 0 answered, 1 failed, 2 bad input, 130 interrupted.

    Where it ends the process, some of what it opened is left for that to close.
    """
    try:
        return _run(arguments)
    finally:
        if not ends_process:
            close_sessions()


def _run(arguments: Sequence[str]) -> int:
    try:
        command = find_command(arguments, os.environ)
        if command is None:
            from ctxsieve.cli.app import app

            app(args=list(arguments), prog_name="ctxsieve")
        else:
            # numpy starts a thread per processor for matrix products, which nothing here computes.
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
            if arguments[0] in COUNTING_COMMANDS:
                # Not a daemon: one that comes back to a finished interpreter takes the process down.
                Thread(target=_unpack_vocabulary).start()
            command()
    except SystemExit as exit_request:
        return exit_request.code if isinstance(exit_request.code, int) else 0
    except (InputError, PathError) as error:
        print_error(str(error))
        return 2
    except CtxsieveError as error:
        print_error(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
