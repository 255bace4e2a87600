"""The `ctxsieve` command."""

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    print("ctxsieve: not wired yet", file=sys.stderr)  # noqa: T201
    return 1


if __name__ == "__main__":
    sys.exit(main())
