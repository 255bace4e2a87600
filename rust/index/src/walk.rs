//! The files of a tree that are not ignored.
//!
//! Rules, strongest first: `.ctxsieveignore`, `.ignore`, `.gitignore`, `.git/info/exclude`; within one kind the file
//! nearest to the path wins, within one file the last matching line. Parents of the root have no say, nor has the
//! user's global git configuration. `.git` is never entered. Symbolic links are never followed, other special files
//! never opened. Hidden files count like any others.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use ignore::{DirEntry, WalkBuilder, WalkState};

/// One regular file: its path relative to the root and the numbers that tell whether it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Relative to the root.
    pub path: PathBuf,
    /// Size in bytes.
    pub size: u64,
    /// Modification time in nanoseconds.
    pub mtime_ns: i64,
    /// Change time in nanoseconds; 0 where the platform has none.
    pub ctime_ns: i64,
    /// Inode number; 0 where the platform has none.
    pub inode: u64,
}

/// Why a path is not among the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// A symbolic link.
    Link,
    /// A pipe, socket or device.
    Special,
    /// A folder or file that could not be read.
    Unreadable,
}

/// What a walk found, both lists sorted by the bytes of the path.
#[derive(Debug, Default)]
pub struct Tree {
    /// The regular files.
    pub files: Vec<FoundFile>,
    /// Paths passed over, with the reason.
    pub skipped: Vec<(PathBuf, Skip)>,
    /// Folders below the root that are repositories of their own (submodules, nested clones, worktrees).
    pub repositories: Vec<PathBuf>,
}

/// The walk was cancelled.
#[derive(Debug)]
pub struct Cancelled;

/// Return the files below `root` that no ignore rule excludes; without git rules only `.ctxsieveignore` and `.ignore`
/// count.
///
/// # Errors
/// `Cancelled` when `cancelled` became true.
///
/// # Panics
/// Only when a thread of its own panicked.
pub fn walk_tree(
    root: &Path,
    with_git_rules: bool,
    threads: usize,
    cancelled: &AtomicBool,
) -> Result<Tree, Cancelled> {
    let found = Mutex::new(Tree::default());
    let mut builder = WalkBuilder::new(root);
    builder
        .threads(threads.max(1))
        .hidden(false)
        .parents(false)
        .ignore(true)
        .git_ignore(with_git_rules)
        .git_exclude(with_git_rules)
        .git_global(false)
        .require_git(false)
        .follow_links(false)
        .add_custom_ignore_filename(".ctxsieveignore")
        .filter_entry(|entry| entry.file_name() != ".git");
    builder.build_parallel().run(|| {
        let mut batch = Batch {
            tree: Tree::default(),
            found: &found,
        };
        Box::new(move |entry| {
            if cancelled.load(Ordering::Relaxed) {
                return WalkState::Quit;
            }
            match entry {
                Ok(entry) => visit(root, &entry, &mut batch.tree),
                Err(error) => {
                    let path = path_of_error(&error).and_then(|path| path.strip_prefix(root).ok());
                    if let Some(path) = path.filter(|path| !path.as_os_str().is_empty()) {
                        batch
                            .tree
                            .skipped
                            .push((path.to_path_buf(), Skip::Unreadable));
                    }
                }
            }
            WalkState::Continue
        })
    });
    if cancelled.load(Ordering::Relaxed) {
        return Err(Cancelled);
    }
    let mut tree = found.into_inner().expect("no holder panics");
    tree.files
        .sort_unstable_by(|left, right| path_bytes(&left.path).cmp(path_bytes(&right.path)));
    tree.skipped.sort_unstable_by(|left, right| {
        path_bytes(&left.0)
            .cmp(path_bytes(&right.0))
            .then(left.1.cmp(&right.1))
    });
    tree.skipped.dedup();
    tree.repositories
        .sort_unstable_by(|left, right| path_bytes(left).cmp(path_bytes(right)));
    Ok(tree)
}

/// Gathers per thread and hands over once, when the thread is done.
struct Batch<'a> {
    tree: Tree,
    found: &'a Mutex<Tree>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if let Ok(mut found) = self.found.lock() {
            found.files.append(&mut self.tree.files);
            found.skipped.append(&mut self.tree.skipped);
            found.repositories.append(&mut self.tree.repositories);
        }
    }
}

fn visit(root: &Path, entry: &DirEntry, tree: &mut Tree) {
    let Ok(path) = entry.path().strip_prefix(root) else {
        return;
    };
    if path.as_os_str().is_empty() {
        return;
    }
    let path = path.to_path_buf();
    let Some(kind) = entry.file_type() else {
        return;
    };
    if kind.is_dir() {
        if entry.path().join(".git").symlink_metadata().is_ok() {
            tree.repositories.push(path);
        }
    } else if kind.is_symlink() {
        tree.skipped.push((path, Skip::Link));
    } else if kind.is_file() {
        match entry.path().symlink_metadata() {
            Ok(metadata) if metadata.is_file() => tree.files.push(found_file(path, &metadata)),
            Ok(_) => tree.skipped.push((path, Skip::Special)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => tree.skipped.push((path, Skip::Unreadable)),
        }
    } else {
        tree.skipped.push((path, Skip::Special));
    }
}

#[cfg(unix)]
fn found_file(path: PathBuf, metadata: &Metadata) -> FoundFile {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds =
        |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    FoundFile {
        path,
        size: metadata.size(),
        mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
    }
}

#[cfg(not(unix))]
fn found_file(path: PathBuf, metadata: &Metadata) -> FoundFile {
    let modified = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let mtime_ns = modified.map_or(0, |time| time.as_nanos() as i64);
    FoundFile {
        path,
        size: metadata.len(),
        mtime_ns,
        ctime_ns: 0,
        inode: 0,
    }
}

fn path_of_error(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of_error(err)
        }
        _ => None,
    }
}

/// The bytes of a relative path as they are sorted and shown, with `/` between names.
#[must_use]
pub fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}
