//! Words and terms: runs of letters, counted per field, and the parts that identifiers are made of.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Fields of a term frequency, in this order: definitions, comments, strings, code.
pub const FIELDS: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Definitions = 0,
    Comments = 1,
    Strings = 2,
    Code = 3,
}

/// Words outside these lengths yield no terms: single letters say nothing, longer ones are encoded data.
pub(crate) const MIN_WORD_BYTES: usize = 2;
pub(crate) const MAX_WORD_BYTES: usize = 64;

pub(crate) const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[derive(Debug)]
struct Entry {
    start: u32,
    bytes: u32,
    counts: [u32; FIELDS],
}

/// Counts of the distinct words of one source.
#[derive(Debug, Default)]
pub(crate) struct Words {
    table: HashTable<u32>,
    entries: Vec<Entry>,
}

impl Words {
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.entries.clear();
    }

    /// Count the word `source[start..end]`, which holds word bytes only.
    pub(crate) fn add(&mut self, source: &[u8], start: usize, end: usize, field: Field) {
        let word = &source[start..end];
        if word.len() < MIN_WORD_BYTES || word.len() > MAX_WORD_BYTES || word[0].is_ascii_digit() {
            return;
        }
        let hash = hash_bytes(word);
        let entries = &mut self.entries;
        let text = |index: u32| {
            let entry = &entries[index as usize];
            &source[entry.start as usize..(entry.start + entry.bytes) as usize]
        };
        let found = self.table.find(hash, |&index| text(index) == word).copied();
        if let Some(index) = found {
            entries[index as usize].counts[field as usize] += 1;
            return;
        }
        let index = entries.len() as u32;
        self.table
            .insert_unique(hash, index, |&other| hash_bytes(text(other)));
        let mut counts = [0; FIELDS];
        counts[field as usize] = 1;
        entries.push(Entry {
            start: start as u32,
            bytes: word.len() as u32,
            counts,
        });
    }

    /// Count every word of `source[start..end]`; with `escape`, that byte and the next belong to no word.
    pub(crate) fn add_all(
        &mut self,
        source: &[u8],
        start: usize,
        end: usize,
        field: Field,
        escape: Option<u8>,
    ) {
        let mut position = start;
        while position < end {
            let byte = source[position];
            if is_word_byte(byte) {
                let first = position;
                while position < end && is_word_byte(source[position]) {
                    position += 1;
                }
                self.add(source, first, position, field);
            } else {
                position += if Some(byte) == escape { 2 } else { 1 };
            }
        }
    }

    pub(crate) fn for_each(&self, source: &[u8], mut visit: impl FnMut(&[u8], [u32; FIELDS])) {
        for entry in &self.entries {
            visit(
                &source[entry.start as usize..(entry.start + entry.bytes) as usize],
                entry.counts,
            );
        }
    }
}

pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

/// Visit the terms of a word, lower-cased: the word itself, then its parts where they differ from it.
pub(crate) fn for_each_term(word: &[u8], mut visit: impl FnMut(&[u8])) {
    let mut lower = [0_u8; MAX_WORD_BYTES];
    let lower = &mut lower[..word.len()];
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    visit(lower);
    let mut start = 0;
    for position in 1..=word.len() {
        if position < word.len() && !is_boundary(word, position) {
            continue;
        }
        let mut first = start;
        let mut last = position;
        while first < last && word[first] == b'_' {
            first += 1;
        }
        while last > first && word[last - 1] == b'_' {
            last -= 1;
        }
        let is_whole = first == 0 && last == word.len();
        if last - first >= MIN_WORD_BYTES && !word[first].is_ascii_digit() && !is_whole {
            visit(&lower[first..last]);
        }
        start = position;
    }
}

fn is_boundary(word: &[u8], position: usize) -> bool {
    let (before, here) = (word[position - 1], word[position]);
    if (before == b'_') != (here == b'_') {
        return true;
    }
    if !here.is_ascii_uppercase() {
        return false;
    }
    if before.is_ascii_uppercase() {
        return word.get(position + 1).is_some_and(u8::is_ascii_lowercase);
    }
    before != b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(word: &str) -> Vec<String> {
        let mut found = Vec::new();
        for_each_term(word.as_bytes(), |term| {
            found.push(String::from_utf8_lossy(term).into_owned());
        });
        found
    }

    #[test]
    fn words_split_at_case_and_underscores() {
        assert_eq!(terms("HTTPServer"), ["httpserver", "http", "server"]);
        assert_eq!(
            terms("bulkCreate_all"),
            ["bulkcreate_all", "bulk", "create", "all"]
        );
        assert_eq!(terms("__init__"), ["__init__", "init"]);
        assert_eq!(terms("sha256"), ["sha256"]);
        assert_eq!(terms("x_1y"), ["x_1y"]);
        assert_eq!(terms("ABC"), ["abc"]);
        assert_eq!(terms("éCole"), ["école", "é", "cole"].map(String::from));
    }

    #[test]
    fn escapes_end_words() {
        let mut words = Words::default();
        let source = br"one\ntwo";
        words.add_all(source, 0, source.len(), Field::Strings, Some(b'\\'));
        let mut found = Vec::new();
        words.for_each(source, |word, counts| found.push((word.to_vec(), counts)));
        assert_eq!(
            found,
            [
                (b"one".to_vec(), [0, 0, 1, 0]),
                (b"two".to_vec(), [0, 0, 1, 0])
            ]
        );
    }
}
