//! Totals of every line of a buffer, each line taken alone.

use crate::cache::{Cache, slot_key_at};
use crate::classes::trim;
use crate::counter::{BYTES_PER_CHECK, Check, Counter, Interrupted, Total};
use crate::decode::replace_invalid;
use crate::marks::Marks;
use crate::simd::{self, Path, prefetch};

/// Lines are marked and looked up in runs of about this size, so that the lists stay in the first caches.
const RUN_BYTES: usize = 1 << 13;
/// Longer lines are split by the general rule, without lists.
const LONG_LINE_BYTES: usize = (1 << 15) - 1;

/// The lines of a buffer without their `\n` or `\r\n`; a trailing line break opens no further line.
pub fn split_lines(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let body = data.strip_suffix(b"\n").unwrap_or(data);
    let lines = (!data.is_empty()).then(|| body.split(|&byte| byte == b'\n'));
    lines
        .into_iter()
        .flatten()
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// Scratch lists of [`Counter::total_bodies`], kept between runs.
#[derive(Default)]
pub(crate) struct Lists {
    marks: Marks,
    keys: Vec<u128>,
    homes: Vec<u32>,
    sums: Vec<u64>,
    /// Where pre-tokens were put off, and their totals, which the sums do not hold.
    missed: Vec<(usize, Total)>,
}

impl Counter {
    /// Calls `emit` with the total of every line, its line break excluded.
    ///
    /// Bytes that are not UTF-8 count as the replacement characters that a decoder shows in their place.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so.
    pub fn total_lines(
        &mut self,
        data: &[u8],
        check: Check<'_>,
        mut emit: impl FnMut(Total),
    ) -> Result<(), Interrupted> {
        let mut bytes = 0;
        for line in split_lines(data) {
            emit(self.count_lossy(line, check)?);
            bytes += line.len() + 1;
            if bytes >= BYTES_PER_CHECK {
                check()?;
                bytes = 0;
            }
        }
        Ok(())
    }

    /// Calls `emit` with the total of every line without its leading and trailing white space.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when `check` says so.
    pub fn total_bodies(
        &mut self,
        path: Path,
        data: &[u8],
        check: Check<'_>,
        mut emit: impl FnMut(Total),
    ) -> Result<(), Interrupted> {
        let mut lists = std::mem::take(&mut self.lists);
        let done = self.total_runs(path, data, &mut lists, check, &mut emit);
        self.lists = lists;
        done
    }

    fn total_runs(
        &mut self,
        path: Path,
        data: &[u8],
        lists: &mut Lists,
        check: Check<'_>,
        emit: &mut impl FnMut(Total),
    ) -> Result<(), Interrupted> {
        let (mut start, mut next_check) = (0, BYTES_PER_CHECK);
        while start < data.len() {
            let end = run_end(data, start);
            if end - start > LONG_LINE_BYTES {
                emit(self.total_body(&data[start..end], check)?);
            } else {
                simd::mark(path, data, start, end, &mut lists.marks);
                self.look_up(data, start, lists, check)?;
                self.emit_lines(data, lists, check, emit)?;
            }
            start = end;
            if start >= next_check {
                check()?;
                next_check = start + BYTES_PER_CHECK;
            }
        }
        Ok(())
    }

    /// The total of one line by the general rule.
    fn total_body(&mut self, line: &[u8], check: Check<'_>) -> Result<Total, Interrupted> {
        let text = replace_invalid(line, check)?;
        self.count_valid(&text[trim(&text)], check)
    }

    /// Fills `lists.sums` with the totals of the pre-tokens, added up, but for what is put off to
    /// `lists.missed`.
    fn look_up(
        &mut self,
        data: &[u8],
        base: usize,
        lists: &mut Lists,
        check: Check<'_>,
    ) -> Result<(), Interrupted> {
        let Lists {
            marks,
            keys,
            homes,
            sums,
            missed,
        } = lists;
        missed.clear();
        self.misses.clear();
        let (slots, bits) = (self.cache.slots(), self.cache.bits);
        let starts = marks.starts();
        let tokens = starts.len() - 1;
        if sums.len() <= tokens {
            keys.resize(tokens + 1, 0);
            homes.resize(tokens + 1, 0);
            sums.resize(tokens + 1, 0);
        }
        for (pair, (key, home)) in starts.windows(2).zip(keys.iter_mut().zip(&mut *homes)) {
            *key = slot_key_at(data, base + pair[0] as usize, (pair[1] - pair[0]) as usize);
            let first = Cache::home(*key, bits);
            prefetch(&slots[first]);
            *home = first as u32;
        }
        (keys[0], homes[0]) = (0, 0);
        for &gap in &marks.gaps {
            (keys[gap as usize], homes[gap as usize]) = (0, 0);
        }
        let mut sum = 0;
        let looked_up = keys[..tokens]
            .iter()
            .zip(&homes[..tokens])
            .zip(&mut sums[1..]);
        for (index, ((&key, &home), sum_behind)) in looked_up.enumerate() {
            sum += if let Some(value) = self.cache.get_at_home(key, home as usize) {
                value
            } else {
                let piece = base + starts[index] as usize..base + starts[index + 1] as usize;
                self.look_elsewhere(key, (data, piece), index, check)?
                    .pack()
            };
            *sum_behind = sum;
        }
        if self.misses.len() > 0 {
            self.resolve_misses();
            missed.extend(self.misses.totals());
        }
        Ok(())
    }

    fn emit_lines(
        &mut self,
        data: &[u8],
        lists: &Lists,
        check: Check<'_>,
        emit: &mut impl FnMut(Total),
    ) -> Result<(), Interrupted> {
        let mut first = 1;
        let mut missed = lists.missed.iter().peekable();
        let mut unmarked = lists.marks.unmarked.iter().peekable();
        for (line, &gap) in lists.marks.gaps.iter().enumerate() {
            if let Some((_, bytes)) = unmarked.next_if(|(number, _)| *number == line) {
                emit(self.total_body(&data[bytes.clone()], check)?);
            } else {
                // An empty line shares the gap of the line before; a gap adds nothing to the sums.
                let mut total = Total::unpack(lists.sums[gap as usize] - lists.sums[first]);
                while let Some(&(_, more)) = missed.next_if(|(place, _)| *place < gap as usize) {
                    total.add(more);
                }
                emit(total);
            }
            first = gap as usize + 1;
        }
        Ok(())
    }
}

/// The end of a run of whole lines that starts at `start`: about [`RUN_BYTES`] long, or one long line.
fn run_end(data: &[u8], start: usize) -> usize {
    let target = (start + RUN_BYTES).min(data.len());
    if target == data.len() {
        return target;
    }
    if let Some(length) = memchr::memrchr(b'\n', &data[start..target]) {
        return start + length + 1;
    }
    memchr::memchr(b'\n', &data[target..]).map_or(data.len(), |length| target + length + 1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::vocabulary::Vocabulary;

    fn counter() -> Counter {
        let costs: Arc<[u16]> = (0..crate::TOKEN_COUNT as u32)
            .map(|id| (id % 1000) as u16)
            .collect();
        Counter::new(Vocabulary::get().unwrap(), crate::Costs::new(costs))
    }

    fn bodies_by_definition(data: &[u8]) -> Vec<Total> {
        let mut counter = counter();
        split_lines(data)
            .map(|line| counter.total_body(line, &mut || Ok(())).unwrap())
            .collect()
    }

    fn check_bodies(counter: &mut Counter, data: &[u8]) {
        let expected = bodies_by_definition(data);
        for path in [Path::Portable, Path::detect()] {
            let mut totals = vec![];
            counter
                .total_bodies(path, data, &mut || Ok(()), |total| totals.push(total))
                .unwrap();
            assert_eq!(
                totals,
                expected,
                "{path:?} {:?}",
                String::from_utf8_lossy(data)
            );
        }
    }

    #[test]
    fn empty_data_has_no_lines_and_line_breaks_end_lines() {
        assert_eq!(split_lines(b"").count(), 0);
        assert_eq!(split_lines(b"\n").collect::<Vec<_>>(), [b""]);
        assert_eq!(
            split_lines(b"a\r\n\nb").collect::<Vec<_>>(),
            [&b"a"[..], b"", b"b"]
        );
        assert_eq!(bodies_by_definition(b"  \n\t\r\n"), [Total::default(); 2]);
    }

    #[test]
    fn marked_lines_are_those_of_the_general_rule() {
        let mut counter = counter();
        let alphabet: &[u8] = b"aaaabbXYZ0011    \t(.='_/\n\n\r\xc3\xa9tsdl\x0b#\0";
        let mut state = 1_u64;
        for round in 0..20_000 {
            let length = round % 300;
            let rare = round % 3 == 0;
            let data: Vec<u8> = std::iter::repeat_with(|| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                alphabet[(state >> 33) as usize % alphabet.len()]
            })
            .filter(|byte| rare || !matches!(byte, b'\r' | 0xC3 | 0xA9 | b'\'' | 0))
            .take(length)
            .collect();
            check_bodies(&mut counter, &data);
        }
    }

    #[test]
    fn runs_and_long_lines_do_not_change_totals() {
        let mut counter = counter();
        let digits = "0123456789".repeat(40_000);
        check_bodies(&mut counter, digits.as_bytes());
        let code = "    if x == 'abc' && yTimes2 >= 12345678 { call(it); }\r\n".repeat(3_000);
        check_bodies(&mut counter, code.as_bytes());
        check_bodies(&mut counter, &b" \t".repeat(50_000));
        check_bodies(&mut counter, &b"\n".repeat(50_000));
        check_bodies(&mut counter, "日本語 don't\n".repeat(5_000).as_bytes());
        check_bodies(&mut counter, &b"\xff\xfea'\xc3\n".repeat(5_000));
    }

    #[test]
    fn an_interrupt_stops() {
        let data = b"some words of text\n".repeat(200_000);
        let mut counter = counter();
        let stopped = counter.total_bodies(Path::detect(), &data, &mut || Err(Interrupted), |_| ());
        assert_eq!(stopped, Err(Interrupted));
    }
}
