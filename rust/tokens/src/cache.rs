//! What a pre-token costs, remembered by its bytes.
//!
//! The layout (keys of up to 15 bytes in one 128-bit word with the length on top, open addressing, no
//! comparison of bytes) follows an idea published by the gigatoken project (MIT).

use std::collections::HashMap;
use std::hint::select_unpredictable;

use crate::counter::Total;
use crate::table::{Entry, Table};

/// Keys of the vocabulary and of what is merged in turns hold so many bytes.
pub(crate) const KEY_BYTES: usize = 15;
/// Slots hold pre-tokens of up to so many bytes: 99.4 % of those of source.
const SLOT_BYTES: usize = 12;
/// Marks a pre-token that does not fit into a slot.
pub(crate) const LONG_KEY: u128 = u128::MAX;

/// 64 KiB: most counters only ever see a few files.
const FIRST_BITS: u32 = 12;
/// One large page. Smaller tables grow eightfold.
const PAGE_BITS: u32 = 17;
/// 2^20 slots of 16 bytes: 16 MiB a thread.
const LAST_BITS: u32 = 20;
/// Pre-tokens of 13 to 31 bytes: up to 2^15 slots of 64 bytes, 2 MiB a thread.
const FIRST_MEDIUM_BITS: u32 = 8;
const LAST_MEDIUM_BITS: u32 = 15;
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

/// The key of a pre-token in a slot: its bytes, with room for its total. Beyond 12 bytes it is [`LONG_KEY`].
///
/// The length is told by the last byte, which must not be 0; see [`fits_slot`].
#[inline]
pub(crate) fn slot_key_at(text: &[u8], start: usize, length: usize) -> u128 {
    if length > SLOT_BYTES {
        return LONG_KEY;
    }
    let word = match text.get(start..start + 16) {
        Some(bytes) => u128::from_le_bytes(bytes.try_into().unwrap_or([0; 16])),
        None => key_of(&text[start..start + length]),
    };
    let bytes = word & MASKS[length];
    join(bytes as u64, ((bytes >> 64) as u64) << COST_BITS)
}

#[inline]
fn join(low: u64, high: u64) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// Twelve tokens cost less than 2 to this; see [`crate::Costs::LIMIT`].
const COST_BITS: u32 = 17;
/// Where the upper half of a slot holds its key.
const KEY_BITS: u64 = 0xFFFF_FFFF << COST_BITS;

/// Bytes 0 to 7 of a pre-token; above them, from bit 17 on, bytes 8 to 11. What is left, 17 bits below and 15 above,
/// holds the total in the form in which totals are added up: a look-up takes the key away and has it.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(crate) struct Slot {
    low: u64,
    high: u64,
}

// SAFETY: two numbers.
unsafe impl Entry for Slot {
    const EMPTY: Slot = Slot { low: 0, high: 0 };
}

impl Slot {
    fn new(key: u128, total: Total) -> Slot {
        debug_assert!(total.tokens < 16 && total.cost < 1 << COST_BITS);
        Slot {
            low: key as u64,
            high: (key >> 64) as u64 | total.pack(),
        }
    }

    /// Whether this is the slot of a key, and if so its total.
    #[inline]
    fn compare(self, key: u128) -> (bool, u64) {
        let rest = self.high ^ (key >> 64) as u64;
        ((self.low ^ key as u64) | rest & KEY_BITS == 0, rest)
    }

    fn is_empty(self) -> bool {
        self.high == 0
    }

    fn key(self) -> u128 {
        join(self.low, self.high & KEY_BITS)
    }
}

#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct MediumSlot {
    low: u128,
    high: u128,
    value: u64,
}

/// Totals by pre-token. Key 0 (no bytes) is always present with value 0, in slot 0.
///
/// Two slots form a bucket: a look-up compares both without a branch.
pub(crate) struct Cache {
    slots: Table<Slot>,
    pub(crate) bits: u32,
    used: usize,
    medium: Vec<MediumSlot>,
    medium_bits: u32,
    medium_used: usize,
    long: HashMap<Box<[u8]>, u64>,
}

impl Cache {
    pub(crate) fn new() -> Cache {
        Cache {
            slots: Table::new(1 << FIRST_BITS),
            bits: FIRST_BITS,
            used: 0,
            medium: vec![MediumSlot::default(); 1 << FIRST_MEDIUM_BITS],
            medium_bits: FIRST_MEDIUM_BITS,
            medium_used: 0,
            long: HashMap::new(),
        }
    }

    /// The first slot of the home bucket of a key.
    #[inline]
    pub(crate) fn home(key: u128, bits: u32) -> usize {
        slot_of(key, bits) & !1
    }

    /// The slots, to ask for those of many keys.
    #[inline]
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The total, packed, of a key that is in its home bucket.
    #[inline]
    pub(crate) fn get_at_home(&self, key: u128, home: usize) -> Option<u64> {
        let [first, second] = self.slots.get(home..home + 2)?.try_into().ok()?;
        let (is_first, of_first) = Slot::compare(first, key);
        let (is_second, of_second) = Slot::compare(second, key);
        let total = select_unpredictable(is_first, of_first, of_second);
        (is_first | is_second).then_some(total)
    }

    #[inline]
    pub(crate) fn get(&self, key: u128) -> Option<u64> {
        let mut slot = Self::home(key, self.bits);
        loop {
            let found = self.slots[slot];
            if let (true, total) = found.compare(key) {
                return Some(total);
            }
            if found.is_empty() && slot != 0 {
                return None;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Remembers the total of a key of the vocabulary, which may be there already.
    pub(crate) fn insert(&mut self, key: u128, total: Total) {
        let length = (key >> 120) as usize;
        let bytes = key.to_le_bytes();
        if !fits_slot(&bytes[..length]) {
            if self.get_long(&bytes[..length]).is_none() {
                self.insert_long(&bytes[..length], total);
            }
            return;
        }
        let limit = if self.bits < LAST_BITS {
            self.slots.len() / 8 * 3
        } else {
            self.slots.len() / 2
        };
        if self.used >= limit {
            self.grow();
        }
        self.used += usize::from(self.place(Slot::new(slot_key_at(&bytes, 0, length), total)));
    }

    /// Puts a slot where its key belongs; false where it is already.
    fn place(&mut self, entry: Slot) -> bool {
        let key = entry.key();
        let mut slot = Self::home(key, self.bits);
        while slot == 0 || !self.slots[slot].is_empty() {
            if self.slots[slot].compare(key).0 {
                return false;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = entry;
        true
    }

    /// Makes the table larger, or forgets everything when it is as large as it may be.
    fn grow(&mut self) {
        if self.bits == LAST_BITS {
            self.slots.fill(Slot::EMPTY);
            self.used = 0;
            return;
        }
        self.bits = (self.bits + 3).min(PAGE_BITS.max(self.bits + 1));
        let old = std::mem::replace(&mut self.slots, Table::new(1 << self.bits));
        for &entry in old.iter().filter(|entry| !entry.is_empty()) {
            self.place(entry);
        }
    }

    /// The total, packed, of a pre-token of more than 12 bytes.
    #[inline]
    pub(crate) fn get_long(&self, piece: &[u8]) -> Option<u64> {
        if piece.len() > MEDIUM_BYTES {
            return self.long.get(piece).copied();
        }
        self.get_medium(medium_key(piece))
    }

    /// The total, packed, of a pre-token by what [`medium_key`] says of it.
    #[inline]
    pub(crate) fn get_medium(&self, (low, high): (u128, u128)) -> Option<u64> {
        let mut slot = medium_slot(low, high, self.medium_bits);
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
            if self.medium_used > self.medium.len() / 4 && self.medium_bits < LAST_MEDIUM_BITS {
                self.grow_medium();
            }
            let (low, high) = medium_key(piece);
            self.place_medium(MediumSlot { low, high, value });
        } else if piece.len() <= LONG_ENTRY_BYTES {
            if self.long.len() == LONG_ENTRIES {
                self.long.clear();
            }
            self.long.insert(piece.into(), value);
        }
    }

    /// Two places for a key; a newcomer takes the first and moves its owner to the second.
    fn place_medium(&mut self, entry: MediumSlot) {
        let slot = medium_slot(entry.low, entry.high, self.medium_bits);
        self.medium_used += usize::from(self.medium[slot].high == 0);
        self.medium[slot ^ 1] = self.medium[slot];
        self.medium[slot] = entry;
    }

    fn grow_medium(&mut self) {
        self.medium_bits += 1;
        let larger = vec![MediumSlot::default(); 1 << self.medium_bits];
        self.medium_used = 0;
        for entry in std::mem::replace(&mut self.medium, larger) {
            if entry.high != 0 {
                self.place_medium(entry);
            }
        }
    }
}

/// Whether a pre-token is remembered by its slot key. One that ends with a zero byte is not, as keys end with zeros.
#[inline]
pub(crate) fn fits_slot(piece: &[u8]) -> bool {
    piece.len() <= SLOT_BYTES && piece.last() != Some(&0)
}

/// The first 16 bytes, and the last 15 with the length on top, of up to 31 bytes.
#[inline]
fn medium_key(piece: &[u8]) -> (u128, u128) {
    let length = (piece.len() as u128) << 120;
    let (Some(first), Some(last)) = (piece.first_chunk(), piece.last_chunk()) else {
        return short_medium_key(key_of(piece));
    };
    (
        u128::from_le_bytes(*first),
        u128::from_le_bytes(*last) >> 8 | length,
    )
}

/// As [`medium_key`], of a pre-token of up to 15 bytes by its key.
#[inline]
pub(crate) fn short_medium_key(key: u128) -> (u128, u128) {
    (key & MASKS[KEY_BYTES], key >> 120 << 120)
}

#[inline]
fn medium_slot(low: u128, high: u128, bits: u32) -> usize {
    slot_of(low ^ high.rotate_left(61), bits)
}
