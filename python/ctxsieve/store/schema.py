"""The tables of the store and the steps from one schema version to the next.

`MIGRATIONS[n]` leads from version n to version n + 1. A released step is never edited: a change is a new step.
"""

__all__ = ["APPLICATION_ID", "MIGRATIONS", "SCHEMA_VERSION", "Migration"]

Migration = tuple[str, ...]

# "ctxs" in the header of the file: another program's database is recognised and left alone.
APPLICATION_ID = 0x63747873

_FACTS = (
    """CREATE TABLE facts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        category TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        directory TEXT NOT NULL,
        language TEXT NOT NULL,
        project TEXT NOT NULL,
        agent TEXT NOT NULL,
        session TEXT NOT NULL,
        source TEXT NOT NULL,
        confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
        recorded_at REAL NOT NULL,
        ended_at REAL,
        replaced_by INTEGER REFERENCES facts (id)
    )""",
    # One current value per agent and place; another agent's differing value stands beside it as a conflict.
    """CREATE UNIQUE INDEX facts_current ON facts (category, key, directory, language, project, agent)
        WHERE ended_at IS NULL""",
    "CREATE INDEX facts_by_name ON facts (category, key)",
)

_LEDGER = (
    """CREATE TABLE ledger_windows (
        session TEXT NOT NULL,
        consumer TEXT NOT NULL,
        window_tokens INTEGER NOT NULL CHECK (window_tokens > 0),
        PRIMARY KEY (session, consumer)
    ) WITHOUT ROWID""",
    """CREATE TABLE ledger_deliveries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session TEXT NOT NULL,
        consumer TEXT NOT NULL,
        kind TEXT NOT NULL,
        sent_tokens INTEGER NOT NULL CHECK (sent_tokens >= 0),
        recorded_at REAL NOT NULL,
        received INTEGER NOT NULL CHECK (received IN (0, 1))
    )""",
    "CREATE INDEX ledger_deliveries_by_consumer ON ledger_deliveries (session, consumer)",
    """CREATE TABLE ledger_entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        delivery INTEGER NOT NULL REFERENCES ledger_deliveries (id),
        session TEXT NOT NULL,
        consumer TEXT NOT NULL,
        path TEXT NOT NULL,
        mode TEXT NOT NULL,
        original_tokens INTEGER NOT NULL CHECK (original_tokens >= 0),
        sent_tokens INTEGER NOT NULL,
        content_hash TEXT NOT NULL,
        text_hash TEXT NOT NULL,
        recorded_at REAL NOT NULL,
        ended_at REAL,
        end_reason TEXT
    )""",
    "CREATE INDEX ledger_entries_resident ON ledger_entries (session, consumer, path) WHERE ended_at IS NULL",
    "CREATE INDEX ledger_entries_by_path ON ledger_entries (session, consumer, path)",
)

_CACHE = (
    """CREATE TABLE cache_contents (
        content_hash TEXT NOT NULL PRIMARY KEY,
        data BLOB NOT NULL,
        size_tokens INTEGER NOT NULL CHECK (size_tokens >= 0),
        use_count INTEGER NOT NULL CHECK (use_count >= 1),
        last_used_at REAL NOT NULL
    )""",
)

_JOURNAL = (
    """CREATE TABLE journal_events (
        run TEXT NOT NULL,
        sequence INTEGER NOT NULL CHECK (sequence >= 1),
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        recorded_at REAL NOT NULL,
        PRIMARY KEY (run, sequence)
    ) WITHOUT ROWID""",
)

_METRICS = (
    """CREATE TABLE metrics (
        id INTEGER PRIMARY KEY,
        session TEXT NOT NULL,
        run TEXT NOT NULL,
        layer TEXT NOT NULL,
        mode TEXT NOT NULL,
        language TEXT NOT NULL,
        input_tokens INTEGER NOT NULL CHECK (input_tokens >= 0),
        output_tokens INTEGER NOT NULL CHECK (output_tokens >= 0),
        duration_ms REAL NOT NULL CHECK (duration_ms >= 0),
        recorded_at REAL NOT NULL
    )""",
    "CREATE INDEX metrics_by_session ON metrics (session)",
)

_HANDOFFS = (
    """CREATE TABLE handoffs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session TEXT NOT NULL,
        consumer TEXT NOT NULL,
        package TEXT NOT NULL,
        recorded_at REAL NOT NULL
    )""",
    "CREATE INDEX handoffs_by_consumer ON handoffs (session, consumer)",
)

MIGRATIONS: tuple[Migration, ...] = (_FACTS + _LEDGER + _CACHE + _JOURNAL + _METRICS + _HANDOFFS,)

SCHEMA_VERSION = len(MIGRATIONS)
