"""Keeps the index and the edges of a tree current: walk, compare, scan what changed, remember."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ctxsieve._kernels import SKIP_REASONS, WalkedTree, build_segment, sha256
from ctxsieve.errors import PathError
from ctxsieve.graph.edges import Edges, load_edges
from ctxsieve.graph.index import FileFlag, Index
from ctxsieve.graph.index_options import IndexOptions, ProgressCallback
from ctxsieve.graph.manifest import MANIFEST_NAME, Manifest, read_manifest, write_manifest
from ctxsieve.graph.segment import CorruptCacheError, Segment
from ctxsieve.graph.tables import languages_of, recall_scan_tables, tables_fingerprint
from ctxsieve.graph.walking import GIT_RULES_NOTICE, ProjectWalk, walk_project
from ctxsieve.languages import Role, role_of
from ctxsieve.values import dataclass, replace

__all__ = ["ProjectGraph", "load_or_build"]

# A file changed so shortly before the scan that a later change could carry the same times (git's racy rule): the
# kernel stamps files by its tick, and some file systems keep whole seconds only.
_TICK_NS = 20_000_000
_SECOND_NS = 1_000_000_000
# Beyond this share of changed files one scan of everything is cheaper than another layer.
_REBUILD_RATIO = 0.25
_MAX_OVERLAYS = 4
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class ProjectGraph:
    """An index with the edges between its files; `notices` says what was unusual about loading it."""

    index: Index
    edges: Edges
    notices: tuple[str, ...] = ()
    rescanned: int = 0


@dataclass(frozen=True, slots=True)
class _Place:
    root: bytes
    directory: Path
    options: IndexOptions
    fingerprint: str
    on_progress: ProgressCallback
    segments: dict[str, Segment]
    walk: ProjectWalk | None

    def segment(self, name: str, checksum: int | None = None) -> Segment:
        """Return a segment of the cache folder; each is read once."""
        if name not in self.segments:
            self.segments[name] = Segment(self.directory / name, checksum)
        return self.segments[name]


def load_or_build(
    root: str | os.PathLike[str],
    *,
    cache_directory: Path,
    options: IndexOptions | None = None,
    on_progress: ProgressCallback | None = None,
    walk: ProjectWalk | None = None,
    segments: dict[str, Segment] | None = None,
) -> ProjectGraph:
    """Return the graph of the tree below `root`, current as of this call.

    The index is kept in a folder of its own below `cache_directory`; only files whose size, times or inode changed are
    read again, and the result equals that of a fresh build. A damaged index is rebuilt, a cache folder that cannot be
    written is replaced by a temporary one; `notices` says so.

    Args:
        root: the folder; no file outside of it is read.
        cache_directory: where indexes are kept.
        options: how to index.
        on_progress: called with the phase ("walk", "scan", "resolve"), what is done and the total.
        walk: the tree as it is now, from a caller who knows; the tree is walked by default.
        segments: segments that were read before, by name; it is brought up to date.

    Raises:
        PathError: `root` is missing or not a folder.
    """
    resolved = Path(os.path.realpath(root))
    if not resolved.exists():
        raise PathError(f"path is {os.fspath(root)!r}: it does not exist")
    if not resolved.is_dir():
        raise PathError(f"path is {os.fspath(root)!r}: it must be a folder")
    if not os.access(resolved, os.R_OK | os.X_OK):
        raise PathError(f"path is {os.fspath(root)!r}: it cannot be read")
    chosen = options or IndexOptions()
    name = sha256(os.fsencode(resolved)).hex()[:32]
    notices: list[str] = []
    place = _Place(
        os.fsencode(resolved),
        cache_directory / name,
        chosen,
        tables_fingerprint(chosen.max_file_bytes),
        on_progress or (lambda _phase, _done, _total: None),
        {} if segments is None else segments,
        walk,
    )
    with contextlib.ExitStack() as stack:
        try:
            place.directory.mkdir(parents=True, exist_ok=True)
            index, rescanned = _current_index(place, notices)
        except OSError as error:
            # A folder that can be made may still be full, or have something in the way of a file.
            _note(
                notices,
                f"the cache folder cannot be written ({error.strerror or error}): nothing is kept for the next run",
            )
            import tempfile

            place = replace(place, directory=Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ctxsieve-"))))
            index, rescanned = _current_index(place, notices)
        edges = load_edges(index, place.directory, lambda: place.on_progress("resolve", 0, len(index)))
        return ProjectGraph(index, edges, tuple(notices), rescanned)


def _current_index(place: _Place, notices: list[str]) -> tuple[Index, int]:
    for attempt in range(_ATTEMPTS):
        try:
            return _try_current_index(place, notices)
        except FileNotFoundError:
            # Another process replaced the segments between our look at the manifest and at them.
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _try_current_index(place: _Place, notices: list[str]) -> tuple[Index, int]:
    now_ns = _touch_clock(place.directory)
    tree = _walk(place, notices)
    old = _read_valid(place, notices)
    if old is not None and not _changes(place, old, tree, now_ns).needs_update:
        return _open(place, old, tree), 0
    with _locked(place.directory):
        # Another process may have done the work while this one waited.
        old = _read_valid(place, notices)
        changes = _changes(place, old, tree, now_ns) if old is not None else None
        if changes is not None and not changes.needs_update:
            assert old is not None
            return _open(place, old, tree), 0
        manifest, rescanned = _update(place, old, changes, tree, now_ns)
        write_manifest(place.directory, manifest)
        _remove_leftovers(place.directory, manifest)
        return _open(place, manifest, tree), rescanned


def _walk(place: _Place, notices: list[str]) -> WalkedTree:
    walk = place.walk
    if walk is None:
        place.on_progress("walk", 0, 0)
        walk = walk_project(place.root, threads=place.options.threads)
    if not walk.has_git_rules:
        _note(notices, GIT_RULES_NOTICE)
    return walk.tree


def _touch_clock(directory: Path) -> int:
    """Return the file system's own time: stamps of files are compared with nothing else."""
    path = directory / "clock"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, b"\n")
        return os.fstat(descriptor).st_mtime_ns
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Hold the lock of a cache folder; a process that dies gives it back."""
    with (directory / "lock").open("ab") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        except (ImportError, OSError):
            # Without locks two processes may both build; the replaced manifest is whole either way.
            pass
        yield


def _read_valid(place: _Place, notices: list[str]) -> Manifest | None:
    """Return the manifest when it is whole, of this version, and its segments are."""
    try:
        manifest = read_manifest(place.directory)
        if manifest is None:
            return None
        if manifest.fingerprint != place.fingerprint:
            _note(notices, "the index was made by another version or with other options: it was rebuilt")
            return None
        for name, crc in manifest.segments:
            place.segment(name, crc)
    except FileNotFoundError:
        if (place.directory / MANIFEST_NAME).exists():
            _note(notices, "the index was damaged (a segment is missing): it was rebuilt")
        return None
    except (CorruptCacheError, OSError, ValueError, KeyError, TypeError, IndexError) as error:
        _note(notices, f"the index was damaged ({error}): it was rebuilt")
        return None
    return manifest


def _note(notices: list[str], text: str) -> None:
    if text not in notices:
        notices.append(text)


@dataclass(frozen=True, slots=True)
class _Changes:
    """How a walked tree differs from a manifest.

    Attributes:
        old_of: by document of the tree, the document of the manifest, -1 for new paths.
        changed: documents whose facts are not known to hold.
        verified: documents whose facts were proved again by their hash.
        needs_update: whether the manifest must be replaced.
    """

    old_of: npt.NDArray[np.int64]
    changed: npt.NDArray[np.int64]
    verified: npt.NDArray[np.int64]
    needs_update: bool


def _changes(place: _Place, old: Manifest, tree: WalkedTree, now_ns: int) -> _Changes:
    if old.paths == tree.paths:
        old_of = np.arange(len(tree.paths), dtype=np.int64)
        is_same_list = True
    else:
        numbers = {path: document for document, path in enumerate(old.paths)}
        old_of = np.fromiter((numbers.get(path, -1) for path in tree.paths), dtype=np.int64, count=len(tree.paths))
        is_same_list = False
    known = np.flatnonzero(old_of >= 0)
    before = old_of[known]
    is_equal = (
        (old.sizes[before] == tree.sizes[known])
        & (old.mtimes_ns[before] == tree.mtimes_ns[known])
        & (old.ctimes_ns[before] == tree.ctimes_ns[known])
        & (old.inodes[before] == tree.inodes[known])
    )
    stamps = np.maximum(tree.mtimes_ns[known], tree.ctimes_ns[known])
    slack = np.where(tree.mtimes_ns[known] % _SECOND_NS == 0, 2 * _SECOND_NS, _TICK_NS)
    is_racy = is_equal & (stamps + slack >= old.verified_ns[before])
    verified = [
        (document, old_document)
        for document, old_document in zip(known[is_racy].tolist(), before[is_racy].tolist(), strict=True)
    ]
    proved = _prove(place, old, tree, verified) if verified else np.zeros(0, dtype=np.int64)
    holds = np.zeros(len(tree.paths), dtype=bool)
    holds[known[is_equal & ~is_racy]] = True
    holds[proved] = True
    changed = np.flatnonzero(~holds)
    is_old_walk = old.skipped == tree.skipped and old.repositories == tree.repositories
    settled = [document for document in proved.tolist() if now_ns > int(old.verified_ns[old_of[document]])]
    needs_update = bool(len(changed)) or not is_same_list or not is_old_walk or bool(settled)
    return _Changes(old_of, changed, proved, needs_update)


def _prove(place: _Place, old: Manifest, tree: WalkedTree, pairs: Sequence[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Return those documents whose content still has the hash of the scan."""
    segments = [place.segment(name) for name, _ in old.segments]
    proved = []
    for document, old_document in pairs:
        segment, local = segments[old.segment_of[old_document]], int(old.local_of[old_document])
        if segment.flags[local] & (FileFlag.HUGE | FileFlag.UNREADABLE):
            continue
        try:
            content = Path(os.fsdecode(os.path.join(place.root, tree.paths[document]))).read_bytes()
        except OSError:
            continue
        if sha256(content) == segment.sha256[local * 32 : local * 32 + 32].tobytes():
            proved.append(document)
    return np.array(proved, dtype=np.int64)


def _update(
    place: _Place, old: Manifest | None, changes: _Changes | None, tree: WalkedTree, now_ns: int
) -> tuple[Manifest, int]:
    """Scan what changed into a new segment and return the manifest that refers to it."""
    count = len(tree.paths)
    roles = [role.value for role in Role]
    if old is None or changes is None or len(changes.changed) > _REBUILD_RATIO * count:
        return _fresh(place, tree, now_ns, roles), count
    segment_of = old.segment_of[changes.old_of].copy()
    local_of = old.local_of[changes.old_of].copy()
    role_of_document = old.role_of[changes.old_of].copy()
    verified_ns = old.verified_ns[changes.old_of].copy()
    verified_ns[changes.verified] = now_ns
    segments = list(old.segments)
    scanned = changes.changed
    if len(scanned) and len(segments) > _MAX_OVERLAYS:
        # All layers above the base become one.
        above = np.flatnonzero(segment_of > 0)
        scanned = np.union1d(scanned, above)
        segments = segments[:1]
    if len(scanned):
        segments.append(_scan(place, tree, scanned))
        segment_of[scanned] = len(segments) - 1
        local_of[scanned] = np.arange(len(scanned))
        verified_ns[scanned] = now_ns
        role_of_document[scanned] = _roles_of(tree, scanned, roles)
    state = os.urandom(16).hex()
    grounds = old.grounds if _keeps_grounds(place, old, tree, scanned, segments[-1][0]) else state
    segments, segment_of = _drop_empty(segments, segment_of)
    manifest = Manifest(
        fingerprint=place.fingerprint,
        state=state,
        grounds=grounds,
        paths=tree.paths,
        segments=segments,
        roles=roles,
        languages=old.languages,
        skipped=tree.skipped,
        repositories=tree.repositories,
        sizes=tree.sizes,
        mtimes_ns=tree.mtimes_ns,
        ctimes_ns=tree.ctimes_ns,
        inodes=tree.inodes,
        verified_ns=verified_ns,
        local_of=local_of,
        segment_of=segment_of,
        role_of=role_of_document,
    )
    if int((segment_of > 0).sum()) > _REBUILD_RATIO * count:
        return _fresh(place, tree, now_ns, roles), count
    return manifest, len(scanned)


def _keeps_grounds(
    place: _Place, old: Manifest, tree: WalkedTree, scanned: npt.NDArray[np.int64], segment_name: str
) -> bool:
    """Return whether edges rest on the same facts: most edits change neither imports nor names."""
    if old.paths != tree.paths:
        return False
    segments = [place.segment(name) for name, _ in old.segments]
    return all(
        segments[old.segment_of[document]].grounds_of(int(old.local_of[document]))
        == place.segment(segment_name).grounds_of(local)
        for local, document in enumerate(scanned.tolist())
    )


def _fresh(place: _Place, tree: WalkedTree, now_ns: int, roles: list[str]) -> Manifest:
    everything = np.arange(len(tree.paths), dtype=np.int64)
    segment = _scan(place, tree, everything)
    state = os.urandom(16).hex()
    return Manifest(
        fingerprint=place.fingerprint,
        state=state,
        grounds=state,
        paths=tree.paths,
        segments=[segment],
        roles=roles,
        languages=list(recall_scan_tables(place.directory, place.fingerprint).names),
        skipped=tree.skipped,
        repositories=tree.repositories,
        sizes=tree.sizes,
        mtimes_ns=tree.mtimes_ns,
        ctimes_ns=tree.ctimes_ns,
        inodes=tree.inodes,
        verified_ns=np.full(len(tree.paths), now_ns, dtype=np.int64),
        local_of=everything.astype(np.uint32),
        segment_of=np.zeros(len(tree.paths), dtype=np.uint8),
        role_of=_roles_of(tree, everything, roles),
    )


def _roles_of(tree: WalkedTree, documents: npt.NDArray[np.int64], roles: Sequence[str]) -> npt.NDArray[np.uint8]:
    numbers = {role: number for number, role in enumerate(roles)}
    paths = (tree.paths[document].decode("utf-8", "surrogateescape") for document in documents.tolist())
    return np.fromiter((numbers[role_of(path)] for path in paths), dtype=np.uint8, count=len(documents))


def _scan(place: _Place, tree: WalkedTree, documents: npt.NDArray[np.int64]) -> tuple[str, int]:
    """Scan documents into a new segment; return its name and checksum."""
    tables = recall_scan_tables(place.directory, place.fingerprint)
    paths = [tree.paths[document] for document in documents.tolist()]
    place.on_progress("scan", 0, len(paths))
    languages = languages_of(place.root, paths, tables)
    name = f"segment-{os.urandom(8).hex()}.bin"
    temporary = place.directory / f"{name}.tmp"
    try:
        build_segment(
            place.root,
            paths,
            languages,
            list(tables.compiled),
            place.options.max_file_bytes,
            place.options.threads,
            os.fsencode(temporary),
        )
        os.replace(temporary, place.directory / name)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    place.on_progress("scan", len(paths), len(paths))
    return name, place.segment(name).checksum


def _drop_empty(
    segments: list[tuple[str, int]], segment_of: npt.NDArray[np.uint8]
) -> tuple[list[tuple[str, int]], npt.NDArray[np.uint8]]:
    """Leave out the segments above the base that no document refers to any more."""
    used = np.bincount(segment_of, minlength=len(segments)) > 0
    used[0] = True
    renumbered = np.cumsum(used) - 1
    kept = [segment for segment, is_used in zip(segments, used.tolist(), strict=True) if is_used]
    return kept, renumbered[segment_of].astype(np.uint8)


def _remove_leftovers(directory: Path, manifest: Manifest) -> None:
    kept = {name for name, _ in manifest.segments}
    for path in directory.glob("segment-*"):
        if path.name not in kept:
            with contextlib.suppress(OSError):
                path.unlink()


def _decoded(paths: Sequence[bytes]) -> list[str]:
    # No path holds a NUL byte: one decoding serves all.
    return b"\0".join(paths).decode("utf-8", "surrogateescape").split("\0") if paths else []


def _open(place: _Place, manifest: Manifest, tree: WalkedTree) -> Index:
    segments = [place.segment(name) for name, _ in manifest.segments]
    for name in place.segments.keys() - {name for name, _ in manifest.segments}:
        del place.segments[name]
    skipped = [(path.decode("utf-8", "surrogateescape"), SKIP_REASONS[reason]) for path, reason in tree.skipped]
    return Index(
        root=Path(os.fsdecode(place.root)),
        paths=_decoded(tree.paths),
        segments=segments,
        segment_of=manifest.segment_of,
        local_of=manifest.local_of,
        language_names=manifest.languages,
        role_names=manifest.roles,
        path_role_of=manifest.role_of,
        skipped=skipped,
        max_file_bytes=place.options.max_file_bytes,
        repositories=_decoded(tree.repositories),
        state=manifest.state,
        grounds=manifest.grounds,
        sizes=tree.sizes,
    )
