//! Buffers divided among threads.

use crate::counter::{Check, Interrupted};

/// Bytes between two looks at the interrupt: counting line feeds takes no more than some microseconds for so many.
const BYTES_PER_CHECK: usize = 1 << 20;

/// The number of lines of a buffer; a trailing line break opens no further line.
#[must_use]
pub fn count_lines(data: &[u8]) -> usize {
    let line_feeds = memchr::memchr_iter(b'\n', data).count();
    line_feeds + usize::from(data.last().is_some_and(|&byte| byte != b'\n'))
}

/// The number of lines of each buffer.
///
/// # Errors
///
/// [`Interrupted`] when `check` says so.
pub fn count_lines_of_each(buffers: &[&[u8]], check: Check<'_>) -> Result<Vec<usize>, Interrupted> {
    let mut counts = Vec::with_capacity(buffers.len());
    for buffer in buffers {
        let mut lines = usize::from(buffer.last().is_some_and(|&byte| byte != b'\n'));
        for chunk in buffer.chunks(BYTES_PER_CHECK) {
            lines += memchr::memchr_iter(b'\n', chunk).count();
            check()?;
        }
        counts.push(lines);
    }
    Ok(counts)
}

/// Divides buffers into `parts` of about equal bytes, in order, cut behind line feeds.
#[must_use]
pub fn divide<'a>(buffers: &[&'a [u8]], parts: usize) -> Vec<Vec<&'a [u8]>> {
    let bytes: usize = buffers.iter().map(|buffer| buffer.len()).sum();
    let share = bytes.div_ceil(parts.max(1)).max(1);
    let mut divided = vec![vec![]];
    let mut room = share;
    for &buffer in buffers {
        let mut rest = buffer;
        while rest.len() > room && divided.len() < parts {
            let cut = memchr::memchr(b'\n', &rest[room..]).map_or(rest.len(), |at| room + at + 1);
            let (piece, behind) = rest.split_at(cut);
            divided
                .last_mut()
                .into_iter()
                .for_each(|part| part.push(piece));
            divided.push(vec![]);
            (rest, room) = (behind, share);
        }
        if !rest.is_empty() {
            divided
                .last_mut()
                .into_iter()
                .for_each(|part| part.push(rest));
            room = room.saturating_sub(rest.len());
        }
    }
    divided
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_all_lines_in_order() {
        let buffers: [&[u8]; 5] = [b"a\nbb\nccc", b"", b"\n\n\n", b"dddddddddddddddd", b"e\n"];
        let counts = count_lines_of_each(&buffers, &mut || Ok(())).unwrap();
        assert_eq!(counts, buffers.map(count_lines));
        let lines: usize = counts.iter().sum();
        for parts in 1..8 {
            let divided = divide(&buffers, parts);
            assert!(divided.len() <= parts);
            let pieces: Vec<&[u8]> = divided.into_iter().flatten().collect();
            assert_eq!(pieces.concat(), buffers.concat());
            assert_eq!(
                pieces.iter().map(|piece| count_lines(piece)).sum::<usize>(),
                lines
            );
        }
    }
}
