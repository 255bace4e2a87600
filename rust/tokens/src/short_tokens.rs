//! Tokens of up to 8 bytes and their ids side by side, four to a cache line: finding one waits for memory once.

use crate::cache::slot_of;
use crate::simd::prefetch;
use crate::table::{Entry, Table};
use crate::vocabulary::NO_TOKEN;

/// Longer tokens stand elsewhere.
pub(crate) const SHORT_BYTES: usize = 8;
/// 148,310 tokens in 2^16 buckets of four slots, 4 MiB.
const BUCKET_BITS: u32 = 16;

/// Length 0 is an empty slot.
#[derive(Clone, Copy)]
struct Slot {
    bytes: u64,
    id: u32,
    length: u16,
    /// In the last slot of a bucket: whether a token that belongs here stands in a later one.
    goes_on: bool,
}

impl Slot {
    const EMPTY: Slot = Slot {
        bytes: 0,
        id: 0,
        length: 0,
        goes_on: false,
    };
}

/// Filled from the first slot on.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

// SAFETY: numbers, and false.
unsafe impl Entry for Bucket {
    const EMPTY: Bucket = Bucket([Slot::EMPTY; 4]);
}

/// A key of up to 8 bytes whose bucket is on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    bytes: u64,
    length: u16,
    bucket: u16,
}

impl Asked {
    /// What is no token; finding it reads the first bucket, which is in use all the time.
    pub(crate) const NOTHING: Asked = Asked {
        bytes: 0,
        length: u16::MAX,
        bucket: 0,
    };
}

/// Ids by bytes.
pub(crate) struct ShortTokens(Table<Bucket>);

impl ShortTokens {
    pub(crate) fn new() -> ShortTokens {
        ShortTokens(Table::new(1 << BUCKET_BITS))
    }

    /// Adds a key of up to 8 bytes that is not there.
    pub(crate) fn insert(&mut self, key: u128, id: u32) {
        let Asked {
            bytes,
            length,
            mut bucket,
        } = locate(key);
        loop {
            let slots = &mut self.0[usize::from(bucket)].0;
            if let Some(slot) = slots.iter_mut().find(|slot| slot.length == 0) {
                *slot = Slot {
                    bytes,
                    id,
                    length,
                    goes_on: false,
                };
                return;
            }
            slots[3].goes_on = true;
            bucket = bucket.wrapping_add(1);
        }
    }

    /// Asks for the first `length` bytes of a word, 1 to 8, without waiting for them; for nothing where they do not
    /// `exist`, without a branch on that, which nothing predicts.
    #[inline]
    pub(crate) fn ask(&self, word: u64, length: usize, exist: bool) -> Asked {
        let bytes = word & WORD_MASKS[length & 15];
        let asked = locate(u128::from(bytes) | (length as u128) << 120);
        let nothing = u16::from(exist).wrapping_sub(1);
        let bucket = asked.bucket & !nothing;
        prefetch(&self.0[usize::from(bucket)]);
        Asked {
            bytes,
            length: asked.length | nothing,
            bucket,
        }
    }

    /// The id of a key of up to 8 bytes, or [`NO_TOKEN`].
    #[inline]
    pub(crate) fn get(&self, key: u128) -> u32 {
        self.find(locate(key))
    }

    /// The id of what was asked for, or [`NO_TOKEN`].
    #[inline]
    pub(crate) fn find(&self, asked: Asked) -> u32 {
        let slots = &self.0[usize::from(asked.bucket)].0;
        // All four, without a branch on which it is.
        let mut id = NO_TOKEN;
        for slot in slots {
            let (same_bytes, same_length) =
                (slot.bytes == asked.bytes, slot.length == asked.length);
            id = if same_bytes & same_length {
                slot.id
            } else {
                id
            };
        }
        if (id == NO_TOKEN) & slots[3].goes_on {
            return self.find_later(asked);
        }
        id
    }

    /// As [`Self::find`], behind the bucket where it belongs.
    #[cold]
    fn find_later(&self, asked: Asked) -> u32 {
        let mut bucket = asked.bucket;
        loop {
            bucket = bucket.wrapping_add(1);
            let slots = &self.0[usize::from(bucket)].0;
            let same = |slot: &&Slot| slot.bytes == asked.bytes && slot.length == asked.length;
            if let Some(slot) = slots.iter().find(same) {
                return slot.id;
            }
            if !slots[3].goes_on {
                return NO_TOKEN;
            }
        }
    }
}

#[inline]
fn locate(key: u128) -> Asked {
    Asked {
        bytes: key as u64,
        length: (key >> 120) as u16,
        bucket: slot_of(key, BUCKET_BITS) as u16,
    }
}

/// The first bytes of a word, by their number.
const WORD_MASKS: [u64; 16] = {
    let mut masks = [u64::MAX; 16];
    let mut length = 0;
    while length < SHORT_BYTES {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};
