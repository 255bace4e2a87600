//! Character classes of the splitting rule, one bit each, for the Unicode version of tiktoken's engine.

/// `\p{Lu}` and `\p{Lt}`.
pub(crate) const UPPER: u8 = 1;
/// `\p{Ll}`.
pub(crate) const LOWER: u8 = 1 << 1;
/// `\p{Lm}` and `\p{Lo}`.
pub(crate) const CASELESS: u8 = 1 << 2;
/// `\p{M}`.
pub(crate) const MARK: u8 = 1 << 3;
/// `\p{N}`.
pub(crate) const NUMBER: u8 = 1 << 4;
/// `\s` without line breaks.
pub(crate) const SPACE: u8 = 1 << 5;
/// `\r` and `\n`.
pub(crate) const LINE_BREAK: u8 = 1 << 6;
/// Everything else: punctuation, symbols, controls, unassigned.
pub(crate) const OTHER: u8 = 1 << 7;

/// Written by `scripts/build_unicode_classes.py`: block numbers, then blocks of 256 classes.
static TABLE: &[u8] = include_bytes!("../data/unicode_classes.bin");
const BLOCK_NUMBERS: usize = 0x11_0000 / 256;

/// The classes of the first 256 characters.
static FIRST_CLASSES: [u8; 256] = {
    let table = include_bytes!("../data/unicode_classes.bin");
    let mut classes = [0; 256];
    let mut point = 0;
    while point < 256 {
        classes[point] = table[BLOCK_NUMBERS + point];
        point += 1;
    }
    classes
};

/// The class and the length in bytes of the character at `position` of valid UTF-8.
#[inline(always)]
#[allow(clippy::inline_always)] // a look-up for most text
pub(crate) fn class_at(text: &[u8], position: usize) -> (u8, usize) {
    let first = text[position];
    if first < 0x80 {
        return (FIRST_CLASSES[usize::from(first)], 1);
    }
    class_beyond_ascii(text, position, first)
}

#[inline(never)]
fn class_beyond_ascii(text: &[u8], position: usize, first: u8) -> (u8, usize) {
    let (point, length) = decode(text, position, first);
    let block = usize::from(TABLE[point >> 8]);
    (TABLE[BLOCK_NUMBERS + block * 256 + (point & 255)], length)
}

fn decode(text: &[u8], position: usize, first: u8) -> (usize, usize) {
    let continuation = |offset: usize| usize::from(text[position + offset] & 0x3F);
    let first = usize::from(first);
    if first < 0xE0 {
        ((first & 0x1F) << 6 | continuation(1), 2)
    } else if first < 0xF0 {
        (
            (first & 0x0F) << 12 | continuation(1) << 6 | continuation(2),
            3,
        )
    } else {
        let high = (first & 0x07) << 18 | continuation(1) << 12;
        (high | continuation(2) << 6 | continuation(3), 4)
    }
}

/// The class of the last character of non-empty valid UTF-8, and its length.
pub(crate) fn last_class(text: &[u8]) -> (u8, usize) {
    let mut position = text.len() - 1;
    while text[position] & 0xC0 == 0x80 {
        position -= 1;
    }
    class_at(text, position)
}

/// The text without leading and trailing white space (`\s`, line breaks included).
pub(crate) fn trim(text: &[u8]) -> std::ops::Range<usize> {
    let (mut start, mut end) = (0, text.len());
    while start < end {
        let (class, length) = class_at(text, start);
        if class & (SPACE | LINE_BREAK) == 0 {
            break;
        }
        start += length;
    }
    while start < end {
        let (class, length) = last_class(&text[..end]);
        if class & (SPACE | LINE_BREAK) == 0 {
            break;
        }
        end -= length;
    }
    start..end
}
