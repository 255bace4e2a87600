//! The files of a tree that are not ignored.
//!
//! Rules, strongest first: `.ctxsieveignore`, `.ignore`, `.gitignore`, `.git/info/exclude`; within one kind the file
//! nearest to the path wins, within one file the last matching line. Parents of the root have no say, nor has the
//! user's global git configuration. `.git` is never entered. Symbolic links are never followed, other special files
//! never opened. Hidden files count like any others.

use std::ffi::OsString;
use std::fs::{DirEntry, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// How long an idle thread sleeps before it looks whether the walk was cancelled.
const WAIT: Duration = Duration::from_millis(20);
/// Longer ignore files are read up to here.
const MAX_IGNORE_FILE_BYTES: u64 = 1 << 20;

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

/// Kinds of ignore files, strongest first; the last two are git's.
const KINDS: [&str; 4] = [
    ".ctxsieveignore",
    ".ignore",
    ".gitignore",
    ".git/info/exclude",
];
const KINDS_WITHOUT_GIT: usize = 2;

/// A folder with its ignore files by kind; the chain of parents ends at the root.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    rules: [Option<Gitignore>; KINDS.len()],
    parent: Option<Arc<Folder>>,
}

impl Folder {
    /// Open a folder that holds entries of these names.
    fn open(
        root: &Path,
        path: PathBuf,
        parent: Option<Arc<Self>>,
        with_git_rules: bool,
        names: &[OsString],
    ) -> Self {
        let kinds = if with_git_rules {
            KINDS.len()
        } else {
            KINDS_WITHOUT_GIT
        };
        let rules = std::array::from_fn(|kind| {
            let first = Path::new(KINDS[kind]).iter().next().unwrap_or_default();
            let is_present = kind < kinds && names.iter().any(|name| name == first);
            is_present
                .then(|| read_rules(&root.join(&path).join(KINDS[kind])))
                .flatten()
        });
        Self {
            path,
            rules,
            parent,
        }
    }

    fn ignores(&self, path: &Path, is_folder: bool) -> bool {
        for kind in 0..KINDS.len() {
            let mut holder = Some(self);
            while let Some(folder) = holder {
                if let Some(rules) = &folder.rules[kind]
                    && let Ok(relative) = path.strip_prefix(&folder.path)
                {
                    match rules.matched(relative, is_folder) {
                        Match::Ignore(_) => return true,
                        Match::Whitelist(_) => return false,
                        Match::None => {}
                    }
                }
                holder = folder.parent.as_deref();
            }
        }
        false
    }
}

/// The rules of an ignore file; None where there is no regular file, or it says nothing.
fn read_rules(path: &Path) -> Option<Gitignore> {
    let content = read_small_file(path).ok()?;
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&content);
    // Matching sees paths relative to the folder of the file, so that it has no place of its own.
    let mut builder = GitignoreBuilder::new("");
    for line in content.split(|&byte| byte == b'\n') {
        // What stands before a line that is no text still counts.
        let Ok(line) = std::str::from_utf8(line) else {
            break;
        };
        // A malformed line excludes nothing.
        let _ = builder.add_line(None, line.strip_suffix('\r').unwrap_or(line));
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

fn read_small_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // A pipe in the place of an ignore file is not waited for.
        options.custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC);
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::from(std::io::ErrorKind::InvalidInput));
    }
    let mut content = Vec::new();
    file.take(MAX_IGNORE_FILE_BYTES).read_to_end(&mut content)?;
    Ok(content)
}

/// Folders that wait to be read, and how many are being read.
#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<(PathBuf, Option<Arc<Folder>>)>,
    busy: usize,
}

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
    let queue = Mutex::new(Queue {
        waiting: vec![(PathBuf::new(), None)],
        busy: 0,
    });
    let changed = Condvar::new();
    let run = || {
        let mut tree = Tree::default();
        while let Some((path, parent)) = take_folder(&queue, &changed, cancelled) {
            let found = read_folder(root, path, parent, with_git_rules, &mut tree);
            let mut queue = queue.lock().expect("no holder panics");
            queue.waiting.extend(found);
            queue.busy -= 1;
            drop(queue);
            changed.notify_all();
        }
        tree
    };
    let mut trees: Vec<Tree> = std::thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut trees = vec![run()];
        trees.extend(
            handles
                .into_iter()
                .map(|handle| handle.join().expect("a walk does not panic")),
        );
        trees
    });
    if cancelled.load(Ordering::Relaxed) {
        return Err(Cancelled);
    }
    let mut tree = Tree::default();
    for part in &mut trees {
        tree.files.append(&mut part.files);
        tree.skipped.append(&mut part.skipped);
        tree.repositories.append(&mut part.repositories);
    }
    tree.files
        .sort_unstable_by(|left, right| path_bytes(&left.path).cmp(path_bytes(&right.path)));
    tree.skipped
        .sort_unstable_by(|left, right| path_bytes(&left.0).cmp(path_bytes(&right.0)));
    tree.repositories
        .sort_unstable_by(|left, right| path_bytes(left).cmp(path_bytes(right)));
    Ok(tree)
}

/// Take the next folder; None when all are read or the walk is cancelled.
fn take_folder(
    queue: &Mutex<Queue>,
    changed: &Condvar,
    cancelled: &AtomicBool,
) -> Option<(PathBuf, Option<Arc<Folder>>)> {
    let mut queue = queue.lock().expect("no holder panics");
    loop {
        if cancelled.load(Ordering::Relaxed) {
            changed.notify_all();
            return None;
        }
        if let Some(folder) = queue.waiting.pop() {
            queue.busy += 1;
            return Some(folder);
        }
        if queue.busy == 0 {
            return None;
        }
        queue = changed
            .wait_timeout(queue, WAIT)
            .expect("no holder panics")
            .0;
    }
}

/// Sort the entries of one folder into `tree`; return the folders in it.
fn read_folder(
    root: &Path,
    path: PathBuf,
    parent: Option<Arc<Folder>>,
    with_git_rules: bool,
    tree: &mut Tree,
) -> Vec<(PathBuf, Option<Arc<Folder>>)> {
    let Ok(entries) = std::fs::read_dir(root.join(&path)) else {
        if !path.as_os_str().is_empty() {
            tree.skipped.push((path, Skip::Unreadable));
        }
        return Vec::new();
    };
    let entries: Vec<_> = entries.flatten().collect();
    let names: Vec<OsString> = entries.iter().map(DirEntry::file_name).collect();
    if !path.as_os_str().is_empty() && names.iter().any(|name| name == ".git") {
        tree.repositories.push(path.clone());
    }
    let folder = Arc::new(Folder::open(root, path, parent, with_git_rules, &names));
    let mut folders = Vec::new();
    for (entry, name) in entries.iter().zip(&names) {
        if name == ".git" {
            continue;
        }
        let path = folder.path.join(name);
        // Folders and links are told by their entry: asking for their metadata takes as long as reading them.
        let Some(kind) = or_skip(entry.file_type(), &path, tree) else {
            continue;
        };
        if folder.ignores(&path, kind.is_dir()) {
            continue;
        }
        if kind.is_dir() {
            folders.push((path, Some(Arc::clone(&folder))));
        } else if kind.is_symlink() {
            tree.skipped.push((path, Skip::Link));
        } else if !kind.is_file() {
            tree.skipped.push((path, Skip::Special));
        } else if let Some(metadata) = or_skip(entry.metadata(), &path, tree) {
            // What was replaced since is seen by the next walk.
            tree.files.push(found_file(path, &metadata));
        }
    }
    folders
}

/// What was found out about an entry; one that cannot be asked is skipped, one that is gone forgotten.
fn or_skip<T>(answer: std::io::Result<T>, path: &Path, tree: &mut Tree) -> Option<T> {
    answer
        .inspect_err(|error| {
            if error.kind() != std::io::ErrorKind::NotFound {
                tree.skipped.push((path.to_path_buf(), Skip::Unreadable));
            }
        })
        .ok()
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

/// The bytes of a relative path as they are sorted and shown, with `/` between names.
#[must_use]
pub fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}
