//! Words of a task in the paths of files.
//!
//! Words are compared by a polynomial hash modulo 2^64 of their first bytes: two words of one tree collide with a
//! chance below 1e-9.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
const MOST_HASHED_BYTES: usize = 64;

/// Occurrences of wanted words in the order of [`find_path_words`], and the number of all words by path and field.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PathWords {
    /// The number of the wanted word, by occurrence.
    pub words: Vec<u32>,
    /// The path, by occurrence.
    pub documents: Vec<u32>,
    /// 0 in a file's name, 1 in a folder's, by occurrence.
    pub fields: Vec<u8>,
    /// Words in the file's name and in the folders, path by path.
    pub lengths: Vec<i64>,
}

/// Find distinct lower-case words in paths, each of which ends with a NUL byte.
///
/// A word of a path is a part of a camel-case or separated name: all of these come first, then the names of several
/// words with their separators removed (the extension left out), then words without the number at their end; each in
/// the order of the text.
#[must_use]
pub fn find_path_words(paths: &[u8], words: &[&[u8]]) -> PathWords {
    let wanted: HashMap<u64, u32, FixedState> =
        (0..).zip(words).map(|(n, word)| (hash(word), n)).collect();
    let mut found = PathWords::default();
    let mut joined = Vec::new();
    let mut bare = Vec::new();
    for (document, path) in (0..).zip(paths.split_inclusive(|&byte| byte == 0)) {
        let mut lengths = [0, 0];
        for component in path.split_inclusive(|&byte| byte == b'/' || byte == 0) {
            let field = u8::from(component.last() == Some(&b'/'));
            let name = stem(component, field == 0);
            let lower = name.to_ascii_lowercase();
            let mut count = 0;
            for (start, end) in spans(name) {
                count += 1;
                found.note(&wanted, hash(&lower[start..end]), document, field);
                let shorter = without_number(&lower[start..end]);
                if shorter.len() < end - start {
                    bare.push((hash(shorter), document, field));
                }
            }
            lengths[usize::from(field)] += count;
            if count > 1 {
                let letters: Vec<u8> = lower.into_iter().filter(|&byte| is_word(byte)).collect();
                if letters.len() <= MOST_HASHED_BYTES {
                    joined.push((hash(&letters), document, field));
                }
            }
        }
        found.lengths.extend(lengths);
    }
    for (code, document, field) in joined.into_iter().chain(bare) {
        found.note(&wanted, code, document, field);
    }
    found
}

impl PathWords {
    fn note(
        &mut self,
        wanted: &HashMap<u64, u32, FixedState>,
        code: u64,
        document: u32,
        field: u8,
    ) {
        if let Some(&word) = wanted.get(&code) {
            self.words.push(word);
            self.documents.push(document);
            self.fields.push(field);
        }
    }
}

fn hash(word: &[u8]) -> u64 {
    let hashed = &word[..word.len().min(MOST_HASHED_BYTES)];
    hashed.iter().fold(0, |code: u64, &byte| {
        code.wrapping_mul(MULTIPLIER).wrapping_add(u64::from(byte))
    })
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// A component without its end, a file's name without its extension as well; a dot at its start begins none.
fn stem(component: &[u8], is_file_name: bool) -> &[u8] {
    let name = component
        .strip_suffix(&[0])
        .or(component.strip_suffix(b"/"))
        .unwrap_or(component);
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) if dot > 0 && is_file_name => &name[..dot],
        _ => name,
    }
}

/// The words of a name; camel case ends a word before an upper-case letter.
fn spans(name: &[u8]) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut start = None;
    for (position, &byte) in name.iter().enumerate() {
        if !is_word(byte) {
            spans.extend(start.take().map(|first| (first, position)));
        } else if start.is_none() {
            start = Some(position);
        } else if is_hump(name, position) {
            spans.extend(start.replace(position).map(|first| (first, position)));
        }
    }
    spans.extend(start.map(|first| (first, name.len())));
    spans
}

/// Whether a word byte after another begins a word: an upper-case letter after a lower-case one or before one.
fn is_hump(name: &[u8], position: usize) -> bool {
    let is_lower = |byte: &u8| *byte >= b'a';
    name[position].is_ascii_uppercase()
        && (!name[position - 1].is_ascii_uppercase()
            || name.get(position + 1).is_some_and(is_lower))
}

/// A word without the digits at its end, of which one is left where it has nothing else.
fn without_number(word: &[u8]) -> &[u8] {
    let digits = word
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    &word[..(word.len() - digits).max(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(paths: &[u8], words: &[&str]) -> Vec<(u32, u32, u8)> {
        let words: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        let found = find_path_words(paths, &words);
        let places = found.words.into_iter().zip(found.documents);
        places
            .zip(found.fields)
            .map(|((word, document), field)| (word, document, field))
            .collect()
    }

    #[test]
    fn words_joined_names_and_words_without_numbers_are_found() {
        let paths = b"src/HTTPServer2.py\0http_server/.env\0";
        assert_eq!(
            places(
                paths,
                &["http", "server", "httpserver", "httpserver2", "env"]
            ),
            [
                (0, 0, 0),
                (0, 1, 1),
                (1, 1, 1),
                (4, 1, 0),
                (3, 0, 0),
                (2, 1, 1),
                (1, 0, 0)
            ]
        );
    }

    #[test]
    fn lengths_count_words_of_names_and_folders() {
        assert_eq!(
            find_path_words(b"a/b c/dE.f.g\0x\0", &[]).lengths,
            [3, 3, 1, 0]
        );
    }

    #[test]
    fn a_word_of_digits_keeps_one() {
        assert_eq!(places(b"123\0", &["1", "123"]), [(1, 0, 0), (0, 0, 0)]);
    }

    #[test]
    fn no_paths_have_no_words() {
        assert_eq!(find_path_words(b"", &[b"a"]), PathWords::default());
    }
}
