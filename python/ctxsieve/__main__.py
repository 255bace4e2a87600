"""The `ctxsieve` command."""

import gc
import sys

__all__ = ["main"]


def main() -> int:
    """Run the command line and return its exit code."""
    if sys.argv[1:] == ["--version"]:
        # Answered without loading the command line: scripts ask for it in loops.
        from ctxsieve import __version__
        from ctxsieve._kernels import BACKEND

        print(f"ctxsieve {__version__} ({BACKEND})")  # noqa: T201
        return 0
    # What is loaded stays: looking for garbage among it again and again takes longer than some answers.
    gc.set_threshold(50_000, 20, 100)
    from ctxsieve.cli import run_command_line

    return run_command_line(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
