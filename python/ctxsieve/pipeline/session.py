"""What one consumer gets in one session: every answer is recorded, known text is not sent twice (docs/ledger.md)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctxsieve.cache import SessionCache, hash_content
from ctxsieve.compress import read_source
from ctxsieve.errors import InputError, PathError, StoreError
from ctxsieve.languages import language_of
from ctxsieve.ledger import DEFAULT_CONSUMER, DEFAULT_SESSION, ContextLedger, Delivery, LedgerOptions, SentItem
from ctxsieve.pipeline.framing import Style, one_line
from ctxsieve.pipeline.preload import Preload
from ctxsieve.pipeline.reading import STUB_MODE, Reading, frame_reading, join_readings
from ctxsieve.store import LayerMetrics, Store, record_metrics
from ctxsieve.tokens import count_tokens
from ctxsieve.values import dataclass, replace

if TYPE_CHECKING:
    from ctxsieve.ledger import Rendering
    from ctxsieve.pipeline.auto_mode import WindowState

__all__ = ["ContextSession", "PreloadAnswer", "SessionAnswer", "hash_text"]

DIFF_MODE = "diff"


@dataclass(frozen=True, slots=True)
class SessionAnswer:
    """Readings as they are answered, and the text that carries them.

    `delivery` is None, and `problem` says why, where the store could not record it; the answer is whole all the same.
    """

    text: str
    tokens: int
    readings: tuple[Reading, ...]
    delivery: Delivery | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PreloadAnswer:
    """A preload and the record of it; see `SessionAnswer`."""

    preload: Preload
    delivery: Delivery | None
    problem: str = ""


class ContextSession:
    """The window of one consumer.

    A named consumer gets a stub for text that it provably received and still holds, and may ask for diffs. Answers to
    nobody in particular are recorded under `default` and are always whole.
    """

    def __init__(
        self,
        store: Store,
        root: Path,
        *,
        session: str | None = None,
        consumer: str | None = None,
        ledger_options: LedgerOptions | None = None,
        clock: Callable[[], float],
        timer: Callable[[], float],
    ) -> None:
        """Attach to a window; `clock` gives seconds since the epoch, `timer` seconds that only grow."""
        self.root = root
        self.store = store
        self.ledger = ContextLedger(
            store,
            session=DEFAULT_SESSION if session is None else session,
            consumer=DEFAULT_CONSUMER if consumer is None else consumer,
            options=ledger_options,
        )
        self.cache = SessionCache(store)
        self.clock = clock
        self._timer = timer
        self.is_named = consumer is not None

    def read(
        self,
        paths: Sequence[str],
        *,
        mode: str = "full",
        style: Style = Style.TEXT,
        is_framed: bool = True,
        frames_loss: bool = False,
        read: Callable[[Sequence[str], str], tuple[Reading, ...]] | None = None,
    ) -> SessionAnswer:
        """Read files, answer with stubs and diffs where they serve, and record what is about to be sent.

        Where `frames_loss`, texts that are not the bytes of their files have their headers, which say so, in any case.
        `confirm` has to follow once the text was handed over: until then nothing is taken as received. `read` gives the
        files in a mode; by default `read_files` does, without a task.
        """
        if mode == DIFF_MODE and not self.is_named:
            raise InputError("mode is 'diff' but no consumer is named: say who saw the files before")
        started = self._timer()
        read_mode = "full" if mode == DIFF_MODE else mode
        whole = _read_files(self.root, paths, read_mode) if read is None else read(paths, read_mode)
        try:
            answered, problem = self._answers(whole, mode), ""
        except StoreError as error:
            # Without the record nobody is known to hold anything.
            answered, problem = whole, str(error)
        is_framed = is_framed or (frames_loss and any(reading.note for reading in answered))
        blocks = [frame_reading(reading, style) if is_framed else reading.content for reading in answered]
        text = join_readings(blocks, style, answered) if is_framed else "".join(blocks)
        tokens = count_tokens(text)
        duration_ms = (self._timer() - started) * 1000
        if not problem:
            try:
                with self.store.transaction():
                    delivery = self._record_readings(whole, answered, blocks, tokens, duration_ms)
                return SessionAnswer(text, tokens, answered, delivery)
            except StoreError as error:
                problem = str(error)
        return SessionAnswer(text, tokens, answered, None, problem)

    def record_preload(self, preload: Preload) -> PreloadAnswer:
        """Record a preload that is about to be sent; `confirm` has to follow."""
        shown = [file for file in preload.files if file.sent_tokens]
        items = [
            SentItem(
                file.path,
                file.mode,
                file.original_tokens,
                file.sent_tokens,
                file.content_hash,
                "" if file.mode == STUB_MODE else hash_text(file.content),
            )
            for file in shown
        ]
        try:
            with self.store.transaction():
                delivery = self._record(items, "preload", preload.tokens)
                for file in shown if self.is_named else ():
                    if file.mode == STUB_MODE:
                        continue
                    self.cache.keep(file.data, size_tokens=file.original_tokens, now_seconds=delivery.recorded_at)
                    self._keep(file.content, file.sent_tokens, delivery)
                self._record_metrics(preload.metrics, delivery)
        except StoreError as error:
            return PreloadAnswer(preload, None, str(error))
        return PreloadAnswer(preload, delivery)

    def window(self) -> "WindowState | None":
        """How full the window of a named consumer is; nobody in particular has none."""
        if not self.is_named:
            return None
        from ctxsieve.pipeline.auto_mode import WindowState

        try:
            totals = self.ledger.totals()
        except StoreError:
            return None
        return WindowState(totals.resident_tokens, totals.window_tokens, totals.options)

    def held_texts(self, path: str, content_hash: str) -> list[str]:
        """The texts of a file, as it is now, that the consumer received and still holds."""
        try:
            entries = self.ledger.received_entries(path)
            found = [
                self.cache.find(entry.text_hash)
                for entry in entries
                if entry.text_hash and entry.content_hash == content_hash
            ]
        except StoreError:
            # Without the record nobody is known to hold anything.
            return []
        return [content.decode("utf-8", "surrogatepass") for content in found if content is not None]

    def confirm(self, delivery: Delivery | None) -> None:
        """Note that the consumer has the text of a delivery."""
        if delivery is not None and not delivery.was_received:
            self.ledger.confirm(delivery)

    def render(self, path: str, mode: str) -> "Rendering | None":
        """One file as it would be sent now, for plans and handoffs; None where it has no such form."""
        try:
            (reading,) = _read_files(self.root, [path], mode)
        except (InputError, PathError):
            return None
        if reading.mode != mode.partition(":")[0] or not reading.content:
            return None
        from ctxsieve.ledger import Rendering

        return Rendering(
            frame_reading(reading, Style.TEXT),
            reading.content_hash,
            reading.original_tokens,
            hash_text(reading.content),
        )

    def hash_of(self, path: str) -> str | None:
        """The hash of a file as it is now, None where it cannot be read."""
        try:
            (reading,) = _read_files(self.root, [path], "raw")
        except (InputError, PathError):
            return None
        return reading.content_hash

    def _answers(self, whole: Sequence[Reading], mode: str) -> tuple[Reading, ...]:
        if mode == DIFF_MODE:
            return tuple(self._changes(reading) for reading in whole)
        return tuple(self._without_repetition(reading) for reading in whole)

    def _changes(self, reading: Reading) -> Reading:
        """The changes since the consumer last saw the file, or the whole file with the reason."""
        seen = self.ledger.received_entry(reading.path)
        if seen is None:
            return replace(reading, reason="not sent to you before")
        if seen.content_hash == reading.content_hash:
            return self._stub(reading, self._mode_of(reading.path)) or reading
        old = self.cache.find(seen.content_hash)
        if old is None:
            return replace(reading, reason="what you saw is no longer kept")
        from ctxsieve.cache import diff_contents

        before = read_source(reading.path, old, language_of(reading.path, old[:512])).text
        changes = diff_contents(one_line(reading.path), before, reading.content)
        tokens = count_tokens(changes)
        if tokens >= reading.tokens:
            return replace(reading, reason="diff would cost more than the file itself")
        return replace(reading, mode=DIFF_MODE, content=changes, tokens=tokens, lines=(), omitted_lines=())

    def _mode_of(self, path: str) -> str:
        modes = [entry.mode for entry in self.ledger.entries(path=path) if entry.mode != STUB_MODE]
        return modes[-1] if modes else DIFF_MODE

    def _without_repetition(self, reading: Reading) -> Reading:
        """A stub where the consumer holds the very same text, otherwise the reading itself."""
        if not self.is_named or not reading.content:
            return reading
        if self.ledger.received_entry(reading.path, text_hash=hash_text(reading.content)) is None:
            return reading
        return self._stub(reading, reading.mode) or reading

    def _stub(self, reading: Reading, mode: str) -> Reading | None:
        from ctxsieve.cache import reread_stub

        stub = reread_stub(one_line(reading.path), mode, instead_of=reading.content)
        if stub is None:
            return None
        return replace(
            reading,
            mode=STUB_MODE,
            reason="unchanged and already sent",
            content=stub,
            tokens=count_tokens(stub),
            lines=(),
            omitted_lines=(),
            arranged="",
            anchor="",
        )

    def _record_readings(
        self,
        whole: Sequence[Reading],
        answered: Sequence[Reading],
        blocks: Sequence[str],
        tokens: int,
        duration_ms: float,
    ) -> Delivery:
        sizes = [count_tokens(block) for block in blocks]
        items = [_item(reading, size) for reading, size in zip(answered, sizes, strict=True)]
        delivery = self._record(items, "read", tokens)
        for reading, shown in zip(whole, answered, strict=True):
            if reading.is_secret or not self.is_named:
                continue
            self.cache.keep(reading.data, size_tokens=reading.original_tokens, now_seconds=delivery.recorded_at)
            if shown.mode not in (STUB_MODE, DIFF_MODE) and hash_text(shown.content) != reading.content_hash:
                self._keep(shown.content, shown.tokens, delivery)
        self._record_metrics(_metrics(answered, sizes, tokens, duration_ms), delivery)
        return delivery

    def _record(self, items: Sequence[SentItem], kind: str, tokens: int) -> Delivery:
        # Nobody in particular never gets a stub: whether the text arrived makes no difference, a sync of the disk does.
        return self.ledger.record(
            items, kind=kind, sent_tokens=tokens, now_seconds=self.clock(), was_received=not self.is_named
        )

    def _record_metrics(self, rows: Sequence[LayerMetrics], delivery: Delivery) -> None:
        record_metrics(self.store, self.ledger.session, str(delivery.id), rows, now_seconds=delivery.recorded_at)

    def _keep(self, content: str, tokens: int, delivery: Delivery) -> None:
        """Keep shown text, so that a handoff can pass on exactly what was held."""
        self.cache.keep(content.encode("utf-8", "surrogatepass"), size_tokens=tokens, now_seconds=delivery.recorded_at)


def _read_files(root: Path, paths: Sequence[str], mode: str) -> tuple[Reading, ...]:
    # Most sessions of the command line only record a preload.
    from ctxsieve.pipeline.read import read_files

    return read_files(root, paths, mode)


def hash_text(text: str) -> str:
    """The hash of shown text without its frame, by which repetitions are recognised."""
    return hash_content(text.encode("utf-8", "surrogatepass"))


def _item(reading: Reading, sent_tokens: int) -> SentItem:
    # A stub or a diff is not the text itself: neither proves that the consumer has it.
    is_text = reading.mode not in (STUB_MODE, DIFF_MODE)
    return SentItem(
        reading.path,
        _ledger_mode(reading),
        reading.original_tokens,
        sent_tokens,
        reading.content_hash,
        hash_text(reading.content) if is_text else "",
    )


def _ledger_mode(reading: Reading) -> str:
    if reading.mode != "lines":
        return reading.mode
    return "lines:" + ",".join(f"{span.first}-{span.last}" for span in reading.lines)


def _metrics(readings: Sequence[Reading], sizes: Sequence[int], tokens: int, duration_ms: float) -> list[LayerMetrics]:
    """One row per file; the duration of the whole read stands on the first."""
    rows = [
        LayerMetrics(
            "compression",
            reading.original_tokens,
            size,
            0.0 if position else duration_ms,
            reading.mode,
            reading.language,
        )
        for position, (reading, size) in enumerate(zip(readings, sizes, strict=True))
    ]
    return [*rows, LayerMetrics("delivery", sum(sizes), tokens, 0.0)]
