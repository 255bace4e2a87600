//! The vocabulary: token bytes by id, and ids by bytes.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use crate::cache::{KEY_BYTES, key_of, slot_of};
use crate::short_tokens::{Asked, SHORT_BYTES, ShortTokens};
use crate::simd::prefetch;
use crate::table::{Entry, Table};

/// Ids go from 0 to one less than this.
pub const TOKEN_COUNT: usize = 199_998;
/// No token.
pub(crate) const NO_TOKEN: u32 = u32::MAX;

/// Written by `scripts/build_vocabulary.py`; the Python fallback reads the same file.
static PACKED: &[u8] = include_bytes!("../../../python/ctxsieve/_kernels/data/o200k_base.bin");
const SHA256: &str = "440741350e7cfa1c0f4869ce742d1b043550adbda5187adcac9e787edac6fba9";
/// 46,196 tokens of 9 to 15 bytes in 2^17 slots.
const MEDIUM_BITS: u32 = 17;
/// Nine of ten candidates that are no token are refused by 256 KiB that stay in the second cache.
const FILTER_BITS: u32 = 21;

// SAFETY: 0.
unsafe impl Entry for u128 {
    const EMPTY: u128 = 0;
}

/// Why the embedded vocabulary cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyError(String);

impl fmt::Display for VocabularyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for VocabularyError {}

/// `o200k_base` without special tokens.
pub struct Vocabulary {
    bytes: Vec<u8>,
    starts: Vec<u32>,
    /// One bit for every key, by its hash.
    filter: Vec<u64>,
    short: ShortTokens,
    keys: Table<u128>,
    ids: Vec<u32>,
    long: HashMap<Box<[u8]>, u32>,
    bytes_alone: [u32; 256],
    pairs: Vec<u32>,
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Vocabulary(o200k_base)")
    }
}

impl Vocabulary {
    /// The vocabulary of this process, unpacked and checked on first use.
    ///
    /// # Errors
    ///
    /// When the embedded file does not have the expected content.
    pub fn get() -> Result<&'static Vocabulary, VocabularyError> {
        static LOADED: OnceLock<Result<Vocabulary, VocabularyError>> = OnceLock::new();
        LOADED
            .get_or_init(|| Self::unpack(PACKED))
            .as_ref()
            .map_err(Clone::clone)
    }

    fn unpack(packed: &[u8]) -> Result<Vocabulary, VocabularyError> {
        let content = unpack_checked("vocabulary", packed, SHA256)?;
        let (lengths, bytes) = content.split_at(TOKEN_COUNT);
        let mut starts = Vec::with_capacity(TOKEN_COUNT + 1);
        let mut start = 0;
        starts.push(0);
        for &length in lengths {
            start += u32::from(length);
            starts.push(start);
        }
        let mut vocabulary = Vocabulary {
            bytes: bytes.to_vec(),
            starts,
            filter: vec![0; 1 << (FILTER_BITS - 6)],
            short: ShortTokens::new(),
            keys: Table::new(1 << MEDIUM_BITS),
            ids: vec![NO_TOKEN; 1 << MEDIUM_BITS],
            long: HashMap::new(),
            bytes_alone: [NO_TOKEN; 256],
            pairs: vec![NO_TOKEN; 1 << 16],
        };
        for id in 0..TOKEN_COUNT as u32 {
            vocabulary.insert(id);
        }
        Ok(vocabulary)
    }

    fn insert(&mut self, id: u32) {
        let token = self.token(id);
        if token.len() > KEY_BYTES {
            let token = token.into();
            self.long.insert(token, id);
            return;
        }
        let (key, length) = (key_of(token), token.len());
        match *token {
            [byte] => self.bytes_alone[usize::from(byte)] = id,
            [first, second] => self.pairs[usize::from(first) << 8 | usize::from(second)] = id,
            _ => {}
        }
        let bit = slot_of(key, FILTER_BITS);
        self.filter[bit / 64] |= 1 << (bit % 64);
        if length <= SHORT_BYTES {
            self.short.insert(key, id);
            return;
        }
        let mut slot = bit >> (FILTER_BITS - MEDIUM_BITS);
        while self.keys[slot] != 0 {
            slot = (slot + 1) & ((1 << MEDIUM_BITS) - 1);
        }
        self.keys[slot] = key;
        self.ids[slot] = id;
    }

    /// The bytes of a token; `id` is below [`TOKEN_COUNT`].
    #[must_use]
    pub fn token(&self, id: u32) -> &[u8] {
        let id = id as usize;
        &self.bytes[self.starts[id] as usize..self.starts[id + 1] as usize]
    }

    /// The id of a token, or [`NO_TOKEN`].
    #[inline]
    pub(crate) fn id_of(&self, piece: &[u8]) -> u32 {
        if piece.len() > KEY_BYTES {
            return self.long.get(piece).copied().unwrap_or(NO_TOKEN);
        }
        self.id_of_key(key_of(piece))
    }

    /// The id of a token of up to 15 bytes by its key, or [`NO_TOKEN`].
    #[inline]
    pub(crate) fn id_of_key(&self, key: u128) -> u32 {
        let bit = slot_of(key, FILTER_BITS);
        if !self.may_be_token(bit) {
            return NO_TOKEN;
        }
        if (key >> 120) as usize <= SHORT_BYTES {
            return self.short.get(key);
        }
        let mut slot = bit >> (FILTER_BITS - MEDIUM_BITS);
        loop {
            if self.keys[slot] == key {
                return self.ids[slot];
            }
            if self.keys[slot] == 0 {
                return NO_TOKEN;
            }
            slot = (slot + 1) & ((1 << MEDIUM_BITS) - 1);
        }
    }

    /// Asks for where a key of up to 15 bytes stands if it is a token; [`Self::find_key`] takes what it returns.
    #[inline]
    pub(crate) fn ask_key(&self, key: u128) -> Asked {
        let length = (key >> 120) as usize;
        if length <= SHORT_BYTES {
            return self.ask(key as u64, length, true);
        }
        let bit = slot_of(key, FILTER_BITS);
        if self.may_be_token(bit) {
            let slot = bit >> (FILTER_BITS - MEDIUM_BITS);
            prefetch(&self.keys[slot]);
            prefetch(&self.ids[slot]);
        }
        Asked::NOTHING
    }

    /// The id of the token of a key that was asked for, or [`NO_TOKEN`].
    #[inline]
    pub(crate) fn find_key(&self, key: u128, asked: Asked) -> u32 {
        if (key >> 120) as usize <= SHORT_BYTES {
            return self.find(asked);
        }
        self.id_of_key(key)
    }

    /// Whether the filter lets a key pass.
    #[inline]
    fn may_be_token(&self, bit: usize) -> bool {
        self.filter[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// As [`ShortTokens::ask`]; the filter is not asked, which would be waited for.
    #[inline]
    pub(crate) fn ask(&self, word: u64, length: usize, exist: bool) -> Asked {
        self.short.ask(word, length, exist)
    }

    /// As [`ShortTokens::find`].
    #[inline]
    pub(crate) fn find(&self, asked: Asked) -> u32 {
        self.short.find(asked)
    }

    /// The id of the token of one byte.
    #[inline]
    pub(crate) fn byte_id(&self, byte: u8) -> u32 {
        self.bytes_alone[usize::from(byte)]
    }

    /// The id of the token of two bytes, or [`NO_TOKEN`].
    #[inline]
    pub(crate) fn pair_id(&self, first: u8, second: u8) -> u32 {
        self.pairs[usize::from(first) << 8 | usize::from(second)]
    }
}

/// Unpacks embedded data and compares its hash.
pub(crate) fn unpack_checked(
    name: &str,
    packed: &[u8],
    sha256: &str,
) -> Result<Vec<u8>, VocabularyError> {
    let content = miniz_oxide::inflate::decompress_to_vec_zlib(packed)
        .map_err(|error| VocabularyError(format!("the {name} cannot be unpacked: {error}")))?;
    let mut digest = String::new();
    for byte in Sha256::digest(&content) {
        // Writing to a string cannot fail.
        let _ = write!(digest, "{byte:02x}");
    }
    if digest == sha256 {
        return Ok(content);
    }
    let message =
        format!("the {name} has sha256 {digest}: it must be {sha256}; reinstall ctxsieve");
    Err(VocabularyError(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_found_by_its_bytes() {
        let vocabulary = Vocabulary::get().unwrap();
        for id in 0..TOKEN_COUNT as u32 {
            assert_eq!(vocabulary.id_of(vocabulary.token(id)), id);
        }
        assert_eq!(vocabulary.id_of(b"no such token at all"), NO_TOKEN);
        assert_eq!(vocabulary.id_of(b""), NO_TOKEN);
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let other = miniz_oxide::deflate::compress_to_vec_zlib(b"something else", 1);
        let error = Vocabulary::unpack(&other).unwrap_err().to_string();
        assert!(error.starts_with("the vocabulary has sha256 "), "{error}");
        assert!(Vocabulary::unpack(&PACKED[..1000]).is_err());
    }
}
