//! The splitting rule of `o200k_base` by hand: where the pre-token that starts here ends.
//!
//! The published regular expression tries seven alternatives in order, with backtracking. Written out:
//! a word is `upper* lower+` or `upper+ lower*` (caseless letters and marks count as both), optionally
//! after one character that is no letter, number or line break, and may take one English contraction;
//! then numbers by three; then symbols after one optional space, with the line breaks and slashes behind
//! them; then white space up to its last line break; then white space but for the character that the
//! next word may take.

use crate::classes::{CASELESS, LINE_BREAK, LOWER, MARK, NUMBER, OTHER, SPACE, UPPER, class_at};

const BOTH_CASES: u8 = CASELESS | MARK;

/// The end of the pre-token that starts at `start`; `text` is valid UTF-8 and `start < text.len()`.
#[must_use]
pub fn split_end(text: &[u8], start: usize) -> usize {
    let (class, length) = class_at(text, start);
    let next = start + length;
    if class & (UPPER | LOWER | CASELESS) != 0 {
        return contraction_end(text, word_end(text, start).unwrap_or(next));
    }
    if class & (SPACE | OTHER | MARK) != 0 {
        if let Some(end) = prefixed_word_end(text, start, class, next) {
            return contraction_end(text, end);
        }
    } else if class == NUMBER {
        return number_end(text, next);
    }
    symbols_end(text, start, class, next).unwrap_or_else(|| white_space_end(text, start))
}

/// A mark may be the prefix of a word or its first character; as a prefix it needs a cased match.
fn prefixed_word_end(text: &[u8], start: usize, class: u8, next: usize) -> Option<usize> {
    if class != MARK {
        return word_end(text, next);
    }
    match scan_word(text, next) {
        Word::Lower(end) => Some(end),
        _ => word_end(text, start),
    }
}

enum Word {
    /// `upper* lower+` matches up to here.
    Lower(usize),
    /// Only upper-case letters, at least one, up to here.
    Upper(usize),
    None,
}

fn word_end(text: &[u8], start: usize) -> Option<usize> {
    match scan_word(text, start) {
        Word::Lower(end) | Word::Upper(end) => Some(end),
        Word::None => None,
    }
}

fn scan_word(text: &[u8], start: usize) -> Word {
    let mut end = start;
    // Where the engine backtracks to when no lower-case letter follows: behind the last caseless one.
    let mut last_caseless = None;
    while end < text.len() {
        let (class, length) = class_at(text, end);
        if class & (UPPER | BOTH_CASES) == 0 {
            if class == LOWER {
                return Word::Lower(run_end(text, end + length, LOWER | BOTH_CASES));
            }
            break;
        }
        end += length;
        if class != UPPER {
            last_caseless = Some(end);
        }
    }
    match last_caseless {
        Some(end) => Word::Lower(end),
        None if end > start => Word::Upper(end),
        None => Word::None,
    }
}

fn run_end(text: &[u8], mut end: usize, classes: u8) -> usize {
    while end < text.len() {
        let (class, length) = class_at(text, end);
        if class & classes == 0 {
            break;
        }
        end += length;
    }
    end
}

/// The end after an optional `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d`, in either case; U+017F folds to s.
pub(crate) fn contraction_end(text: &[u8], end: usize) -> usize {
    if text.get(end) != Some(&b'\'') {
        return end;
    }
    let letter = |offset: usize| text.get(end + offset).map_or(0, u8::to_ascii_lowercase);
    match (letter(1), letter(2)) {
        (b's' | b't' | b'm' | b'd', _) => end + 2,
        (b'r' | b'v', b'e') | (b'l', b'l') | (0xC5, 0xBF) => end + 3,
        _ => end,
    }
}

fn number_end(text: &[u8], mut end: usize) -> usize {
    for _ in 0..2 {
        match (end < text.len()).then(|| class_at(text, end)) {
            Some((NUMBER, length)) => end += length,
            _ => break,
        }
    }
    end
}

fn symbols_end(text: &[u8], start: usize, class: u8, next: usize) -> Option<usize> {
    let first = if class == OTHER {
        start
    } else if text[start] == b' ' && next < text.len() && class_at(text, next).0 == OTHER {
        next
    } else {
        return None;
    };
    let mut end = run_end(text, first, OTHER | MARK);
    while matches!(text.get(end), Some(b'\r' | b'\n' | b'/')) {
        end += 1;
    }
    Some(end)
}

fn white_space_end(text: &[u8], start: usize) -> usize {
    let (mut end, mut last) = (start, start);
    let mut line_break_end = None;
    while end < text.len() {
        let (class, length) = class_at(text, end);
        if class & (SPACE | LINE_BREAK) == 0 {
            break;
        }
        last = end;
        end += length;
        if class == LINE_BREAK {
            line_break_end = Some(end);
        }
    }
    match line_break_end {
        Some(end) => end,
        None if end == text.len() || last == start => end,
        None => last,
    }
}
