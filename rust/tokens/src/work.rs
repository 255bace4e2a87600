//! Buffers divided among threads.

/// The number of lines of a buffer; a trailing line break opens no further line.
#[must_use]
pub fn count_lines(data: &[u8]) -> usize {
    let line_feeds = memchr::memchr_iter(b'\n', data).count();
    line_feeds + usize::from(data.last().is_some_and(|&byte| byte != b'\n'))
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
        let lines: usize = buffers.iter().map(|buffer| count_lines(buffer)).sum();
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
