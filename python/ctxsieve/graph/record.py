"""The import statements of one file that stands in no index."""

from ctxsieve._kernels import scan_record
from ctxsieve.fragments import ImportStatement
from ctxsieve.graph.tables import load_scan_tables
from ctxsieve.languages import Language

__all__ = ["scan_imports"]

# Hash, language, encoding, flags, lines and bytes, then four field lengths (see `scan_record`).
_HEADER_BYTES = 32 + 2 + 1 + 2 + 4 + 8 + 4 * 4
_TERM_COUNTS_BYTES = 4


def scan_imports(data: bytes, language: Language | None) -> tuple[ImportStatement, ...]:
    """Return what `Index.imports` says of a file with these bytes, in source order."""
    tables = load_scan_tables()
    if language is None or language.name not in tables.names:
        return ()
    record = _Record(scan_record(data, tables.names.index(language.name), tables.compiled))
    record.position = _HEADER_BYTES
    for _ in range(record.number()):
        record.text()
        record.position += _TERM_COUNTS_BYTES
    for _ in range(record.number()):
        record.number()
        record.text()
        record.text()
    statements = []
    for _ in range(record.number()):
        line = record.number()
        statements.append(ImportStatement(record.text().decode("utf-8", "replace"), line))
    return tuple(statements)


class _Record:
    """Reads the little-endian numbers and counted texts of a record one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def number(self) -> int:
        self.position += 4
        return int.from_bytes(self.data[self.position - 4 : self.position], "little")

    def text(self) -> bytes:
        size = self.number()
        self.position += size
        return self.data[self.position - size : self.position]
