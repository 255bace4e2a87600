//! Counting and encoding with remembered pre-tokens.

use std::fmt;
use std::ops::Range;

use crate::cache::{Cache, KEY_BYTES, LONG_KEY, key_at, short_medium_key, slot_key_at};
use crate::calibration::Costs;
use crate::decode::replace_invalid;
use crate::lines::Lists;
use crate::merge::merge;
use crate::misses::Misses;
use crate::simd::prefetch;
use crate::split::split_end;
use crate::vocabulary::Vocabulary;

/// Bytes of text between two looks at the interrupt.
pub(crate) const BYTES_PER_CHECK: usize = 1 << 16;
const COUNT_SHIFT: u32 = 49;
/// So many pre-tokens are looked up at once.
const PIECES_AHEAD: usize = 32;
/// So many misses wait before they are worked on.
const MISSES_AT_ONCE: usize = 32;

/// The caller asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// Asked from time to time whether to go on.
pub type Check<'a> = &'a mut dyn FnMut() -> Result<(), Interrupted>;

/// Number of tokens and sum of their costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Total {
    /// Number of tokens.
    pub tokens: u64,
    /// Sum of the costs of the tokens.
    pub cost: u64,
}

impl Total {
    /// Both numbers in one word, so that one addition adds both. The number has 15 bits: enough for the runs
    /// and lines of less than 2^15 bytes that are added up this way.
    pub(crate) fn pack(self) -> u64 {
        self.tokens << COUNT_SHIFT | self.cost
    }

    #[inline]
    pub(crate) fn unpack(word: u64) -> Total {
        Total {
            tokens: word >> COUNT_SHIFT,
            cost: word & ((1 << COUNT_SHIFT) - 1),
        }
    }

    pub(crate) fn add(&mut self, other: Total) {
        self.tokens += other.tokens;
        self.cost += other.cost;
    }
}

/// Counts tokens and adds up their costs; remembers pre-tokens. Every thread needs its own.
pub struct Counter {
    vocabulary: &'static Vocabulary,
    costs: Costs,
    pub(crate) cache: Cache,
    pub(crate) misses: Misses,
    pub(crate) lists: Lists,
}

impl fmt::Debug for Counter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Counter")
    }
}

impl Counter {
    /// A counter that remembers nothing yet.
    #[must_use]
    pub fn new(vocabulary: &'static Vocabulary, costs: Costs) -> Counter {
        Counter {
            vocabulary,
            costs,
            cache: Cache::new(),
            misses: Misses::new(),
            lists: Lists::default(),
        }
    }

    /// The total of a pre-token of more than 15 bytes, remembered or new.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so.
    pub(crate) fn total_of_long(
        &mut self,
        piece: &[u8],
        check: Check<'_>,
    ) -> Result<Total, Interrupted> {
        if let Some(word) = self.cache.get_long(piece) {
            return Ok(Total::unpack(word));
        }
        let mut total = Total::default();
        merge(self.vocabulary, piece, check, |id| {
            total.add(total_of_id(self.costs.get(), id));
        })?;
        self.cache.insert_long(piece, total);
        Ok(total)
    }

    /// The total of a pre-token that is not at home in the cache; nothing for one that is put off to
    /// [`Self::resolve_misses`]. Unpacked: one long pre-token may have more tokens than a packed total holds.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so.
    #[inline(never)]
    pub(crate) fn look_elsewhere(
        &mut self,
        slot_key: u128,
        (text, piece): (&[u8], Range<usize>),
        place: usize,
        check: Check<'_>,
    ) -> Result<Total, Interrupted> {
        if piece.len() > KEY_BYTES {
            return self.total_of_long(&text[piece], check);
        }
        let key = key_at(text, piece.start, piece.len());
        let found = if slot_key == LONG_KEY {
            self.cache.get_medium(short_medium_key(key))
        } else {
            self.cache.get(slot_key)
        };
        if let Some(word) = found {
            return Ok(Total::unpack(word));
        }
        self.misses.push(key, place);
        Ok(Total::default())
    }

    /// Finds and remembers the totals of what was put off.
    pub(crate) fn resolve_misses(&mut self) {
        self.misses.resolve(self.vocabulary, self.costs.get());
        for (key, total) in self.misses.keys() {
            self.cache.insert(key, total);
        }
    }

    /// The total of a text.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so; it is asked every 64 KiB.
    pub fn count(&mut self, text: &str, check: Check<'_>) -> Result<Total, Interrupted> {
        self.count_valid(text.as_bytes(), check)
    }

    /// The total of a text; bytes that are not UTF-8 count as the replacement characters that a decoder shows.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so; it is asked every 64 KiB.
    pub fn count_lossy(&mut self, data: &[u8], check: Check<'_>) -> Result<Total, Interrupted> {
        self.count_valid(&replace_invalid(data, check)?, check)
    }

    /// The total of valid UTF-8.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so.
    pub(crate) fn count_valid(
        &mut self,
        bytes: &[u8],
        check: Check<'_>,
    ) -> Result<Total, Interrupted> {
        let (mut start, mut total, mut next_check) = (0, Total::default(), BYTES_PER_CHECK);
        let mut pieces = [(LONG_KEY, 0, 0); PIECES_AHEAD];
        self.misses.clear();
        while start < bytes.len() {
            let (mut begin, mut found) = (start, 0);
            // All are asked for before the first is waited for.
            while found < PIECES_AHEAD && start < bytes.len() {
                let end = split_end(bytes, start);
                let key = if bytes[end - 1] == 0 {
                    LONG_KEY
                } else {
                    slot_key_at(bytes, start, end - start)
                };
                let home = Cache::home(key, self.cache.bits);
                prefetch(&self.cache.slots()[home]);
                pieces[found] = (key, home, end);
                (start, found) = (end, found + 1);
            }
            for &(key, home, end) in &pieces[..found] {
                total.add(match self.cache.get_at_home(key, home) {
                    Some(word) => Total::unpack(word),
                    None => self.look_elsewhere(key, (bytes, begin..end), begin, check)?,
                });
                begin = end;
            }
            if self.misses.len() >= MISSES_AT_ONCE {
                total.add(self.total_of_misses());
            }
            if start >= next_check {
                check()?;
                next_check = start + BYTES_PER_CHECK;
            }
        }
        if self.misses.len() > 0 {
            total.add(self.total_of_misses());
        }
        Ok(total)
    }

    /// Finds and forgets what was put off.
    #[inline(never)]
    fn total_of_misses(&mut self) -> Total {
        self.resolve_misses();
        let mut total = Total::default();
        self.misses
            .totals()
            .for_each(|(_, missed)| total.add(missed));
        self.misses.clear();
        total
    }

    /// The token ids of a text; bytes that are not UTF-8 become replacement characters.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so; it is asked every 64 KiB.
    pub fn encode_lossy(&self, data: &[u8], check: Check<'_>) -> Result<Vec<u32>, Interrupted> {
        self.encode_valid(&replace_invalid(data, check)?, check)
    }

    /// The token ids of a text.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so; it is asked every 64 KiB.
    pub fn encode(&self, text: &str, check: Check<'_>) -> Result<Vec<u32>, Interrupted> {
        self.encode_valid(text.as_bytes(), check)
    }

    fn encode_valid(&self, bytes: &[u8], check: Check<'_>) -> Result<Vec<u32>, Interrupted> {
        let mut ids = Vec::with_capacity(bytes.len() / 3);
        let (mut start, mut next_check) = (0, BYTES_PER_CHECK);
        while start < bytes.len() {
            let end = split_end(bytes, start);
            merge(self.vocabulary, &bytes[start..end], check, |id| {
                ids.push(id);
            })?;
            start = end;
            if start >= next_check {
                check()?;
                next_check = start + BYTES_PER_CHECK;
            }
        }
        Ok(ids)
    }
}

/// The total of one token.
pub(crate) fn total_of_id(costs: &[u16], id: u32) -> Total {
    let cost = costs.get(id as usize).copied().unwrap_or(0);
    Total {
        tokens: 1,
        cost: u64::from(cost),
    }
}
