//! Lines of a text and what stands on them, as the twin sees them.

/// Whether Python's `str.isspace` holds; the set has been stable since Unicode 6.3.
pub(crate) fn is_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r'
            | '\u{1c}'..='\u{20}'
            | '\u{85}'
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
    )
}

/// Whether Python's `bytes.isspace` holds.
pub(crate) fn is_byte_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A text with the places of its lines.
#[derive(Debug)]
pub(crate) struct Text<'a> {
    pub(crate) source: &'a str,
    /// Positions of all newlines.
    pub(crate) newlines: Vec<usize>,
    /// For each line, from 1, whether it is more than white space; there is no line 0.
    pub(crate) is_filled: Vec<bool>,
    pub(crate) is_deep: bool,
}

impl<'a> Text<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        let newlines = memchr::memchr_iter(b'\n', source.as_bytes()).collect();
        let mut text = Self {
            source,
            newlines,
            is_filled: vec![false],
            is_deep: is_deeply_nested(source.as_bytes()),
        };
        let count = text.line_count();
        text.is_filled.reserve(count);
        let mut start = 0;
        for line in 0..count {
            let end = text.newlines.get(line).copied().unwrap_or(source.len());
            text.is_filled.push(has_text(&source[start..end]));
            start = end + 1;
        }
        text
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.source.as_bytes()
    }

    pub(crate) fn ends_with_newline(&self) -> bool {
        self.source.ends_with('\n')
    }

    /// A final newline ends the last line and begins no new one.
    pub(crate) fn line_count(&self) -> usize {
        self.newlines.len() + usize::from(!self.source.is_empty() && !self.ends_with_newline())
    }

    /// Where a line, from 1, begins and ends, its newline apart.
    pub(crate) fn bounds(&self, line: usize) -> (usize, usize) {
        let start = if line > 1 {
            self.newlines[line - 2] + 1
        } else {
            0
        };
        let end = self
            .newlines
            .get(line - 1)
            .copied()
            .unwrap_or(self.source.len());
        (start, end)
    }

    /// The line, from 1, in which a byte stands; a newline belongs to the line that it ends.
    pub(crate) fn line_of(&self, byte: usize) -> usize {
        self.newlines.partition_point(|&newline| newline < byte) + 1
    }
}

/// Whether a line is more than white space.
fn has_text(line: &str) -> bool {
    let mut bytes = line.as_bytes().iter();
    match bytes.find(|&&byte| byte != b' ') {
        None => false,
        Some(byte) if byte.is_ascii_graphic() => true,
        Some(_) => !line.chars().all(is_space),
    }
}

/// Whether brackets stand more than 500 deep, which no one writes; those in strings count too.
fn is_deeply_nested(source: &[u8]) -> bool {
    const DEEPEST: i64 = 500;
    if source.len() as i64 <= DEEPEST {
        return false;
    }
    let mut depth = 0_i64;
    // Counting goes many bytes at a time; one by one they are looked at where brackets alone could go so deep.
    for block in source.chunks(BLOCK) {
        let openings = count(block, [b'(', b'[', b'{']);
        if depth + openings <= DEEPEST {
            depth += openings - count(block, [b')', b']', b'}']);
            continue;
        }
        for byte in block {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                _ => {}
            }
            if depth > DEEPEST {
                return true;
            }
        }
    }
    false
}

/// As many bytes as a count in one byte holds.
const BLOCK: usize = 255;

/// How many of at most [`BLOCK`] bytes are one of three.
fn count(block: &[u8], wanted: [u8; 3]) -> i64 {
    // A checked sum, or a branch, would go byte by byte.
    let add = |sum: u8, &byte: &u8| {
        let [one, two, three] = wanted.map(|wanted| u8::from(byte == wanted));
        sum.wrapping_add(one | two | three)
    };
    i64::from(block.iter().fold(0, add))
}

#[cfg(test)]
mod tests {
    use super::{Text, is_deeply_nested};

    #[test]
    fn a_final_newline_begins_no_line() {
        for (source, count) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)] {
            assert_eq!(Text::new(source).line_count(), count, "{source:?}");
        }
        let text = Text::new("ab\n \u{3000}\ncd");
        assert_eq!(text.is_filled, [false, true, false, true]);
        assert_eq!(text.bounds(3), (8, 10));
        assert_eq!(
            [0, 2, 3, 7, 8, 9].map(|byte| text.line_of(byte)),
            [1, 1, 2, 2, 3, 3]
        );
    }

    #[test]
    fn depth_is_that_of_open_brackets() {
        assert!(!is_deeply_nested("()".repeat(2000).as_bytes()));
        assert!(!is_deeply_nested("(".repeat(500).as_bytes()));
        assert!(is_deeply_nested("([{".repeat(167).as_bytes()));
        let far = format!("{}{}", " x()".repeat(900), "(".repeat(501));
        assert!(is_deeply_nested(far.as_bytes()));
        assert!(!is_deeply_nested(&far.as_bytes()[..far.len() - 1]));
    }
}
