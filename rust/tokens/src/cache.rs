//! What a pre-token costs, remembered by its bytes.
//!
//! The layout (keys of up to 15 bytes in one 128-bit word with the length on top, open addressing, no
//! comparison of bytes) follows an idea published by the gigatoken project (MIT).

use std::collections::HashMap;

use crate::counter::Total;
use crate::simd::{prefer_large_pages, prefetch};

/// Longer pre-tokens are kept in a map of byte strings.
pub(crate) const KEY_BYTES: usize = 15;
/// Marks a pre-token that does not fit into a key.
pub(crate) const LONG_KEY: u128 = u128::MAX;

const FIRST_BITS: u32 = 14;
/// 2^20 slots of 32 bytes: 32 MiB a thread.
const LAST_BITS: u32 = 20;
/// Pre-tokens of 16 to 31 bytes: 2^15 slots of 64 bytes, 2 MiB a thread.
const MEDIUM_BITS: u32 = 15;
const MEDIUM_BYTES: usize = 31;
const LONG_ENTRIES: usize = 1 << 13;
const LONG_ENTRY_BYTES: usize = 256;

/// The key of 1 to 15 bytes.
#[inline]
pub(crate) fn key_of(piece: &[u8]) -> u128 {
    debug_assert!(piece.len() <= KEY_BYTES);
    let mut bytes = [0; 16];
    bytes[..piece.len()].copy_from_slice(piece);
    u128::from_le_bytes(bytes) | (piece.len() as u128) << 120
}

/// The key of the `length` bytes at `start`; beyond 15 bytes it is [`LONG_KEY`].
#[inline]
pub(crate) fn key_at(text: &[u8], start: usize, length: usize) -> u128 {
    if length > KEY_BYTES {
        return LONG_KEY;
    }
    match text.get(start..start + 16) {
        Some(bytes) => {
            let word = u128::from_le_bytes(bytes.try_into().unwrap_or([0; 16]));
            word & MASKS[length] | (length as u128) << 120
        }
        None => key_of(&text[start..start + length]),
    }
}

const MASKS: [u128; 16] = {
    let mut masks = [0; 16];
    let mut length = 0;
    while length < 16 {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

/// The home slot of a key in a table of 2^bits slots; that of key 0 is slot 0.
#[inline]
pub(crate) fn slot_of(key: u128, bits: u32) -> usize {
    let (low, high) = (key as u64, (key >> 64) as u64);
    let mixed =
        (low ^ high.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> (64 - bits)) as usize
}

#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
pub(crate) struct Slot {
    key: u128,
    value: u64,
}

#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct MediumSlot {
    low: u128,
    high: u128,
    value: u64,
}

/// Values by pre-token. Key 0 (no bytes) is always present with value 0, in slot 0.
///
/// Two slots share a cache line and form a bucket: a look-up compares both without a branch.
pub(crate) struct Cache {
    slots: Vec<Slot>,
    pub(crate) bits: u32,
    used: usize,
    medium: Vec<MediumSlot>,
    long: HashMap<Box<[u8]>, u64>,
}

impl Cache {
    pub(crate) fn new() -> Cache {
        Cache {
            slots: fill_table(1 << FIRST_BITS, Slot::default()),
            bits: FIRST_BITS,
            used: 0,
            medium: vec![MediumSlot::default(); 1 << MEDIUM_BITS],
            long: HashMap::new(),
        }
    }

    /// The first slot of the home bucket of a key.
    #[inline]
    pub(crate) fn home(key: u128, bits: u32) -> usize {
        slot_of(key, bits) & !1
    }

    #[inline]
    pub(crate) fn prefetch(&self, home: usize) {
        prefetch(&self.slots[home]);
    }

    /// The value of a key that is in its home bucket.
    #[inline]
    pub(crate) fn get_at_home(&self, key: u128, home: usize) -> Option<u64> {
        let [first, second] = self.slots.get(home..home + 2)?.try_into().ok()?;
        let (is_first, is_second): (bool, bool) = (first.key == key, second.key == key);
        (is_first | is_second).then_some(if is_first { first.value } else { second.value })
    }

    #[inline]
    pub(crate) fn get(&self, key: u128) -> Option<u64> {
        let mut slot = Self::home(key, self.bits);
        loop {
            let found = self.slots[slot];
            if found.key == key {
                return Some(found.value);
            }
            if found.key == 0 && slot != 0 {
                return None;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a key that is not there.
    pub(crate) fn insert(&mut self, key: u128, value: u64) {
        // Three eighths full: few buckets overflow, and the table is no larger than the address caches of the processor
        // can help with. The largest table fills to a half before it starts anew.
        let limit = if self.bits < LAST_BITS {
            self.slots.len() / 8 * 3
        } else {
            self.slots.len() / 2
        };
        if self.used >= limit {
            self.grow();
        }
        self.used += 1;
        self.place(Slot { key, value });
    }

    fn place(&mut self, entry: Slot) {
        let mut slot = Self::home(entry.key, self.bits);
        while slot == 0 || self.slots[slot].key != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = entry;
    }

    /// Makes the table twice as large, or forgets everything when it is as large as it may be.
    fn grow(&mut self) {
        if self.bits == LAST_BITS {
            self.slots.fill(Slot::default());
            self.used = 0;
            return;
        }
        self.bits += 1;
        let old = std::mem::replace(&mut self.slots, fill_table(1 << self.bits, Slot::default()));
        for entry in old.into_iter().filter(|entry| entry.key != 0) {
            self.place(entry);
        }
    }

    /// The value of a pre-token of more than 15 bytes.
    #[inline]
    pub(crate) fn get_long(&self, piece: &[u8]) -> Option<u64> {
        if piece.len() > MEDIUM_BYTES {
            return self.long.get(piece).copied();
        }
        let (low, high) = medium_key(piece);
        let mut slot = medium_slot(low, high);
        for _ in 0..2 {
            let found = &self.medium[slot];
            if found.low == low && found.high == high {
                return Some(found.value);
            }
            slot ^= 1;
        }
        None
    }

    pub(crate) fn insert_long(&mut self, piece: &[u8], total: Total) {
        let value = total.pack();
        if piece.len() <= MEDIUM_BYTES {
            let (low, high) = medium_key(piece);
            let slot = medium_slot(low, high);
            // Two places for a key; a newcomer takes the first and moves its owner to the second.
            self.medium[slot ^ 1] = self.medium[slot];
            self.medium[slot] = MediumSlot { low, high, value };
        } else if piece.len() <= LONG_ENTRY_BYTES {
            if self.long.len() == LONG_ENTRIES {
                self.long.clear();
            }
            self.long.insert(piece.into(), value);
        }
    }
}

/// A table of equal entries. Look-ups go all over it: with small pages each would cost a walk of the page table.
pub(crate) fn fill_table<T: Copy>(length: usize, entry: T) -> Vec<T> {
    let mut table = Vec::with_capacity(length);
    prefer_large_pages(table.spare_capacity_mut());
    table.resize(length, entry);
    table
}

/// The first 16 bytes, and the last 15 with the length on top; 16 to 31 bytes.
#[inline]
fn medium_key(piece: &[u8]) -> (u128, u128) {
    let low = piece
        .first_chunk()
        .map_or(0, |bytes| u128::from_le_bytes(*bytes));
    let high = piece
        .last_chunk()
        .map_or(0, |bytes| u128::from_le_bytes(*bytes));
    (low, high >> 8 | (piece.len() as u128) << 120)
}

#[inline]
fn medium_slot(low: u128, high: u128) -> usize {
    slot_of(low ^ high.rotate_left(61), MEDIUM_BITS)
}
