//! Tokens of texts that share most of their lines with one that is counted already.
//!
//! A pre-token that begins where a line begins is the same whatever stands before, so that what a line adds to a text
//! has to be counted anew only where its neighbours change.

use ctxsieve_kernels::Error;
use ctxsieve_tokens::{CountedText, Counter};

use crate::costs::{Check, count_tokens};
use crate::lines::Text;
use crate::spelling::Spelled;

/// Runs of so many spaces are looked up in a table.
const WIDEST: usize = 128;
const SPACES: &str = match std::str::from_utf8(&[b' '; WIDEST]) {
    Ok(spaces) => spaces,
    Err(_) => unreachable!(),
};

/// Tokens of a source, given those of its spelled lines; None where more than indentation by spaces differs.
pub(crate) fn tokens_of_source(
    text: &Text<'_>,
    spelled: &[Spelled],
    counted: &CountedText,
    counter: &mut Counter,
    check: Check<'_>,
) -> Result<Option<u64>, Error> {
    let mut by_width = [None; WIDEST];
    let mut tokens_of_spaces = |count: usize, check: Check<'_>| {
        if let Some(tokens) = by_width[count] {
            return Ok(tokens);
        }
        let tokens = count_tokens(counter, &SPACES[..count], check)?;
        by_width[count] = Some(tokens);
        Ok(tokens)
    };
    let mut tokens = counted.tokens();
    let source = text.bytes();
    for (at, line) in spelled.iter().skip(1).enumerate() {
        let (start, end) = text.bounds(at + 1);
        if line.end + usize::from(line.has_return) != end {
            return Ok(None);
        }
        let indent = &source[start..line.start];
        if indent.len() == line.spaces && indent.iter().all(|&byte| byte == b' ') {
            continue;
        }
        // The last space may go with what stands behind it, those before it are one pre-token.
        let is_plain = counted.is_start[at]
            && (1..=WIDEST).contains(&indent.len())
            && (1..=WIDEST).contains(&line.spaces)
            && indent.iter().all(|&byte| byte == b' ')
            && line.start < line.end
            && source[line.start].is_ascii_graphic();
        if !is_plain {
            return Ok(None);
        }
        tokens += tokens_of_spaces(indent.len() - 1, check)?;
        tokens -= tokens_of_spaces(line.spaces - 1, check)?;
    }
    Ok(Some(tokens))
}

/// A mark in a text, and where what is known of the text goes on behind it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seam {
    /// The lines that the mark stands for.
    pub(crate) lines: (usize, usize),
    /// Where it begins in the text that is left, and where it ends.
    pub(crate) mark: (usize, usize),
}

/// Tokens of what is left of a text of which each line is counted; None where pre-tokens go across the seams.
///
/// `left` has the lines of the counted text, and marks in place of some.
pub(crate) fn tokens_of_rest(
    text: &Text<'_>,
    counted: &CountedText,
    left: &str,
    seams: &[Seam],
    counter: &mut Counter,
    check: Check<'_>,
) -> Result<Option<u64>, Error> {
    let count = text.line_count();
    if counted.begun.len() != count {
        return Ok(None);
    }
    let of_lines = |first: usize, last: usize| -> u64 {
        let lines = counted.begun.get(first - 1..last).unwrap_or_default();
        lines.iter().map(|&tokens| u64::from(tokens)).sum()
    };
    // Symbols take slashes behind the line's end with them.
    let is_slash = |at: usize| left.as_bytes().get(at) == Some(&b'/');
    let (mut tokens, mut following) = (0, 1);
    for (at, seam) in seams.iter().enumerate() {
        let (first, last) = seam.lines;
        if !counted.is_start[first - 1] || is_slash(seam.mark.0) {
            return Ok(None);
        }
        tokens += of_lines(following, first - 1);
        // Blank lines belong to the line break before them.
        let next = (last + 1..=count).find(|&line| text.is_filled[line]);
        let limit = seams.get(at + 1).map_or(count + 1, |seam| seam.lines.0);
        let (mut end, mut blank) = (seam.mark.1, last + 1);
        following = next.unwrap_or(count + 1);
        if following >= limit && following <= count {
            return Ok(None);
        }
        while blank < following {
            let rest = &left[end..];
            end += rest.find('\n').map_or(rest.len(), |feed| feed + 1);
            blank += 1;
        }
        if following <= count && (!counted.is_start[following - 1] || is_slash(end)) {
            return Ok(None);
        }
        tokens += count_tokens(counter, &left[seam.mark.0..end], check)?;
    }
    Ok(Some(tokens + of_lines(following, count)))
}
