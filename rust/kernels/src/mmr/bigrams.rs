//! Lines as sets of code-point bigrams; equal sets are held once.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::Lines;
use super::planes::Layout;
use crate::csr::STRIDE;
use crate::error::{Error, poll};
use crate::simd::prefetch;

/// The distinct bigram sets of all lines that are not exempt.
pub(super) struct Bigrams {
    /// The set of each line; `u32::MAX` for exempt lines.
    sets: Vec<u32>,
    /// Where the bigrams of each set begin.
    starts: Vec<usize>,
    /// Bigram numbers by rising frequency, so that the rarest of a set stand first.
    numbers: Vec<u32>,
    /// How many bigram numbers there are.
    vocabulary: usize,
}

impl Bigrams {
    /// Reads the sets of all lines of at least `shortest` code points.
    pub(super) fn read(
        lines: Lines<'_>,
        shortest: usize,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new();
        let count = lines.offsets.len() - 1;
        let mut starts = vec![0];
        let mut numbers = Vec::new();
        let mut lines_read = Vec::new();
        let mut work = 0;
        for line in 0..count {
            let bytes = &lines.text[lines.offsets[line] as usize..lines.offsets[line + 1] as usize];
            work += bytes.len() + 8;
            if work >= STRIDE {
                poll(check)?;
                work = 0;
            }
            let Ok(text) = std::str::from_utf8(bytes) else {
                return Error::invalid(format!("line {line} is not UTF-8: decode it first"));
            };
            if reader.read(text, shortest, &mut numbers) {
                lines_read.push(line);
                starts.push(numbers.len());
            }
        }
        reader.rank_by_frequency(&mut numbers, &starts, check)?;
        let mut sets = vec![u32::MAX; count];
        let (starts, numbers) = collapse(&numbers, &starts, &lines_read, &mut sets, check)?;
        Ok(Self {
            sets,
            starts,
            numbers,
            vocabulary: reader.frequencies.len(),
        })
    }

    /// The set of a line, or `None` when it is exempt.
    pub(super) fn set_of(&self, line: usize) -> Option<u32> {
        let set = self.sets[line];
        (set != u32::MAX).then_some(set)
    }

    /// The bigrams of a set, rarest first.
    pub(super) fn bigrams(&self, set: usize) -> &[u32] {
        &self.numbers[self.starts[set]..self.starts[set + 1]]
    }

    /// Asks for the memory of a set's first bigrams ahead of use.
    pub(super) fn prefetch(&self, set: usize) {
        let start = self.starts[set];
        for line in 0..3 {
            prefetch(&self.numbers, start + 16 * line);
        }
    }

    /// Which bigrams have planes, by the sets that hold them.
    pub(super) fn lay_out_planes(&self) -> Layout {
        let mut frequencies = vec![0; self.vocabulary];
        for &bigram in &self.numbers {
            frequencies[bigram as usize] += 1;
        }
        Layout::new(&frequencies, self.sets())
    }

    /// How many sets there are.
    pub(super) fn sets(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many bigram numbers there are.
    pub(super) fn vocabulary(&self) -> usize {
        self.vocabulary
    }
}

/// Numbers bigrams by first appearance, and counts the lines each is in.
struct Reader {
    /// Numbers plus one of pairs of ASCII characters.
    ascii: Vec<u32>,
    others: HashMap<(char, char), u32, FixedState>,
    frequencies: Vec<u32>,
    /// The line, counted from 1, that a bigram was last seen in.
    last_seen: Vec<u32>,
    line: u32,
}

impl Reader {
    fn new() -> Self {
        Self {
            ascii: vec![0; 1 << 14],
            others: HashMap::default(),
            frequencies: Vec::new(),
            last_seen: Vec::new(),
            line: 0,
        }
    }

    /// Appends the distinct bigrams of one line, unless it is too short.
    fn read(&mut self, text: &str, shortest: usize, numbers: &mut Vec<u32>) -> bool {
        if text.len() < shortest || text.chars().take(shortest).count() < shortest {
            return false;
        }
        self.line += 1;
        let mut characters = text.chars();
        let Some(mut previous) = characters.next() else {
            return false;
        };
        for character in characters {
            let number = self.number(previous, character);
            previous = character;
            if self.last_seen[number as usize] != self.line {
                self.last_seen[number as usize] = self.line;
                self.frequencies[number as usize] += 1;
                numbers.push(number);
            }
        }
        true
    }

    fn number(&mut self, first: char, second: char) -> u32 {
        let fresh = self.frequencies.len() as u32;
        let number = if first.is_ascii() && second.is_ascii() {
            let slot = &mut self.ascii[(first as usize) << 7 | second as usize];
            if *slot == 0 {
                *slot = fresh + 1;
            }
            *slot - 1
        } else {
            *self.others.entry((first, second)).or_insert(fresh)
        };
        if number == fresh {
            self.frequencies.push(0);
            self.last_seen.push(0);
        }
        number
    }

    /// Replaces numbers by their position in rising frequency and sorts each line by it.
    fn rank_by_frequency(
        &self,
        numbers: &mut [u32],
        starts: &[usize],
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let mut order: Vec<u32> = (0..self.frequencies.len() as u32).collect();
        order.sort_by_key(|&number| self.frequencies[number as usize]);
        let mut ranks = vec![0u32; order.len()];
        for (rank, &number) in order.iter().enumerate() {
            ranks[number as usize] = rank as u32;
        }
        let mut work = 0;
        for range in starts.windows(2) {
            let line = &mut numbers[range[0]..range[1]];
            for number in line.iter_mut() {
                *number = ranks[*number as usize];
            }
            line.sort_unstable();
            work += 4 * line.len();
            if work >= STRIDE {
                poll(check)?;
                work = 0;
            }
        }
        Ok(())
    }
}

/// Holds equal sets once, numbered by first appearance.
fn collapse(
    numbers: &[u32],
    starts: &[usize],
    lines_read: &[usize],
    sets: &mut [u32],
    check: &mut dyn FnMut() -> bool,
) -> Result<(Vec<usize>, Vec<u32>), Error> {
    let mut known: HashMap<&[u32], u32, FixedState> =
        HashMap::with_capacity_and_hasher(lines_read.len(), FixedState::default());
    let mut set_starts = vec![0];
    let mut bigrams: Vec<u32> = Vec::with_capacity(numbers.len());
    for (position, &line) in lines_read.iter().enumerate() {
        if position % 256 == 0 {
            poll(check)?;
        }
        let set = &numbers[starts[position]..starts[position + 1]];
        let fresh = known.len() as u32;
        let number = *known.entry(set).or_insert(fresh);
        if number == fresh {
            bigrams.extend_from_slice(set);
            set_starts.push(bigrams.len());
        }
        sets[line] = number;
    }
    Ok((set_starts, bigrams))
}
