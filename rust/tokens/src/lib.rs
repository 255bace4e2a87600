//! Exact `o200k_base` tokens: pre-tokeniser, byte-pair merging, vocabulary and fused line scoring.

mod cache;
mod calibration;
mod classes;
mod counted_text;
mod counter;
mod decode;
mod lane;
mod lines;
mod marks;
mod merge;
mod misses;
mod short_tokens;
mod simd;
mod split;
mod table;
mod vocabulary;
mod work;

pub use calibration::{
    COST_UNITS_PER_BIT, Calibration, Costs, DAMPING_TOKENS, STEPS_PER_BIT, token_costs,
};
pub use counted_text::CountedText;
pub use counter::{Check, Counter, Interrupted, Total};
pub use lines::split_lines;
pub use simd::Path;
pub use split::split_end;
pub use vocabulary::{TOKEN_COUNT, Vocabulary, VocabularyError};
pub use work::{count_lines, count_lines_of_each, divide};
