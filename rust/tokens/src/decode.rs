//! UTF-8 of any length, checked in pieces.

use std::borrow::Cow;

use crate::counter::{BYTES_PER_CHECK, Check, Interrupted};

const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Returns valid UTF-8: the bytes themselves, or a copy with U+FFFD where a decoder would put it.
///
/// The same as [`String::from_utf8_lossy`], which cannot be interrupted.
///
/// # Errors
///
/// [`Interrupted`] when `check` says so; it is asked every 64 KiB.
pub(crate) fn replace_invalid<'a>(
    data: &'a [u8],
    check: Check<'_>,
) -> Result<Cow<'a, [u8]>, Interrupted> {
    let mut start = 0;
    loop {
        let (valid, invalid) = first_invalid(data, start);
        if invalid > 0 {
            return copy_valid(data, check);
        }
        start += valid;
        if start == data.len() {
            return Ok(Cow::Borrowed(data));
        }
        check()?;
    }
}

fn copy_valid<'a>(data: &[u8], check: Check<'_>) -> Result<Cow<'a, [u8]>, Interrupted> {
    let mut copy = Vec::with_capacity(data.len());
    let (mut start, mut next_check) = (0, BYTES_PER_CHECK);
    while start < data.len() {
        let (valid, invalid) = first_invalid(data, start);
        copy.extend_from_slice(&data[start..start + valid]);
        if invalid > 0 {
            copy.extend_from_slice(REPLACEMENT);
        }
        start += valid + invalid;
        if start >= next_check {
            check()?;
            next_check = start + BYTES_PER_CHECK;
        }
    }
    Ok(Cow::Owned(copy))
}

/// How many bytes from `start` on are valid, and how many that one replacement character stands for follow them;
/// none where the next 64 KiB are valid or end amid a character.
fn first_invalid(data: &[u8], start: usize) -> (usize, usize) {
    let end = data.len().min(start + BYTES_PER_CHECK);
    match std::str::from_utf8(&data[start..end]) {
        Ok(text) => (text.len(), 0),
        Err(error) => {
            let valid = error.valid_up_to();
            let cut_off = if end == data.len() {
                end - start - valid
            } else {
                0
            };
            (valid, error.error_len().unwrap_or(cut_off))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_replaced(data: &[u8]) {
        let replaced = replace_invalid(data, &mut || Ok(())).unwrap();
        assert_eq!(&*replaced, String::from_utf8_lossy(data).as_bytes());
        assert_eq!(
            matches!(replaced, Cow::Borrowed(_)),
            std::str::from_utf8(data).is_ok()
        );
    }

    #[test]
    fn replacement_is_that_of_the_standard_library() {
        let parts: [&[u8]; 9] = [
            b"a",
            "\u{e9}".as_bytes(),
            "\u{65e5}".as_bytes(),
            "\u{1f600}".as_bytes(),
            b"\xff",
            b"\xe6\x97",
            b"\xf0\x9f\x98",
            b"\xed\xa0\x80",
            b"\xc3",
        ];
        let mut state = 5_u64;
        for _ in 0..2_000 {
            let mut data = Vec::new();
            for _ in 0..8 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                data.extend_from_slice(parts[(state >> 33) as usize % parts.len()]);
            }
            check_replaced(&data);
        }
    }

    #[test]
    fn the_borders_of_pieces_do_not_matter() {
        for shift in 0..5 {
            for character in ["\u{e9}", "\u{65e5}", "\u{1f600}"] {
                let mut data = "x".repeat(BYTES_PER_CHECK - shift).into_bytes();
                data.extend_from_slice(character.repeat(30_000).as_bytes());
                check_replaced(&data);
                for faulty in [&b"\xff"[..], &character.as_bytes()[..1]] {
                    let mut data = data.clone();
                    data.splice(
                        BYTES_PER_CHECK - shift..BYTES_PER_CHECK - shift,
                        faulty.iter().copied(),
                    );
                    check_replaced(&data);
                    data.extend_from_slice(faulty);
                    check_replaced(&data);
                }
            }
        }
    }

    #[test]
    fn an_interrupt_stops() {
        let mut looks = 0;
        let mut check = || {
            looks += 1;
            if looks == 3 { Err(Interrupted) } else { Ok(()) }
        };
        let data = vec![b'a'; 10 * BYTES_PER_CHECK];
        assert_eq!(replace_invalid(&data, &mut check), Err(Interrupted));
        let data = vec![0xFF; 10 * BYTES_PER_CHECK];
        assert_eq!(
            replace_invalid(&data, &mut || Err(Interrupted)),
            Err(Interrupted)
        );
    }
}
