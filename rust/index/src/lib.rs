//! From a folder to facts: walk, hash, scan and parse.

mod facts;
mod path_words;
mod scan;
mod segment;
mod statement;
pub mod syntax;
mod table;
mod texts;
mod walk;
mod words;

pub use facts::{LANGUAGE_BY_INTERPRETER, NO_LANGUAGE, scan_record, sha256};
pub use path_words::{PathWords, find_path_words};
pub use segment::{BuildError, Request, build_segment};
pub use table::{Table, TableError};
pub use texts::find_texts;
pub use walk::{Cancelled, FoundFile, Skip, Tree, path_bytes, walk_tree};
pub use words::FIELDS;
