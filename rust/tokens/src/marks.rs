//! Where the pre-tokens of whole lines start, 64 bytes at a time by bit algebra.
//!
//! Only ASCII lines in their usual shape are marked; lines with other bytes or with 0, with a carriage return inside
//! or with an English contraction are left to [`crate::split`].

use std::ops::Range;

use crate::simd::Masks;
use crate::split::contraction_end;

pub(crate) trait Classify {
    fn masks(block: &[u8; 64]) -> Masks;
}

/// The pre-tokens of a run of lines. Between the bodies of two lines lies one *gap* pre-token: trailing
/// white space, line breaks, empty lines and indentation. Token 0 is an empty gap.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    starts: Vec<u32>,
    tokens: usize,
    /// For every line the gap behind it; empty lines share that of the line before.
    pub(crate) gaps: Vec<u32>,
    /// Lines that were not marked: number and bytes.
    pub(crate) unmarked: Vec<(usize, Range<usize>)>,
}

impl Marks {
    /// Start of every pre-token from the start of the run on, then the end of the run.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts[..=self.tokens]
    }

    fn clear(&mut self, length: usize) {
        // Every byte may start a pre-token, every unmarked line adds a gap, and writing goes by eights.
        if self.starts.len() < 2 * length + 80 {
            self.starts.resize(2 * length + 80, 0);
        }
        self.gaps.clear();
        self.unmarked.clear();
        self.starts[0] = 0;
        self.tokens = 1;
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the features of the caller
    fn push_starts(&mut self, base: u32, mut mask: u64) {
        let count = mask.count_ones() as usize;
        let mut at = self.tokens;
        self.tokens += count;
        // Eight at a time without asking which are there: cheaper than a mispredicted end.
        while at < self.tokens {
            for slot in &mut self.starts[at..at + 8] {
                *slot = base + mask.trailing_zeros();
                mask &= mask.wrapping_sub(1);
            }
            at += 8;
        }
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn push_lines(&mut self, starts: u64, mut line_feeds: u64) {
        while line_feeds != 0 {
            let up_to = line_feeds ^ (line_feeds - 1);
            let rank = self.tokens as u32 + (starts & up_to).count_ones();
            self.gaps.push(rank - 1);
            line_feeds &= line_feeds - 1;
        }
    }
}

/// What the bytes before a block mean for it; single bits.
#[derive(Clone, Copy)]
struct Carry {
    letter: u64,
    lower: u64,
    symbol: u64,
    symbol_start: u64,
    body_space: u64,
    body_white: u64,
    white: u64,
    line_feed: u64,
    indentation: u64,
    /// Where the next group of three digits would start, from 1 on; 0 for nowhere.
    digits: u32,
}

impl Carry {
    const LINE_START: Carry = Carry {
        letter: 0,
        lower: 0,
        symbol: 0,
        symbol_start: 0,
        body_space: 0,
        body_white: 0,
        white: 0,
        line_feed: 1,
        indentation: 0,
        digits: 0,
    };
}

struct Block {
    masks: Masks,
    /// Line feeds, with the one that is understood at the end of the text.
    line_feeds: u64,
    valid: u64,
}

/// Marks the lines of `text[start..end]`, which starts at a line start and ends behind a line feed or at
/// the end of the text.
#[inline(always)]
#[allow(clippy::inline_always)] // compiled for the features of the caller
pub(crate) fn mark_with<C: Classify>(text: &[u8], start: usize, end: usize, marks: &mut Marks) {
    marks.clear(end - start);
    let mut line_start = start;
    while line_start < end {
        match mark_until_unusual::<C>(text, start, line_start, end, marks) {
            None => break,
            Some(unusual_start) => {
                let length = memchr::memchr(b'\n', &text[unusual_start..end]);
                let line_end = length.map_or(end, |length| unusual_start + length);
                marks
                    .unmarked
                    .push((marks.gaps.len(), unusual_start..line_end));
                marks.gaps.push(marks.tokens as u32);
                marks.starts[marks.tokens] = (unusual_start - start) as u32;
                marks.tokens += 1;
                line_start = line_end + 1;
            }
        }
    }
    marks.starts[marks.tokens] = (end - start) as u32;
}

/// Marks lines from `from` on; returns the start of the first line that must be split by the general rule.
#[inline(always)]
#[allow(clippy::inline_always)]
fn mark_until_unusual<C: Classify>(
    text: &[u8],
    start: usize,
    from: usize,
    end: usize,
    marks: &mut Marks,
) -> Option<usize> {
    let mut carry = Carry::LINE_START;
    let (mut line_start, mut line_tokens) = (from, marks.tokens);
    let mut position = from;
    let mut waiting: Option<Block> = None;
    loop {
        // The block at `position` waits until the next one is there; one place loads, so that it is inlined.
        let ahead = position + if waiting.is_some() { 64 } else { 0 };
        let following = (ahead <= end).then(|| load::<C>(text, ahead, end));
        let Some(block) = waiting.take() else {
            waiting = following;
            continue;
        };
        let next_line_feed = following.as_ref().map_or(0, |block| block.line_feeds & 1);
        let next_white = following
            .as_ref()
            .map_or(0, |block| white(&block.masks) & 1);
        let unusual = unusual_bits(text, position, &block, carry.letter, next_line_feed);
        let (starts, next_carry) = starts_of(&block, carry, next_white, next_line_feed);
        let base = (position - start) as u32;
        if unusual != 0 {
            let line_feeds = block.line_feeds & ((unusual & unusual.wrapping_neg()) - 1);
            if line_feeds == 0 {
                marks.tokens = line_tokens;
                return Some(line_start);
            }
            let last = line_feeds.ilog2();
            let kept = starts & (u64::MAX >> (63 - last));
            marks.push_lines(kept, line_feeds);
            marks.push_starts(base, kept);
            return Some(position + last as usize + 1);
        }
        if block.line_feeds != 0 {
            let last = block.line_feeds.ilog2();
            marks.push_lines(starts, block.line_feeds);
            line_start = position + last as usize + 1;
            line_tokens = marks.tokens + (starts & (u64::MAX >> (63 - last))).count_ones() as usize;
        }
        marks.push_starts(base, starts);
        carry = next_carry;
        position += 64;
        waiting = match following {
            Some(block) if block.valid != 0 || block.line_feeds != 0 => Some(block),
            _ => return None,
        };
    }
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn load<C: Classify>(text: &[u8], position: usize, end: usize) -> Block {
    let mut valid = u64::MAX;
    let mut masks = if let Some(bytes) = text[position..].first_chunk() {
        C::masks(bytes)
    } else {
        let mut padded = [0; 64];
        padded[..text.len() - position].copy_from_slice(&text[position..]);
        C::masks(&padded)
    };
    let mut line_feeds = masks.line_feed;
    if position + 64 > end {
        let rest = end - position;
        valid = (1 << rest) - 1;
        masks.unusual &= valid;
        masks.apostrophe &= valid;
        masks.upper &= valid;
        masks.lower &= valid;
        masks.digit &= valid;
        masks.space &= valid;
        masks.tab &= valid;
        masks.carriage_return &= valid;
        masks.line_feed &= valid;
        line_feeds = masks.line_feed;
        // The last line may come without its line feed.
        if end == text.len() && text.last() != Some(&b'\n') {
            line_feeds |= 1 << rest;
        }
    }
    Block {
        masks,
        line_feeds,
        valid,
    }
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn white(masks: &Masks) -> u64 {
    masks.space | masks.tab | masks.carriage_return
}

/// Bytes that are 0 or not ASCII, carriage returns that end no line, and contractions.
#[inline(always)]
#[allow(clippy::inline_always)]
fn unusual_bits(
    text: &[u8],
    position: usize,
    block: &Block,
    letter_before: u64,
    next_line_feed: u64,
) -> u64 {
    let masks = &block.masks;
    let before_line_feed = block.line_feeds >> 1 | next_line_feed << 63;
    let mut unusual = masks.unusual | masks.carriage_return & !before_line_feed;
    let letter = masks.upper | masks.lower;
    let mut candidates = masks.apostrophe & (letter << 1 | letter_before);
    while candidates != 0 {
        let bit = candidates.trailing_zeros() as usize;
        if contraction_end(text, position + bit) != position + bit {
            unusual |= 1 << bit;
        }
        candidates &= candidates - 1;
    }
    unusual
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn starts_of(block: &Block, carry: Carry, next_white: u64, next_line_feed: u64) -> (u64, Carry) {
    let masks = &block.masks;
    let line_feed = block.line_feeds;
    let letter = masks.upper | masks.lower;
    let white = white(masks);
    let symbol = !(letter | masks.digit | white | line_feed) & block.valid;
    let after_line_feed = line_feed << 1 | carry.line_feed;
    let after_white = white << 1 | carry.white;
    // Adding a run's first bit to the run clears it: what changes is the indentation.
    let seeds = (after_line_feed | carry.indentation) & white;
    let indentation = white & !white.wrapping_add(seeds);
    let body_white = white & !indentation;
    let body_space = masks.space & body_white;
    let after_body_white = body_white << 1 | carry.body_white;
    let before_gap_or_white = (white | line_feed) >> 1 | (next_white | next_line_feed) << 63;
    let symbol_start =
        symbol & !(symbol << 1 | carry.symbol) & !(body_space << 1 | carry.body_space);
    let (digit_starts, digits) = digit_starts(masks.digit, carry.digits);
    let starts = line_feed & !(after_white | after_line_feed)
        | body_white & !after_white
        | body_white & after_body_white & !before_gap_or_white
        | symbol_start
        | letter
            & !(letter << 1 | carry.letter)
            & !after_body_white
            & !(symbol_start << 1 | carry.symbol_start)
        | masks.upper & (masks.lower << 1 | carry.lower)
        | digit_starts;
    let next = Carry {
        letter: letter >> 63,
        lower: masks.lower >> 63,
        symbol: symbol >> 63,
        symbol_start: symbol_start >> 63,
        body_space: body_space >> 63,
        body_white: body_white >> 63,
        white: white >> 63,
        line_feed: line_feed >> 63,
        indentation: indentation >> 63,
        digits,
    };
    (starts, next)
}

/// The first of every three digits, and where the next block's next three would start.
#[inline(always)]
#[allow(clippy::inline_always)]
fn digit_starts(digit: u64, carry: u32) -> (u64, u32) {
    if digit == 0 {
        return (0, 0);
    }
    let mut starts = 0;
    let mut group = if carry == 0 {
        digit & !(digit << 1)
    } else {
        // A group goes on from the block before: its successor starts `carry - 1` digits in.
        let skipped = (1_u64 << carry) - 1;
        let successor = if digit & skipped == skipped {
            1 << (carry - 1)
        } else {
            0
        };
        digit & !(digit << 1) & !1 | successor
    };
    let third = digit & digit << 1 & digit << 2;
    while group != 0 {
        starts |= group;
        group = group << 3 & third;
    }
    if digit >> 63 == 0 {
        return (starts, 0);
    }
    let run = digit.leading_ones();
    let last = starts.leading_zeros();
    // Without a start in this run the group before it is still open; runs that short cannot fill a block.
    let carried = if last < run { 3 - last } else { carry - run };
    (starts, carried)
}
