"""One file's text, decoded, with its lines and its definitions."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import sha256
from ctxsieve.align import align_lines
from ctxsieve.compress.decoding import decode_text, is_binary
from ctxsieve.fragments import DefinitionTable, LineRange, ParsedFile
from ctxsieve.languages import Language
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass, field

if TYPE_CHECKING:
    from ctxsieve._kernels import FoundNodes, SyntaxNodes
    from ctxsieve.compress.line_facts import LineFacts
    from ctxsieve.compress.native import RemovalAhead
    from ctxsieve.languages import Capture

__all__ = ["SourceFile", "is_binary", "read_source"]


@dataclass(slots=True)
class _Findings:
    """What was found out about a text, kept once for all copies of its file that are only spelled differently."""

    syntax: "tuple[ParsedFile, Sequence[Capture]] | None" = None
    tokens: int | None = None
    digest: bytes | None = None
    nodes: "FoundNodes | None" = None
    tree: "SyntaxNodes | None" = None
    ahead: "RemovalAhead | None" = None


@dataclass(frozen=True)
class SourceFile:
    """A decoded file.

    Attributes:
        path: POSIX path relative to the root.
        text: the decoded text; a byte-order mark is not part of it.
        encoding: the encoding it was decoded from.
        lossless: whether the file is the text in UTF-8.
        language: None for text of no known language.
        known: the definitions, where somebody parsed the file already; see `parsed`.
        is_aligned: whether the modes that are not verbatim spell the lines in fewest tokens (docs/alignment.md).
        known_lines: the facts about its lines, where somebody remembers them; see `line_facts`.
        known_signature_lines: where somebody remembers them; see `signature_lines`.
        note: why it is not lossless, in words; see `decoding`.
        findings: shared by the copies of a file; its text never changes.
    """

    path: str
    text: str
    encoding: str
    lossless: bool
    language: Language | None
    known: ParsedFile | None = field(default=None, compare=False, repr=False)
    is_aligned: bool = False
    known_lines: "LineFacts | None" = field(default=None, compare=False, repr=False)
    known_signature_lines: "tuple[Sequence[int], Sequence[int]] | None" = field(default=None, compare=False, repr=False)
    note: str = field(default="", compare=False, repr=False)
    findings: _Findings = field(default_factory=_Findings, compare=False, repr=False)

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their newlines; a final newline ends the last line and begins no new one."""
        lines = self.text.split("\n")
        if lines[-1] == "":
            lines.pop()
        return lines

    @property
    def line_count(self) -> int:
        """How many `lines` there are, which need not be taken apart for it."""
        return self.text.count("\n") + (self.text != "" and not self.text.endswith("\n"))

    @cached_property
    def has_text(self) -> npt.NDArray[np.bool_]:
        """For each line whether it is more than white space; there is no line 0."""
        return np.array([False, *(bool(line) and not line.isspace() for line in self.lines)])

    @property
    def parsed(self) -> ParsedFile:
        """The definitions; none where there is no grammar."""
        return self._syntax[0] if self.known is None else self.known

    @property
    def error_nodes(self) -> int | None:
        """The error and missing nodes of the text, None where a work limit was reached."""
        found = self.findings.nodes
        if found is not None:
            return found.error_nodes if found.is_complete else None
        return self.parsed.error_nodes if self.parsed.complete else None

    @property
    def captures(self) -> "Sequence[Capture]":
        """What the language's `compress` query names, in the order of its matches."""
        return self._syntax[1]

    @property
    def _syntax(self) -> "tuple[ParsedFile, Sequence[Capture]]":
        if self.findings.syntax is None:
            self.findings.syntax = self._parse()
        return self.findings.syntax

    def _parse(self) -> "tuple[ParsedFile, Sequence[Capture]]":
        if self.language is None:
            return ParsedFile((), 0), ()
        from ctxsieve.languages import parse_with_captures

        # Parsing costs far more than a second query, so that both ask the same tree.
        return parse_with_captures(self.data, self.language, "compress")

    @property
    def tokens(self) -> int:
        """Tokens of the text."""
        if self.findings.tokens is None:
            self.findings.tokens = count_tokens(self.text)
        return self.findings.tokens

    @cached_property
    def data(self) -> bytes:
        """The text as UTF-8: what the spans of definitions count in."""
        return self.text.encode("utf-8", "surrogatepass")

    @property
    def digest(self) -> bytes:
        """The SHA-256 of `data`."""
        if self.findings.digest is None:
            self.findings.digest = sha256(self.data)
        return self.findings.digest

    @cached_property
    def _newlines(self) -> list[int]:
        return [match.start() for match in re.finditer(b"\n", self.data)]

    def line_of(self, byte: int) -> int:
        """Return the line (from 1) in which a byte of `data` stands; a newline belongs to the line that it ends."""
        return bisect_left(self._newlines, byte) + 1

    def bytes_of_line(self, line: int) -> tuple[int, int]:
        """Return where a line (from 1) begins and ends in `data`, its newline apart."""
        start = self._newlines[line - 2] + 1 if line > 1 else 0
        end = self._newlines[line - 1] if line <= len(self._newlines) else len(self.data)
        return start, end

    @cached_property
    def spelling(self) -> tuple[str, ...] | None:
        """The lines in fewest tokens, one for each of `lines`, None for as they stand.

        They differ in leading and trailing white space only. A source with syntax errors is spelled and parsed again:
        where that gives another tree, its lines stay.
        """
        if not self.is_aligned:
            return None
        if self.known_lines is not None:
            return self.known_lines.spelling
        spelling = align_lines(self.lines, self.parsed.layout, ends_with_newline=self.text.endswith("\n"))
        # What somebody else knows of the layout, they have checked.
        if spelling is None or self.known is not None or self.parsed.error_nodes == 0:
            return spelling
        from ctxsieve.compress.nodes import keeps_tree

        return spelling if keeps_tree(self, spelling) else None

    @cached_property
    def signature_lines(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each definition the line of its head and the last one of its signature."""
        if self.known_signature_lines is not None:
            return self.known_signature_lines
        table = DefinitionTable.of(self.parsed.definitions)
        ends = [self.line_of(max(0, end - 1)) for end in table.signature_end_bytes]
        return [self.line_of(head) for head in table.head_bytes], ends

    @cached_property
    def line_facts(self) -> "LineFacts":
        """What the lines tell by themselves; all of it is found out at once where it is not known."""
        if self.known_lines is not None:
            return self.known_lines
        from ctxsieve.compress.line_facts import measure_lines

        return measure_lines(self)

    @property
    def spelled_lines(self) -> Sequence[str]:
        """The lines as the modes that are not verbatim write them."""
        return self.lines if self.spelling is None else self.spelling

    @property
    def spelled_text(self) -> str:
        """The text as the modes that are not verbatim write it."""
        return self.text if self.spelling is None else self.text_of(LineRange(1, len(self.spelling)))

    def text_of(self, span: LineRange) -> str:
        """Return the lines of the span as they are spelled, line endings included."""
        whole = "\n".join(self.spelled_lines[span.first - 1 : span.last])
        ends = span.last < len(self.lines) or self.text.endswith("\n")
        return whole + "\n" if ends else whole


def read_source(path: str, data: bytes, language: Language | None) -> SourceFile:
    """Return the file decoded; where its bytes are not the text in UTF-8, `lossless` and `note` say so."""
    decoded = decode_text(data, path)
    return SourceFile(path, decoded.text, decoded.encoding, decoded.lossless, language, note=decoded.note)
