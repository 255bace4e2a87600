//! A text and each of its lines counted in one go: most pre-tokens of a text are those of its lines taken alone.

use crate::cache::{Cache, LONG_KEY, slot_key_at};
use crate::counter::{BYTES_PER_CHECK, Check, Counter, Interrupted, Total};
use crate::simd::prefetch;
use crate::split::split_end;

/// So many pre-tokens are looked up at once.
const PIECES_AHEAD: usize = 32;
/// So many misses wait before they are worked on.
const MISSES_AT_ONCE: usize = 32;

/// Tokens of a text by line, from line 0; line breaks open no line behind the last one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountedText {
    /// Tokens of each line taken alone, without its `\n` or `\r\n`.
    pub alone: Vec<u32>,
    /// Tokens of the pre-tokens of the whole text that begin on the line.
    pub begun: Vec<u32>,
    /// Whether one begins where the line begins.
    pub is_start: Vec<bool>,
}

impl CountedText {
    /// Tokens of the whole text.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.begun.iter().map(|&tokens| u64::from(tokens)).sum()
    }
}

/// What the tokens of a piece count for; bits.
const FOR_TEXT: u8 = 1;
const FOR_LINE: u8 = 2;

/// A pre-token that is to be looked up.
#[derive(Clone, Copy)]
struct Piece {
    key: u128,
    home: usize,
    begin: usize,
    end: usize,
    line: usize,
    counts_for: u8,
}

/// The line that is read.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    /// Where its line feed stands, or the end of the text.
    end: usize,
    /// Whether the pre-tokens of the text up to its last one are those of the line.
    is_shared: bool,
}

impl Line {
    fn new(bytes: &[u8], start: usize, is_start: bool) -> Self {
        let length = memchr::memchr(b'\n', &bytes[start..]);
        let end = length.map_or(bytes.len(), |length| start + length);
        // The carriage return of a last line is a pre-token of the text alone.
        let is_shared = is_start && (length.is_some() || !bytes.ends_with(b"\r"));
        Self {
            start,
            end,
            is_shared,
        }
    }

    /// Where its text ends.
    fn stop(&self, bytes: &[u8]) -> usize {
        let has_return = self.end > self.start && bytes[self.end - 1] == b'\r';
        self.end - usize::from(has_return)
    }
}

struct Reader<'a> {
    counter: &'a mut Counter,
    bytes: &'a [u8],
    pieces: Vec<Piece>,
    counted: CountedText,
}

impl Counter {
    /// The tokens of a text and of each of its lines.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so; it is asked every 64 KiB.
    pub fn count_text(&mut self, text: &str, check: Check<'_>) -> Result<CountedText, Interrupted> {
        self.misses.clear();
        let mut reader = Reader {
            counter: self,
            bytes: text.as_bytes(),
            pieces: Vec::with_capacity(PIECES_AHEAD),
            counted: CountedText::default(),
        };
        reader.read(check)?;
        Ok(reader.counted)
    }
}

impl Reader<'_> {
    fn read(&mut self, check: Check<'_>) -> Result<(), Interrupted> {
        let (bytes, mut start, mut next_check) = (self.bytes, 0, BYTES_PER_CHECK);
        if bytes.is_empty() {
            return Ok(());
        }
        let mut line = self.open(0, true);
        while start < bytes.len() {
            let end = split_end(bytes, start);
            if end <= line.end {
                let counts_for = if line.is_shared {
                    FOR_TEXT | FOR_LINE
                } else {
                    FOR_TEXT
                };
                self.push((start, end), counts_for, check)?;
            } else {
                self.push((start, end), FOR_TEXT, check)?;
                line = self.close(line, (start, end), check)?;
            }
            start = end;
            if start >= next_check {
                check()?;
                next_check = start + BYTES_PER_CHECK;
            }
        }
        if line.start < bytes.len() && !line.is_shared {
            self.count_alone(line.start, line.stop(bytes), check)?;
        }
        self.look_up(check)?;
        self.add_missed();
        Ok(())
    }

    fn open(&mut self, start: usize, is_start: bool) -> Line {
        self.counted.alone.push(0);
        self.counted.begun.push(0);
        self.counted.is_start.push(is_start);
        Line::new(self.bytes, start, is_start)
    }

    /// Counts what is left of a line, given the pre-token that its line feed belongs to, and of all others that it ends;
    /// returns the line in which it ends.
    fn close(
        &mut self,
        mut line: Line,
        (begin, end): (usize, usize),
        check: Check<'_>,
    ) -> Result<Line, Interrupted> {
        let stop = line.stop(self.bytes);
        debug_assert!(begin <= stop, "no pre-token begins inside a line break");
        let from = if line.is_shared { begin } else { line.start };
        self.count_alone(from, stop, check)?;
        loop {
            let start = line.end + 1;
            if start >= self.bytes.len() {
                line.start = start;
                return Ok(line);
            }
            line = self.open(start, end == start);
            if end <= line.end {
                return Ok(line);
            }
            self.count_alone(line.start, line.stop(self.bytes), check)?;
        }
    }

    /// Adds the pre-tokens of a part of the last line.
    fn count_alone(
        &mut self,
        mut start: usize,
        stop: usize,
        check: Check<'_>,
    ) -> Result<(), Interrupted> {
        while start < stop {
            let end = split_end(&self.bytes[..stop], start);
            self.push((start, end), FOR_LINE, check)?;
            start = end;
        }
        Ok(())
    }

    fn push(
        &mut self,
        (begin, end): (usize, usize),
        counts_for: u8,
        check: Check<'_>,
    ) -> Result<(), Interrupted> {
        // A key does not tell a zero byte at the end.
        let key = if self.bytes[end - 1] == 0 {
            LONG_KEY
        } else {
            slot_key_at(self.bytes, begin, end - begin)
        };
        let home = Cache::home(key, self.counter.cache.bits);
        prefetch(&self.counter.cache.slots()[home]);
        self.pieces.push(Piece {
            key,
            home,
            begin,
            end,
            line: self.counted.alone.len() - 1,
            counts_for,
        });
        if self.pieces.len() >= PIECES_AHEAD {
            self.look_up(check)?;
        }
        Ok(())
    }

    /// Adds the tokens of what was asked for.
    fn look_up(&mut self, check: Check<'_>) -> Result<(), Interrupted> {
        let mut pieces = std::mem::take(&mut self.pieces);
        for piece in pieces.drain(..) {
            let place = piece.line << 2 | usize::from(piece.counts_for);
            let known = self.counter.cache.get_at_home(piece.key, piece.home);
            let tokens = if let Some(word) = known {
                Total::unpack(word).tokens
            } else {
                let text = (self.bytes, piece.begin..piece.end);
                let total = self.counter.look_elsewhere(piece.key, text, place, check)?;
                total.tokens
            };
            self.counted.add(place, tokens);
        }
        self.pieces = pieces;
        if self.counter.misses.len() >= MISSES_AT_ONCE {
            self.add_missed();
        }
        Ok(())
    }

    #[inline(never)]
    fn add_missed(&mut self) {
        if self.counter.misses.len() == 0 {
            return;
        }
        self.counter.resolve_misses();
        for (place, total) in self.counter.misses.totals() {
            self.counted.add(place, total.tokens);
        }
        self.counter.misses.clear();
    }
}

impl CountedText {
    #[inline]
    fn add(&mut self, place: usize, tokens: u64) {
        let (line, tokens) = (place >> 2, tokens as u32);
        if place & usize::from(FOR_TEXT) != 0 {
            self.begun[line] += tokens;
        }
        if place & usize::from(FOR_LINE) != 0 {
            self.alone[line] += tokens;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::CountedText;
    use crate::calibration::Costs;
    use crate::counter::{Counter, Interrupted};
    use crate::lines::split_lines;
    use crate::split::split_end;
    use crate::vocabulary::Vocabulary;

    fn counter() -> Counter {
        Counter::new(Vocabulary::get().unwrap(), Costs::new(Arc::new([])))
    }

    fn count(counter: &mut Counter, text: &str) -> u32 {
        counter.count(text, &mut || Ok(())).unwrap().tokens as u32
    }

    fn by_definition(counter: &mut Counter, text: &str) -> CountedText {
        let mut starts = vec![];
        let mut at = 0;
        while at < text.len() {
            starts.push(at);
            at = split_end(text.as_bytes(), at);
        }
        starts.push(text.len());
        let mut counted = CountedText::default();
        let mut line_start = 0;
        for line in split_lines(text.as_bytes()) {
            let line = std::str::from_utf8(line).unwrap();
            counted.alone.push(count(counter, line));
            let feed = text[line_start..].find('\n');
            let line_end = feed.map_or(text.len(), |feed| line_start + feed + 1);
            let begun = starts
                .windows(2)
                .filter(|pair| (line_start..line_end).contains(&pair[0]));
            let begun: Vec<&str> = begun.map(|pair| &text[pair[0]..pair[1]]).collect();
            counted
                .begun
                .push(begun.into_iter().map(|piece| count(counter, piece)).sum());
            counted.is_start.push(starts.contains(&line_start));
            line_start = line_end;
        }
        counted
    }

    fn check(counter: &mut Counter, text: &str) {
        let counted = counter.count_text(text, &mut || Ok(())).unwrap();
        assert_eq!(counted, by_definition(counter, text), "{text:?}");
        assert_eq!(
            counted.tokens(),
            u64::from(count(counter, text)),
            "{text:?}"
        );
    }

    #[test]
    fn texts_and_lines_count_as_each_alone() {
        let mut counter = counter();
        for text in [
            "",
            "\n",
            "a",
            "a\r",
            "a\r\n",
            "a)\n//b\n/\n\n c",
            "a)\n//b",
            "/\r\n/\r",
        ] {
            check(&mut counter, text);
        }
        let alphabet: Vec<char> = "aabX01  \t)//'s\n\n\n\r\u{e9}\u{3000}\u{1c}"
            .chars()
            .collect();
        let mut state = 5_u64;
        for round in 0..20_000 {
            let text: String = std::iter::repeat_with(|| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                alphabet[(state >> 33) as usize % alphabet.len()]
            })
            .take(round % 60)
            .collect();
            check(&mut counter, &text);
        }
    }

    #[test]
    fn unknown_words_count_for_the_lines_on_which_they_stand() {
        let mut counter = counter();
        let lines = (0..3_000_u32).map(|number| {
            let word = number.wrapping_mul(0x9E37_79B9);
            format!(
                "    q{word:x}z(w{number}y, \"{}\"):\n",
                "long_word".repeat(number as usize % 9)
            )
        });
        check(&mut counter, &lines.collect::<String>());
    }

    #[test]
    fn an_interrupt_stops() {
        let text = "some words of text\n".repeat(20_000);
        let stopped = counter().count_text(&text, &mut || Err(Interrupted));
        assert_eq!(stopped, Err(Interrupted));
    }
}
