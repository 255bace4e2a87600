//! The names of a file, which must not all go with what repeats.

use super::texts::lines_of;
use super::{File, NOT_SHOWN, Span};
use crate::WideCharacters;
use crate::names::Names;

/// Counts the names in what is shown of a file, of which a share may disappear from its text.
#[derive(Debug)]
pub(super) struct KeptNames {
    names: Names,
    is_hidden: Vec<bool>,
    most: usize,
    lost: usize,
}

impl KeptNames {
    /// Names in comments do not count; `is_comment` has a flag for each line, and for line 0.
    pub(super) fn new(
        file: &File,
        text: &str,
        is_comment: &[bool],
        allowance: f64,
        wide: WideCharacters<'_>,
    ) -> Self {
        let mut names = Names::of_lines(lines_of(text).zip(is_comment[1..].iter().copied()), wide);
        let most = (allowance * names.count() as f64) as usize;
        let is_hidden: Vec<bool> = file.numbers.iter().map(|&n| n == NOT_SHOWN).collect();
        for (line, _) in is_hidden
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(_, is_hidden)| **is_hidden)
        {
            names.hide(line);
        }
        Self {
            names,
            is_hidden,
            most,
            lost: 0,
        }
    }

    /// Whether few enough names would be gone without these lines and all that were hidden before.
    pub(super) fn may_hide(&mut self, span: Span) -> bool {
        let visible = self.visible(span);
        self.lost + self.names.lost_with(&visible) <= self.most
    }

    pub(super) fn hide(&mut self, span: Span) {
        let visible = self.visible(span);
        self.lost += self.names.lost_with(&visible);
        for line in visible {
            self.names.hide(line);
            self.is_hidden[line] = true;
        }
    }

    fn visible(&self, (first, last): Span) -> Vec<usize> {
        (first as usize..=last as usize)
            .filter(|&line| !self.is_hidden[line])
            .collect()
    }
}
