"""Runs the child of `ctxsieve run`: records its output as it comes, prints it compressed piece by piece."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import typer

from ctxsieve.cli.output import discard_output, print_bytes
from ctxsieve.cli.run_records import RunRecord, open_record
from ctxsieve.terse import CompressionLevel, compress_output

__all__ = ["run_command"]

_BLOCK_BYTES = 1 << 16
# A larger piece is printed at once, so that memory and waiting stay bounded however much the command prints.
_LARGEST_PIECE_BYTES = 1 << 20
_LARGEST_PIECE_LINES = 20_000
_POLL_SECONDS = 0.1
# A background process may keep the pipe open after the command has ended.
_LINGER_SECONDS = 0.3
_FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126


def run_command(command: list[str], *, level: CompressionLevel, flush_seconds: float, directory: Path) -> int:
    """Run `command` and return its exit code, 128 + n where signal n ended it.

    Standard output and standard error share one pipe, so that their order is the order of writing. Standard input is
    the caller's.
    """
    try:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0)  # noqa: S603
    except FileNotFoundError:
        return _refuse(f"command {command[0]!r} is not found", _NOT_FOUND)
    except (PermissionError, NotADirectoryError, OSError, ValueError) as error:
        return _refuse(f"command {command[0]!r} cannot be run: {error}", _NOT_EXECUTABLE)
    record = _record(directory)
    printer = _Printer(command, level)
    with _forwarded_signals(child):
        _copy(child, record, printer, flush_seconds)
        code = child.wait()
    code = 128 - code if code < 0 else code
    _finish(record, command, code, printer)
    return code


def _copy(
    child: "subprocess.Popen[bytes]", record: RunRecord | None, printer: "_Printer", flush_seconds: float
) -> None:
    assert child.stdout is not None
    pipe = child.stdout.fileno()
    printed = time.monotonic()
    ended: float | None = None
    with selectors.DefaultSelector() as selector, child.stdout:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            block = os.read(pipe, _BLOCK_BYTES) if selector.select(_POLL_SECONDS) else None
            if block == b"":
                break
            now = time.monotonic()
            if block:
                record = _keep(record, block)
                printer.take(block)
                ended = None
            elif child.poll() is not None:
                ended = now if ended is None else ended
                if now - ended >= _LINGER_SECONDS:
                    break
            if printer.is_full or now - printed >= flush_seconds:
                printer.flush(complete=False)
                printed = now
            if printer.reader_is_gone:
                # Closing the pipe tells the command, as it would without us in between.
                return
    printer.flush(complete=True)


class _Printer:
    """Prints pieces of the output, cut at line ends, with line numbers that run on."""

    def __init__(self, command: list[str], level: CompressionLevel) -> None:
        self.command = command
        self.level = level
        self.pending = bytearray()
        self.pending_lines = 0
        self.next_line = 1
        self.original_tokens = 0
        self.tokens = 0
        self.is_shortened = False
        self.reader_is_gone = False

    @property
    def is_full(self) -> bool:
        """Whether what is pending should not wait any longer."""
        return len(self.pending) > _LARGEST_PIECE_BYTES or self.pending_lines > _LARGEST_PIECE_LINES

    def take(self, block: bytes) -> None:
        """Add to what is pending."""
        self.pending += block
        self.pending_lines += block.count(b"\n")

    def flush(self, *, complete: bool) -> None:
        """Print all complete lines, or everything that is pending."""
        end = len(self.pending) if complete else self.pending.rfind(b"\n") + 1
        if end == 0 and len(self.pending) > _LARGEST_PIECE_BYTES:
            end = len(self.pending)
        piece = bytes(self.pending[:end])
        del self.pending[:end]
        self.pending_lines = 0
        if piece:
            result = compress_output(
                piece.decode("utf-8", "surrogateescape"),
                level=self.level,
                command=self.command,
                first_line=self.next_line,
            )
            self.next_line += piece.count(b"\n")
            self.original_tokens += result.original_tokens
            self.tokens += result.tokens
            self.is_shortened |= bool(result.omitted) or result.tokens < result.original_tokens
            self._write(result.text.encode("utf-8", "surrogateescape"))

    def _write(self, data: bytes) -> None:
        if self.reader_is_gone:
            return
        try:
            print_bytes(data)
        except OSError as error:
            self.reader_is_gone = True
            discard_output(error)


@contextmanager
def _forwarded_signals(child: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Pass signals on to the child while it runs; what the terminal sends reaches it without us."""

    def forward(number: int, _frame: FrameType | None) -> None:
        if number in (signal.SIGINT, getattr(signal, "SIGQUIT", None)) and _shares_terminal():
            return
        with suppress(ProcessLookupError):
            child.send_signal(number)

    before = {}
    for name in _FORWARDED:
        if (number := getattr(signal, name, None)) is not None:
            with suppress(ValueError, OSError):
                before[number] = signal.signal(number, forward)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def _shares_terminal() -> bool:
    """Whether our process group is the terminal's foreground group, so that its interrupt key reaches the child too."""
    try:
        descriptor = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _record(directory: Path) -> RunRecord | None:
    try:
        return open_record(directory)
    except OSError as error:
        typer.echo(f"ctxsieve: the full output is not kept: {error}", err=True)
        return None


def _keep(record: RunRecord | None, block: bytes) -> RunRecord | None:
    if record is not None:
        try:
            record.stream.write(block)
        except OSError as error:
            typer.echo(f"ctxsieve: the full output is kept no further: {error}", err=True)
            with suppress(OSError):
                record.stream.close()
            return None
    return record


def _finish(record: RunRecord | None, command: list[str], code: int, printer: _Printer) -> None:
    if record is None:
        return
    with suppress(OSError):
        record.finish(command, code)
    if printer.is_shortened:
        counts = f"{printer.tokens:,} of {printer.original_tokens:,} tokens"
        typer.echo(f"ctxsieve: {counts}; all of it: ctxsieve run --show {record.identifier}", err=True)


def _refuse(message: str, code: int) -> int:
    typer.echo(f"ctxsieve: {message}", err=True)
    return code
