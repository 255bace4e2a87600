//! From a folder to facts: walk, hash, scan and parse.

mod facts;
mod scan;
mod segment;
mod statement;
pub mod syntax;
mod table;
mod walk;
mod words;

pub use facts::{LANGUAGE_BY_INTERPRETER, NO_LANGUAGE, scan_record};
pub use segment::{BuildError, Request, build_segment};
pub use table::{Table, TableError};
pub use walk::{Cancelled, FoundFile, Skip, Tree, path_bytes, walk_tree};
pub use words::FIELDS;
