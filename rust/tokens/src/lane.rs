//! Byte-pair merging of one pre-token in steps: other pre-tokens go a step on while it waits for memory.

use crate::cache::key_at;
use crate::short_tokens::{Asked, SHORT_BYTES};
use crate::vocabulary::{NO_TOKEN, Vocabulary};

/// Pairs of parts in 15 bytes are 14; one more stands for a pair that there is not.
const PAIRS: usize = 16;
const NOWHERE: usize = PAIRS - 1;
/// No token, above any place.
const NONE: u64 = pack(NO_TOKEN, 0);

/// A pre-token of 2 to 15 bytes amid its merging.
#[derive(Debug)]
pub(crate) struct Lane {
    /// Which pre-token it is, for the caller.
    pub(crate) number: u32,
    length: usize,
    /// Zeros behind the bytes: words can be read from any of them.
    bytes: [u8; 32],
    /// Bits where parts start, and where the last one ends.
    starts: u32,
    /// By the start of a part: the token that it forms with the next one, above that start; the least is merged next.
    pairs: [u64; PAIRS],
    /// By the start of a part: the token that it is.
    tokens: [u32; PAIRS],
    /// Pairs whose tokens were asked for.
    asked: [(usize, Asked); 2],
}

impl Lane {
    pub(crate) fn new() -> Lane {
        Lane {
            number: 0,
            length: 0,
            bytes: [0; 32],
            starts: 0,
            pairs: [NONE; PAIRS],
            tokens: [NO_TOKEN; PAIRS],
            asked: [(NOWHERE, Asked::NOTHING); 2],
        }
    }

    /// Starts with the pre-token of a key.
    pub(crate) fn start(&mut self, vocabulary: &Vocabulary, number: u32, key: u128) {
        let piece = (key & (u128::MAX >> 8)).to_le_bytes();
        (self.number, self.length) = (number, (key >> 120) as usize);
        self.bytes[..16].copy_from_slice(&piece);
        self.starts = (2 << self.length) - 1;
        self.pairs = [NONE; PAIRS];
        self.asked = [(NOWHERE, Asked::NOTHING); 2];
        for (token, &byte) in self.tokens.iter_mut().zip(&piece[..self.length]) {
            *token = vocabulary.byte_id(byte);
        }
        for place in 0..self.length - 1 {
            self.pairs[place] = pack(vocabulary.pair_id(piece[place], piece[place + 1]), place);
        }
    }

    /// Merges once; false when there is nothing left to merge.
    #[inline]
    pub(crate) fn step(&mut self, vocabulary: &Vocabulary) -> bool {
        for (start, asked) in self.asked {
            self.pairs[start] = pack(vocabulary.find(asked), start);
        }
        let mut best = least(&self.pairs, 0);
        if self.length > 9 {
            best = best.min(least(&self.pairs, 8));
        }
        if best >= NONE {
            return false;
        }
        let start = (best & 15) as usize;
        self.tokens[start] = (best >> 4) as u32;
        let middle = next_start(self.starts, start);
        self.starts &= !(1 << middle);
        self.pairs[middle & 15] = NONE;
        let end = next_start(self.starts, start);
        let next_end = next_start(self.starts, end & 31);
        let before = self.starts & ((1 << start) - 1);
        let previous = (before | 1).ilog2() as usize;
        self.pairs[start] = NONE;
        self.pairs[previous] = NONE;
        self.asked[0] = self.ask(vocabulary, start, next_end, next_end < PAIRS);
        self.asked[1] = self.ask(vocabulary, previous, end, before != 0);
        true
    }

    /// Asks for the token of a pair, where it exists; the few that are long are looked up at once.
    #[inline]
    fn ask(
        &mut self,
        vocabulary: &Vocabulary,
        start: usize,
        end: usize,
        exists: bool,
    ) -> (usize, Asked) {
        let length = if exists { end - start } else { 1 };
        if length > SHORT_BYTES {
            let id = vocabulary.id_of_key(key_at(&self.bytes, start, length));
            self.pairs[start] = pack(id, start);
            return (NOWHERE, Asked::NOTHING);
        }
        let word = self.bytes[start & 15..]
            .first_chunk()
            .map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let asked = vocabulary.ask(word, length, exists);
        (if exists { start } else { NOWHERE }, asked)
    }

    /// The tokens, when there is nothing left to merge.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = u32> {
        let parts = self.starts & !(1 << self.length);
        (0..self.length)
            .filter(move |&start| parts >> start & 1 != 0)
            .map(|start| self.tokens[start])
    }
}

const fn pack(id: u32, start: usize) -> u64 {
    (id as u64) << 4 | start as u64
}

/// The least of eight: a tree, so that no comparison waits for more than two others.
#[inline]
fn least(pairs: &[u64; PAIRS], from: usize) -> u64 {
    let least = |at: usize| pairs[from + at].min(pairs[from + at + 1]);
    least(0).min(least(2)).min(least(4).min(least(6)))
}

/// Where the next part starts; 31 where there is none.
#[inline]
fn next_start(starts: u32, start: usize) -> usize {
    (starts & (u32::MAX - 1) << start | 1 << 31).trailing_zeros() as usize
}
