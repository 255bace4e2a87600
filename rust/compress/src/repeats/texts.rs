//! What lines say, as similarity sees it: every text once, under a number.

use std::hash::BuildHasher;

use ctxsieve_kernels::{Error, Lines};
use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::costs::Check;
use crate::lines::is_space;
use crate::sharing::share_out;

/// The number of the text of blank lines.
pub(super) const NOTHING: u32 = 0;
/// Files whose lines are read before they get their numbers: what they say is held twice so long.
const FILES_TOGETHER: usize = 256;

/// The lines of a file.
#[derive(Debug)]
pub(super) struct FileTexts {
    /// The number of what each line says; there is no line 0.
    pub(super) numbers: Vec<u32>,
    /// Whether each line begins with white space; there is no line 0.
    pub(super) is_indented: Vec<bool>,
}

/// Texts with single spaces between their words and none at their ends.
#[derive(Debug)]
pub(super) struct Texts {
    text: Vec<u8>,
    /// Where each text begins, and where the last one ends.
    offsets: Vec<i64>,
    hashes: Vec<u64>,
    known: HashTable<u32>,
}

impl Texts {
    /// Reads the lines of all files, in as many threads as there are `states`.
    pub(super) fn read(
        sources: &[&str],
        threads: usize,
        check: Check<'_>,
    ) -> Result<(Self, Vec<FileTexts>), Error> {
        let mut texts = Self {
            text: Vec::new(),
            offsets: vec![0],
            hashes: Vec::new(),
            known: HashTable::new(),
        };
        texts.number(hash(b""), b"");
        let mut files = Vec::with_capacity(sources.len());
        let mut states = vec![(); threads.max(1)];
        for part in sources.chunks(FILES_TOGETHER) {
            let ((), read) = share_out(
                part.len(),
                &mut states,
                |_| Ok(()),
                |(), index, _| Ok(NormalLines::read(part[index])),
                check,
            )?;
            files.extend(read.into_iter().map(|lines| texts.take_in(lines)));
        }
        Ok((texts, files))
    }

    pub(super) fn count(&self) -> usize {
        self.hashes.len()
    }

    /// The chosen texts, one behind the other, and where each begins.
    pub(super) fn joined(&self, chosen: impl Iterator<Item = u32>) -> (Vec<u8>, Vec<i64>) {
        let (mut joined, mut offsets) = (Vec::new(), vec![0]);
        for number in chosen {
            joined.extend_from_slice(self.get(number));
            offsets.push(joined.len() as i64);
        }
        (joined, offsets)
    }

    fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        &self.text[self.offsets[number] as usize..self.offsets[number + 1] as usize]
    }

    fn take_in(&mut self, lines: NormalLines) -> FileTexts {
        let mut numbers = Vec::with_capacity(lines.ends.len() + 1);
        numbers.push(NOTHING);
        let mut start = 0;
        for (&end, &hash) in lines.ends.iter().zip(&lines.hashes) {
            numbers.push(self.number(hash, &lines.text.as_bytes()[start..end]));
            start = end;
        }
        FileTexts {
            numbers,
            is_indented: lines.is_indented,
        }
    }

    fn number(&mut self, hash: u64, text: &[u8]) -> u32 {
        let Self {
            text: all,
            offsets,
            hashes,
            known,
        } = self;
        let of = |number: u32| {
            let number = number as usize;
            &all[offsets[number] as usize..offsets[number + 1] as usize]
        };
        if let Some(&number) = known.find(hash, |&number| {
            hashes[number as usize] == hash && of(number) == text
        }) {
            return number;
        }
        let fresh = hashes.len() as u32;
        all.extend_from_slice(text);
        offsets.push(all.len() as i64);
        hashes.push(hash);
        known.insert_unique(hash, fresh, |&number| hashes[number as usize]);
        fresh
    }
}

/// The normal texts of the lines of one file, one behind the other.
#[derive(Debug, Default)]
struct NormalLines {
    text: String,
    ends: Vec<usize>,
    hashes: Vec<u64>,
    is_indented: Vec<bool>,
}

impl NormalLines {
    fn read(source: &str) -> Self {
        let mut lines = Self {
            text: String::with_capacity(source.len()),
            is_indented: vec![false],
            ..Self::default()
        };
        for line in lines_of(source) {
            let start = lines.text.len();
            for word in line.split(is_space).filter(|word| !word.is_empty()) {
                if lines.text.len() > start {
                    lines.text.push(' ');
                }
                lines.text.push_str(word);
            }
            lines.ends.push(lines.text.len());
            lines.hashes.push(hash(&lines.text.as_bytes()[start..]));
            lines.is_indented.push(line.starts_with(is_space));
        }
        lines
    }
}

/// The lines without their newlines; a final newline ends the last line and begins no new one.
pub(super) fn lines_of(source: &str) -> impl Iterator<Item = &str> {
    source.split_terminator('\n')
}

/// How many lines there are.
pub(super) fn count_lines(source: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', source.as_bytes()).count();
    ends + usize::from(!source.is_empty() && !source.ends_with('\n'))
}

fn hash(text: &[u8]) -> u64 {
    FixedState::default().hash_one(text)
}

/// The texts as the kernels take them.
pub(super) fn as_lines((text, offsets): &(Vec<u8>, Vec<i64>)) -> Lines<'_> {
    Lines { text, offsets }
}

#[cfg(test)]
mod tests {
    use super::{NOTHING, Texts};

    #[test]
    fn lines_that_say_the_same_have_one_number() {
        let sources = ["a  b\n\n\ta b\r\n", "\u{a0}\n a\u{3000}b\nc", ""];
        for threads in 1..3 {
            let (texts, files) = Texts::read(&sources, threads, &mut || false).unwrap();
            assert_eq!(files[0].numbers, [0, 1, NOTHING, 1]);
            assert_eq!(files[0].is_indented, [false, false, false, true]);
            assert_eq!(files[1].numbers, [0, NOTHING, 1, 2]);
            assert_eq!(files[2].numbers, [0]);
            assert_eq!(texts.count(), 3);
            let joined = texts.joined([2, 1, 0].into_iter());
            assert_eq!(joined, (b"ca b".to_vec(), vec![0, 1, 4, 4]));
        }
    }
}
