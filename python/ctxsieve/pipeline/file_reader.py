"""One file in the mode that was asked for, or that it chooses itself."""

from ctxsieve.cache import hash_content
from ctxsieve.compress import (
    CompressionOptions,
    Mode,
    ModeRequest,
    Removal,
    RemovalsAhead,
    Rendering,
    SourceFile,
    begin_removal,
    is_binary,
    is_code,
    read_source,
    render_aggressive,
    render_entropy,
    render_full,
    render_lines,
    render_map,
    render_prose,
    render_prose_outline,
    render_raw,
    render_reference,
    render_signatures,
    render_task,
)
from ctxsieve.errors import InputError
from ctxsieve.graph import scan_imports
from ctxsieve.intent import StructuredIntent, policy_for
from ctxsieve.jail import OpenRoot, is_secret
from ctxsieve.languages import language_of
from ctxsieve.pipeline.auto_mode import WindowState, choose_read_mode
from ctxsieve.pipeline.read_options import ReadOptions
from ctxsieve.pipeline.reading import AS_ASKED, ReadFile, Reading
from ctxsieve.pipeline.spelling import SpellingOptions
from ctxsieve.relevance import Ranking, find_frames, score_lines
from ctxsieve.values import dataclass, replace

__all__ = ["FileReader", "LoadedText", "ReadTask"]

# Nothing but the text decides what these modes leave out.
_MODES_AHEAD = (Mode.AGGRESSIVE, Mode.ENTROPY)


@dataclass(frozen=True, slots=True)
class ReadTask:
    """What a read is for: the task as written, its intent, and what was searched for in the project."""

    text: str
    intent: StructuredIntent
    ranking: Ranking


@dataclass(frozen=True, slots=True)
class LoadedText:
    """A file's bytes, and its text."""

    data: bytes
    source: SourceFile


@dataclass(frozen=True, slots=True)
class FileReader:
    """What is asked of every file of a read."""

    request: ModeRequest
    task: ReadTask | None
    budget_tokens: int | None
    options: ReadOptions
    compression: CompressionOptions
    spelling: SpellingOptions
    is_one_of_many: bool
    window: WindowState | None

    def after(self, reading: Reading) -> "FileReader":
        """Return the reader of the next file: its window holds this one, too."""
        return self if self.window is None else replace(self, window=self.window.with_more(reading.tokens))

    @property
    def works_ahead(self) -> bool:
        """Whether other threads may begin with files while more are read."""
        return self.request.mode in _MODES_AHEAD

    def load(self, root: OpenRoot, path: str) -> LoadedText:
        """Return a file that somebody named."""
        data = root.read(path, asked_by_name=True)
        if is_binary(data):
            raise InputError(f"{path} is binary: it has no text to show")
        return LoadedText(data, read_source(path, data, language_of(path, data[:512])))

    def begin(self, file: LoadedText, ahead: RemovalsAhead) -> None:
        """Let another thread begin with a file of code."""
        if self.request.mode is not None and is_code(file.source):
            source = self._spelled(file.source)
            begin_removal(source, self.request.mode, ahead, share=self.request.share, options=self.compression)

    def show(self, file: LoadedText) -> ReadFile:
        """Return the file as it was asked for."""
        data, source = file.data, file.source
        path = source.path
        rendering, reason = self._rendered(source)
        reading = Reading(
            path=path,
            mode=rendering.mode.value,
            reason=reason,
            content=rendering.content,
            tokens=rendering.tokens,
            # Leaving nodes out counts them on the way.
            original_tokens=source.tokens,
            lines=rendering.shown,
            omitted_lines=rendering.omitted,
            encoding=source.encoding,
            lossless=source.lossless,
            language=source.language.name if source.language else "",
            content_hash=hash_content(data),
            data=data,
            note=source.note,
            is_secret=is_secret(path),
        )
        scores = self._relevance(source) if self.is_one_of_many and self.task is not None and is_code(source) else ()
        return ReadFile(reading, source, scores, asked=self.request.mode)

    def _rendered(self, source: SourceFile) -> tuple[Rendering, str]:
        if self.request.mode is not None:
            return self._not_inflated(source, self.request.mode)
        choice = choose_read_mode(
            source.path,
            source.tokens,
            intent=None if self.task is None else self.task.intent,
            budget_tokens=self.budget_tokens,
            options=self.options.auto,
            window=self.window,
            cost_of=lambda mode: self._not_inflated(source, mode)[0].tokens,
        )
        rendering, reason = self._not_inflated(source, choice.mode)
        return rendering, choice.reason if reason == AS_ASKED else f"{choice.reason}; {reason}"

    def _not_inflated(self, source: SourceFile, mode: Mode) -> tuple[Rendering, str]:
        """Return the file in the mode, or whole where the mode cannot serve or would cost more, with the reason."""
        rendering, reason = self._in_mode(source, mode)
        if rendering is None:
            return render_full(source), f"not {mode}: {reason}"
        if not rendering.content and source.text and mode is not Mode.LINES:
            return render_full(source), f"not {mode}: it has no outline"
        if mode is not Mode.REFERENCE and rendering.tokens > source.tokens:
            return render_full(source), f"{mode} would cost more than the file itself"
        return rendering, reason or AS_ASKED

    def _in_mode(self, source: SourceFile, mode: Mode) -> tuple[Rendering | None, str]:
        if mode is Mode.LINES:
            return render_lines(source, self.request.ranges), ""
        if mode in (Mode.AGGRESSIVE, Mode.ENTROPY, Mode.TASK):
            removal = self._without_nodes(source, mode)
            return removal.rendering, removal.reason
        if mode in (Mode.MAP, Mode.SIGNATURES) and not is_code(source) and not source.parsed.definitions:
            return render_prose_outline(source, mode), ""
        renderers = {
            Mode.FULL: render_full,
            Mode.RAW: render_raw,
            Mode.MAP: lambda source: render_map(source, scan_imports(source.data, source.language)),
            Mode.SIGNATURES: lambda source: render_signatures(source, is_aligned=self.spelling.aligns_notation),
            Mode.REFERENCE: render_reference,
        }
        rendering = renderers[mode](source)
        return rendering, rendering.reason

    def _without_nodes(self, source: SourceFile, mode: Mode) -> Removal:
        is_task = mode is Mode.TASK and self.task is not None
        relevance = self._relevance(source) if is_task else ()
        if not is_code(source):
            share = self.request.share
            return render_prose(source, mode, share=share, relevance=relevance, options=self.compression)
        source = self._spelled(source)
        if mode is Mode.AGGRESSIVE:
            return render_aggressive(source, self.compression)
        if self.task is None or mode is Mode.ENTROPY:
            return render_entropy(source, self.request.share, self.compression)
        is_bug = policy_for(self.task.intent).keeps_error_lines_first
        return render_task(source, relevance, has_error_lines_first=is_bug, options=self.compression)

    def _spelled(self, source: SourceFile) -> SourceFile:
        return replace(source, is_aligned=True) if self.spelling.aligns_source else source

    def _relevance(self, source: SourceFile) -> list[float]:
        assert self.task is not None, source.path
        frames = [frame for frame in find_frames(self.task.text) if _is_same_file(source.path, frame.path)]
        scores: list[float] = score_lines(
            source.lines,
            source.parsed.definitions,
            self.task.ranking,
            traced_lines=[frame.line for frame in frames],
        ).tolist()
        return scores


def _is_same_file(path: str, named: str) -> bool:
    """Say whether a stack frame's path, absolute or not, may be this file."""
    return f"/{named}".endswith(f"/{path}") or f"/{path}".endswith(f"/{named}")
