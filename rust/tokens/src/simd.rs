//! Byte classes of 64 bytes as bit masks: with AVX2 where the processor has it, portable elsewhere; the same bits.
//!
//! What is `unsafe` here: calls of functions compiled for detected features, unaligned loads from arrays of the right
//! size, and prefetches, which read nothing.

use crate::marks::{Classify, Marks, mark_with};

/// Bit i of a mask belongs to byte i.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Masks {
    pub(crate) upper: u64,
    pub(crate) lower: u64,
    pub(crate) digit: u64,
    pub(crate) space: u64,
    /// Tab, vertical tab and form feed.
    pub(crate) tab: u64,
    pub(crate) line_feed: u64,
    pub(crate) carriage_return: u64,
    pub(crate) apostrophe: u64,
    /// Bytes of 0x80 and above, and 0, by which keys are padded.
    pub(crate) unusual: u64,
}

/// Which implementation runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// 64-bit words only.
    Portable,
    /// 256-bit vectors.
    Avx2,
}

impl Path {
    /// The fastest path of this processor.
    #[must_use]
    pub fn detect() -> Path {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            return Path::Avx2;
        }
        Path::Portable
    }
}

/// Marks the pre-tokens of the lines in `text[start..end]`; see [`mark_with`].
pub(crate) fn mark(path: Path, text: &[u8], start: usize, end: usize, marks: &mut Marks) {
    #[cfg(target_arch = "x86_64")]
    if path == Path::Avx2 && Path::detect() == Path::Avx2 {
        // SAFETY: the features were detected on the line above.
        unsafe { avx2::mark(text, start, end, marks) };
        return;
    }
    let _ = path;
    mark_with::<Portable>(text, start, end, marks);
}

/// Asks for the slot's cache line ahead of use.
#[inline(always)]
#[allow(clippy::inline_always)] // one instruction
pub(crate) fn prefetch<T>(slot: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on the cache, and the reference is valid anyway.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(slot).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = slot;
}

/// Bits of [`CLASS_BITS`].
const BIT_UPPER: u8 = 0;
const BIT_LOWER: u8 = 1;
const BIT_DIGIT: u8 = 2;
const BIT_SPACE: u8 = 3;
const BIT_TAB: u8 = 4;
const BIT_LINE_FEED: u8 = 5;
const BIT_CARRIAGE_RETURN: u8 = 6;
const BIT_APOSTROPHE: u8 = 7;

static CLASS_BITS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'A'..=b'Z' => 1 << BIT_UPPER,
            b'a'..=b'z' => 1 << BIT_LOWER,
            b'0'..=b'9' => 1 << BIT_DIGIT,
            b' ' => 1 << BIT_SPACE,
            b'\t' | 0x0B | 0x0C => 1 << BIT_TAB,
            b'\n' => 1 << BIT_LINE_FEED,
            b'\r' => 1 << BIT_CARRIAGE_RETURN,
            b'\'' => 1 << BIT_APOSTROPHE,
            _ => 0,
        };
        byte += 1;
    }
    table
};

pub(crate) struct Portable;

impl Classify for Portable {
    #[inline]
    fn masks(block: &[u8; 64]) -> Masks {
        let mut rows = [0_u64; 8];
        let mut unusual = 0;
        for (group, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
            let classes = u64::from_le_bytes(bytes.map(|byte| CLASS_BITS[usize::from(byte)]));
            let transposed = transpose(classes).to_le_bytes();
            for (row, byte) in rows.iter_mut().zip(transposed) {
                *row |= u64::from(byte) << (8 * group);
            }
            let word = u64::from_le_bytes(*bytes);
            // Without carries between bytes: the high bit is set where the lower seven are not all 0.
            let lower = (word & 0x7F7F_7F7F_7F7F_7F7F) + 0x7F7F_7F7F_7F7F_7F7F;
            let bits = (word | !lower) & 0x8080_8080_8080_8080;
            unusual |= ((bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * group);
        }
        let row = |bit: u8| rows[usize::from(bit)];
        Masks {
            upper: row(BIT_UPPER),
            lower: row(BIT_LOWER),
            digit: row(BIT_DIGIT),
            space: row(BIT_SPACE),
            tab: row(BIT_TAB),
            line_feed: row(BIT_LINE_FEED),
            carriage_return: row(BIT_CARRIAGE_RETURN),
            apostrophe: row(BIT_APOSTROPHE),
            unusual,
        }
    }
}

/// Transposes an 8 by 8 bit matrix whose rows are the bytes.
#[inline]
fn transpose(mut matrix: u64) -> u64 {
    let mut swap = |shift: u32, mask: u64| {
        let difference = (matrix ^ (matrix >> shift)) & mask;
        matrix ^= difference ^ (difference << shift);
    };
    swap(7, 0x00AA_00AA_00AA_00AA);
    swap(14, 0x0000_CCCC_0000_CCCC);
    swap(28, 0x0000_0000_F0F0_F0F0);
    matrix
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_slli_epi16,
        _mm256_sub_epi8,
    };

    use super::Masks;
    use crate::marks::{Classify, Marks, mark_with};

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn mark(text: &[u8], start: usize, end: usize, marks: &mut Marks) {
        mark_with::<Avx2>(text, start, end, marks);
    }

    /// Only used inside functions that are compiled for AVX2.
    pub(super) struct Avx2;

    impl Classify for Avx2 {
        #[inline(always)]
        #[allow(clippy::inline_always)] // compiled for the features of `mark`
        fn masks(block: &[u8; 64]) -> Masks {
            // SAFETY: `mark` above is the only user and has the feature; both loads are inside the block.
            unsafe {
                let first = half(_mm256_loadu_si256(block.as_ptr().cast()));
                let second = half(_mm256_loadu_si256(block.as_ptr().add(32).cast()));
                join(first, second)
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn half(bytes: __m256i) -> [u32; 9] {
        // Macros, not closures: intrinsics are inlined only where the feature is on.
        macro_rules! mask {
            ($vector:expr) => {{
                let mut bits = _mm256_movemask_epi8($vector) as u32;
                // Opaque to the compiler: it would take the mask apart again into bytes, extract and insert
                // each of them, and need three times as long.
                // SAFETY: an empty instruction; it reads and writes nothing but the register.
                unsafe {
                    std::arch::asm!("/* {0:e} */", inout(reg) bits, options(pure, nomem, nostack, preserves_flags));
                }
                bits
            }};
        }
        macro_rules! is {
            ($byte:expr) => {
                mask!(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8($byte as i8)))
            };
        }
        // `value - low <= width`, unsigned.
        macro_rules! within {
            ($value:expr, $low:expr, $width:expr) => {{
                let shifted = _mm256_sub_epi8($value, _mm256_set1_epi8($low as i8));
                let clamped = _mm256_min_epu8(shifted, _mm256_set1_epi8($width));
                mask!(_mm256_cmpeq_epi8(shifted, clamped))
            }};
        }
        let folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        let letter = within!(folded, b'a', 25);
        // Bit 5 of an ASCII letter says lower case; moved to where the mask is taken from.
        let lower = letter & mask!(_mm256_slli_epi16::<2>(bytes));
        let (line_feed, carriage_return) = (is!(b'\n'), is!(b'\r'));
        [
            letter & !lower,
            lower,
            within!(bytes, b'0', 9),
            is!(b' '),
            within!(bytes, b'\t', 4) & !(line_feed | carriage_return),
            line_feed,
            carriage_return,
            is!(b'\''),
            mask!(_mm256_or_si256(
                bytes,
                _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())
            )),
        ]
    }

    #[inline]
    fn join(first: [u32; 9], second: [u32; 9]) -> Masks {
        let both = |index: usize| u64::from(first[index]) | u64::from(second[index]) << 32;
        Masks {
            upper: both(0),
            lower: both(1),
            digit: both(2),
            space: both(3),
            tab: both(4),
            line_feed: both(5),
            carriage_return: both(6),
            apostrophe: both(7),
            unusual: both(8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks_by_definition(block: &[u8; 64]) -> Masks {
        let mask = |test: fn(u8) -> bool| {
            (0..64)
                .filter(|&bit| test(block[bit]))
                .map(|bit| 1_u64 << bit)
                .sum()
        };
        Masks {
            upper: mask(|byte| byte.is_ascii_uppercase()),
            lower: mask(|byte| byte.is_ascii_lowercase()),
            digit: mask(|byte| byte.is_ascii_digit()),
            space: mask(|byte| byte == b' '),
            tab: mask(|byte| matches!(byte, 9 | 11 | 12)),
            line_feed: mask(|byte| byte == b'\n'),
            carriage_return: mask(|byte| byte == b'\r'),
            apostrophe: mask(|byte| byte == b'\''),
            unusual: mask(|byte| byte >= 0x80 || byte == 0),
        }
    }

    #[test]
    fn every_byte_has_its_class_on_every_path() {
        for first in 0..=255_u8 {
            let mut block = [0; 64];
            for (offset, byte) in block.iter_mut().enumerate() {
                *byte = first.wrapping_add((offset * offset) as u8);
            }
            let expected = masks_by_definition(&block);
            assert_eq!(Portable::masks(&block), expected);
            #[cfg(target_arch = "x86_64")]
            if Path::detect() == Path::Avx2 {
                assert_eq!(avx2::Avx2::masks(&block), expected);
            }
        }
    }
}
