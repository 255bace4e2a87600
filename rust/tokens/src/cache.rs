//! What a pre-token costs, remembered by its bytes.
//!
//! The layout (keys of up to 15 bytes in one 128-bit word with the length on top, open addressing, no
//! comparison of bytes) follows an idea published by the gigatoken project (MIT).

use std::collections::HashMap;

use crate::counter::Total;

/// Longer pre-tokens are kept in a map of byte strings.
pub(crate) const KEY_BYTES: usize = 15;
/// Marks a pre-token that does not fit into a key.
pub(crate) const LONG_KEY: u128 = u128::MAX;

const FIRST_BITS: u32 = 14;
/// 2^20 slots of 32 bytes: 32 MiB a thread.
const LAST_BITS: u32 = 20;
const LONG_ENTRIES: usize = 1 << 16;
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
    pub(crate) key: u128,
    pub(crate) value: u64,
}

/// Values by pre-token. Key 0 (no bytes) is always present with value 0, in slot 0.
pub(crate) struct Cache {
    pub(crate) slots: Vec<Slot>,
    pub(crate) bits: u32,
    used: usize,
    long: HashMap<Box<[u8]>, u64>,
}

impl Cache {
    pub(crate) fn new() -> Cache {
        Cache {
            slots: vec![Slot::default(); 1 << FIRST_BITS],
            bits: FIRST_BITS,
            used: 0,
            long: HashMap::new(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, key: u128) -> Option<u64> {
        let mut slot = slot_of(key, self.bits);
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
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        self.used += 1;
        self.place(Slot { key, value });
    }

    fn place(&mut self, entry: Slot) {
        let mut slot = slot_of(entry.key, self.bits);
        while slot == 0 || self.slots[slot].key != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = entry;
    }

    /// Doubles the table, or forgets everything when it is as large as it may be.
    fn grow(&mut self) {
        if self.bits == LAST_BITS {
            self.slots.fill(Slot::default());
            self.used = 0;
            return;
        }
        self.bits += 2;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); 1 << self.bits]);
        for entry in old.into_iter().filter(|entry| entry.key != 0) {
            self.place(entry);
        }
    }

    pub(crate) fn get_long(&self, piece: &[u8]) -> Option<u64> {
        self.long.get(piece).copied()
    }

    pub(crate) fn insert_long(&mut self, piece: &[u8], total: Total) {
        if piece.len() > LONG_ENTRY_BYTES {
            return;
        }
        if self.long.len() == LONG_ENTRIES {
            self.long.clear();
        }
        self.long.insert(piece.into(), total.pack());
    }
}
