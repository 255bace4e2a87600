//! Look-ups among sorted texts that stand behind each other.

/// Return the position of every query among sorted texts, -1 where it is none of them.
///
/// Text `n` is `blob[offsets[n]..offsets[n + 1]]`; offsets out of order or out of bounds count as empty texts.
#[must_use]
pub fn find_texts(offsets: &[u32], blob: &[u8], queries: &[&[u8]]) -> Vec<i64> {
    let text = |position: usize| {
        let span = offsets[position] as usize..offsets[position + 1] as usize;
        blob.get(span).unwrap_or_default()
    };
    let find = |query: &&[u8]| {
        let (mut first, mut last) = (0, offsets.len().saturating_sub(1));
        while first < last {
            let middle = first.midpoint(last);
            if text(middle) < *query {
                first = middle + 1;
            } else {
                last = middle;
            }
        }
        let is_there = first + 1 < offsets.len() && text(first) == *query;
        if is_there {
            i64::try_from(first).unwrap_or(-1)
        } else {
            -1
        }
    };
    queries.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_found_where_they_stand() {
        let queries: [&[u8]; 6] = [b"b", b"a", b"", b"ab", b"c", b"ba"];
        assert_eq!(
            find_texts(&[0, 1, 3, 4], b"aabb", &queries),
            [2, 0, -1, 1, -1, -1]
        );
    }

    #[test]
    fn nothing_is_found_among_no_texts() {
        assert_eq!(find_texts(&[], b"", &[b"a"]), [-1]);
        assert_eq!(find_texts(&[0], b"", &[b""]), [-1]);
    }

    #[test]
    fn broken_offsets_are_no_panic() {
        assert_eq!(find_texts(&[9, 3, 70], b"aabb", &[b"a"]), [-1]);
    }
}
