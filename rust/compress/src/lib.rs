//! A file of code without some of its nodes: parse, find what may go, choose, write the rest, and parse that again.
//!
//! Everything here has a twin in Python (`ctxsieve.compress`, `ctxsieve.languages`) that gives the same bytes; this crate
//! exists because the work of one file then needs no interpreter, so that many files go at the same time.
#![deny(missing_docs)]
#![deny(unsafe_code)]
// Ties and thresholds are decided by exact comparison, here and in the twin.
#![allow(clippy::float_cmp)]

mod alike;
mod arrangement;
mod choice;
mod chunks;
mod costs;
mod definitions;
mod layout;
mod line_scores;
mod lines;
mod marks;
mod names;
mod neutral;
mod nodes;
mod patterns;
mod queries;
mod removal;
mod repeats;
mod roots;
mod rules;
mod selection;
mod sharing;
mod spelling;
mod sums;
mod text_tokens;
mod tree;

pub use chunks::{Chunk, ChunkKind, ChunkLimits, Definition, DefinitionRole};
pub use line_scores::{DefinitionLines, Hits, LineWeights, score_lines};
pub use marks::{HiddenLines, LeftText, ShownFile, leave_out};
pub use nodes::{Skeleton, flat_lines};
pub use removal::{Found, Limits, Outcome, Removed, Request, Tools, find_nodes, remove_nodes};
pub use repeats::{Costs, LoadedFile, Repeat, RepeatOptions, RepeatSearch};
pub use rules::{Rules, RulesError};
pub use selection::{ChosenLines, ChunkOptions, ChunkedFile, FileLines};

/// What is left out.
#[derive(Debug, Clone, Copy)]
pub enum Choice<'a> {
    /// Comments, doc strings and boilerplate; then statements by rising surprise.
    Aggressive {
        /// Stop when so small a share of the tokens is left.
        share: f64,
        /// Statements above this surprise stay.
        surprise: f64,
        /// At most this share of the names may be lost.
        lost_names: f64,
    },
    /// Whatever tells least, until the share of the tokens is reached.
    Entropy {
        /// The share of tokens to keep.
        share: f64,
    },
    /// All nodes without a kept line: one byte per line, not 0 for lines that stay.
    Task {
        /// The kept lines.
        kept: &'a [u8],
    },
}

/// Characters above ASCII as the twin's regular expressions know them.
#[derive(Debug, Clone, Copy, Default)]
pub struct WideCharacters<'a> {
    /// Those of a text that are part of words.
    pub words: &'a str,
    /// Those of them that are decimal digits, which begin no word.
    pub digits: &'a str,
}
