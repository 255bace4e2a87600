//! Byte-pair merging of one pre-token: always the pair that forms the token of the lowest id, leftmost first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cache::{KEY_BYTES, key_at};
use crate::counter::Interrupted;
use crate::vocabulary::{NO_TOKEN, Vocabulary};

/// Up to this length every merge scans all pairs; longer pieces keep them in a heap.
const SCANNED_BYTES: usize = 128;
/// How many merges of a long piece pass between two looks at the interrupt.
const MERGES_PER_CHECK: usize = 1 << 16;

/// Calls `emit` with the ids of the piece in order.
///
/// # Errors
///
/// When `check` asks to stop; only pieces of many kilobytes look at it.
pub(crate) fn merge(
    vocabulary: &Vocabulary,
    piece: &[u8],
    check: &mut dyn FnMut() -> Result<(), Interrupted>,
    mut emit: impl FnMut(u32),
) -> Result<(), Interrupted> {
    let whole = vocabulary.id_of(piece);
    if whole != NO_TOKEN {
        emit(whole);
        return Ok(());
    }
    merge_parts(vocabulary, piece, check, emit)
}

/// As [`merge`], of a piece that is no token itself.
///
/// # Errors
///
/// As [`merge`].
pub(crate) fn merge_parts(
    vocabulary: &Vocabulary,
    piece: &[u8],
    check: &mut dyn FnMut() -> Result<(), Interrupted>,
    emit: impl FnMut(u32),
) -> Result<(), Interrupted> {
    if piece.len() <= SCANNED_BYTES {
        merge_by_scan(vocabulary, piece, emit);
        return Ok(());
    }
    merge_by_heap(vocabulary, piece, check, emit)
}

fn merge_by_scan(vocabulary: &Vocabulary, piece: &[u8], mut emit: impl FnMut(u32)) {
    let length = piece.len();
    // Keys are read as words of 16 bytes: with room behind the piece none of them is copied together.
    let mut padded = [0_u8; SCANNED_BYTES + 16];
    padded[..length].copy_from_slice(piece);
    let id_of = |start: u8, end: u8| {
        let (start, end) = (usize::from(start), usize::from(end));
        if end - start > KEY_BYTES {
            return vocabulary.id_of(&piece[start..end]);
        }
        vocabulary.id_of_key(key_at(&padded, start, end - start))
    };
    let mut starts = [0_u8; SCANNED_BYTES + 1];
    // ids[i]: the token that parts i and i + 1 form together; tokens[i]: the one that part i is.
    let mut ids = [NO_TOKEN; SCANNED_BYTES + 1];
    let mut tokens = [NO_TOKEN; SCANNED_BYTES];
    for (position, start) in starts.iter_mut().enumerate().take(length + 1) {
        *start = position as u8;
    }
    for (token, &byte) in tokens.iter_mut().zip(piece) {
        *token = vocabulary.byte_id(byte);
    }
    for position in 0..length.saturating_sub(1) {
        ids[position] = vocabulary.pair_id(piece[position], piece[position + 1]);
    }
    let mut parts = length;
    loop {
        let (mut best, mut at) = (NO_TOKEN, 0);
        for (position, &id) in ids[..parts].iter().enumerate() {
            if id < best {
                (best, at) = (id, position);
            }
        }
        if best == NO_TOKEN {
            break;
        }
        tokens[at] = best;
        tokens.copy_within(at + 2..parts, at + 1);
        starts.copy_within(at + 2..=parts, at + 1);
        ids.copy_within(at + 1..parts, at);
        parts -= 1;
        let joined = |first: usize| {
            if first + 2 <= parts {
                id_of(starts[first], starts[first + 2])
            } else {
                NO_TOKEN
            }
        };
        ids[at] = joined(at);
        if at > 0 {
            ids[at - 1] = joined(at - 1);
        }
    }
    tokens[..parts].iter().for_each(|&token| emit(token));
}

/// Parts as a doubly linked list over start positions; stale heap entries are recognised by their end.
fn merge_by_heap(
    vocabulary: &Vocabulary,
    piece: &[u8],
    check: &mut dyn FnMut() -> Result<(), Interrupted>,
    mut emit: impl FnMut(u32),
) -> Result<(), Interrupted> {
    let length = piece.len();
    let mut next: Vec<usize> = (1..=length).collect();
    let mut previous: Vec<usize> = (0..length).map(|start| start.wrapping_sub(1)).collect();
    let mut alive = vec![true; length];
    let mut heap: BinaryHeap<Reverse<(u32, usize, usize)>> = (0..length - 1)
        .map(|start| {
            Reverse((
                vocabulary.pair_id(piece[start], piece[start + 1]),
                start,
                start + 2,
            ))
        })
        .filter(|Reverse((id, _, _))| *id != NO_TOKEN)
        .collect();
    let mut steps = 0_usize;
    while let Some(Reverse((_, start, end))) = heap.pop() {
        steps += 1;
        if steps.is_multiple_of(MERGES_PER_CHECK) {
            check()?;
        }
        if !alive[start] || next[start] == length || next[next[start]] != end {
            continue;
        }
        let middle = next[start];
        alive[middle] = false;
        next[start] = end;
        if end < length {
            previous[end] = start;
        }
        let mut push = |first: usize, last: usize| {
            let id = vocabulary.id_of(&piece[first..last]);
            if id != NO_TOKEN {
                heap.push(Reverse((id, first, last)));
            }
        };
        if end < length {
            push(start, next[end]);
        }
        if start > 0 {
            push(previous[start], end);
        }
    }
    let mut start = 0;
    while start < length {
        emit(vocabulary.id_of(&piece[start..next[start]]));
        start = next[start];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scan_and_heap_agree() {
        let vocabulary = Vocabulary::get().unwrap();
        let mut state = 7_u64;
        for round in 0..2000 {
            let length = 2 + round % 100;
            let piece: Vec<u8> = (0..length)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    b"aaabcdetion_=-\xe4\xb8\xad"[(state >> 33) as usize % 17]
                })
                .collect();
            let (mut scanned, mut heaped) = (vec![], vec![]);
            merge_by_scan(vocabulary, &piece, |id| scanned.push(id));
            merge_by_heap(vocabulary, &piece, &mut || Ok(()), |id| heaped.push(id)).unwrap();
            assert_eq!(scanned, heaped);
        }
    }
}
