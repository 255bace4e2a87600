//! Which names are still somewhere in the text while lines are hidden.

use hashbrown::HashMap;

use crate::WideCharacters;
use crate::lines::Text;
use crate::tree::Leaf;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// The names of a text by line, and how often each is still shown.
#[derive(Debug)]
pub(crate) struct Names {
    numbers: Vec<u32>,
    /// Where the names of each line begin in `numbers`; there is no line 0.
    starts: Vec<usize>,
    shown: Vec<u32>,
    gone: Vec<u32>,
}

impl Names {
    /// Reads the names on all lines that are not silent, given for line 0 as well: leaves that are one word, signs apart.
    pub(crate) fn of_leaves(
        text: &Text<'_>,
        leaves: &[Leaf],
        is_silent: &[bool],
        wide: WideCharacters<'_>,
    ) -> Self {
        let classes = Classes::new(wide);
        let mut reader = Reader::default();
        let mut leaves = leaves.iter().peekable();
        for (line, &is_silent) in is_silent.iter().enumerate().skip(1) {
            let stop = text.bounds(line).1;
            while let Some(&(start, end)) = leaves.next_if(|leaf| leaf.0 as usize <= stop) {
                let name = classes.name_in(&text.source[start as usize..end as usize]);
                if let Some(name) = name.filter(|_| !is_silent) {
                    reader.add(name);
                }
            }
            reader.end_line();
        }
        reader.names()
    }

    /// Reads the words of all lines, from line 1, that are not silent.
    pub(crate) fn of_lines<'a>(
        lines: impl Iterator<Item = (&'a str, bool)>,
        wide: WideCharacters<'_>,
    ) -> Self {
        let classes = Classes::new(wide);
        let mut reader = Reader::default();
        for (line, is_silent) in lines {
            if !is_silent {
                classes.for_each_name(line, |name| reader.add(name));
            }
            reader.end_line();
        }
        reader.names()
    }

    /// How many names there are.
    pub(crate) fn count(&self) -> usize {
        self.shown.len()
    }

    fn of_line(&self, line: usize) -> &[u32] {
        &self.numbers[self.starts[line]..self.starts[line + 1]]
    }

    /// How many names would be lost with these lines.
    pub(crate) fn lost_with(&mut self, lines: &[usize]) -> usize {
        let mut gone = std::mem::take(&mut self.gone);
        for &line in lines {
            for &name in self.of_line(line) {
                gone[name as usize] += 1;
            }
        }
        let mut lost = 0;
        for &line in lines {
            for &name in self.of_line(line) {
                let times = std::mem::take(&mut gone[name as usize]);
                lost += usize::from(times > 0 && times == self.shown[name as usize]);
            }
        }
        self.gone = gone;
        lost
    }

    pub(crate) fn hide(&mut self, line: usize) {
        for at in self.starts[line]..self.starts[line + 1] {
            self.shown[self.numbers[at] as usize] -= 1;
        }
    }
}

/// Collects names line by line.
#[derive(Default)]
struct Reader<'a> {
    known: Map<&'a str, u32>,
    numbers: Vec<u32>,
    ends: Vec<usize>,
    shown: Vec<u32>,
}

impl<'a> Reader<'a> {
    fn add(&mut self, name: &'a str) {
        let fresh = self.shown.len() as u32;
        let number = *self.known.entry(name).or_insert(fresh);
        if number == fresh {
            self.shown.push(0);
        }
        self.shown[number as usize] += 1;
        self.numbers.push(number);
    }

    fn end_line(&mut self) {
        self.ends.push(self.numbers.len());
    }

    fn names(self) -> Names {
        let mut starts = vec![0, 0];
        starts.extend(self.ends);
        Names {
            numbers: self.numbers,
            starts,
            gone: vec![0; self.shown.len()],
            shown: self.shown,
        }
    }
}

/// Which characters form names: a word that does not begin with a decimal digit.
struct Classes {
    words: Vec<char>,
    digits: Vec<char>,
}

impl Classes {
    fn new(wide: WideCharacters<'_>) -> Self {
        let sorted = |text: &str| {
            let mut characters: Vec<char> = text.chars().collect();
            characters.sort_unstable();
            characters
        };
        Self {
            words: sorted(wide.words),
            digits: sorted(wide.digits),
        }
    }

    fn is_word(&self, character: char) -> bool {
        if character.is_ascii() {
            is_word_byte(character as u8)
        } else {
            self.words.binary_search(&character).is_ok()
        }
    }

    fn is_digit(&self, character: char) -> bool {
        character.is_ascii_digit()
            || (!character.is_ascii() && self.digits.binary_search(&character).is_ok())
    }

    fn for_each_name<'a>(&self, line: &'a str, mut see: impl FnMut(&'a str)) {
        if !line.is_ascii() {
            self.for_each_wide_name(line, see);
            return;
        }
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let begin = at;
            while at < bytes.len() && is_word_byte(bytes[at]) {
                at += 1;
            }
            let digits = bytes[begin..at]
                .iter()
                .take_while(|byte| byte.is_ascii_digit());
            let start = begin + digits.count();
            if start < at {
                see(&line[start..at]);
            }
            at += 1;
        }
    }

    fn for_each_wide_name<'a>(&self, line: &'a str, mut see: impl FnMut(&'a str)) {
        let mut begin: Option<usize> = None;
        for (at, character) in line.char_indices() {
            match begin {
                None if self.is_word(character) && !self.is_digit(character) => begin = Some(at),
                Some(start) if !self.is_word(character) => {
                    see(&line[start..at]);
                    begin = None;
                }
                _ => {}
            }
        }
        if let Some(start) = begin {
            see(&line[start..]);
        }
    }

    /// The one word of a text, None where it has more or begins with a digit.
    fn name_in<'a>(&self, text: &'a str) -> Option<&'a str> {
        let begin = text.find(|character| self.is_word(character))?;
        let from_word = &text[begin..];
        let end = from_word.find(|character| !self.is_word(character));
        let (word, rest) = from_word.split_at(end.unwrap_or(from_word.len()));
        let is_one = !word.starts_with(|character| self.is_digit(character))
            && !rest.contains(|character| self.is_word(character));
        is_one.then_some(word)
    }
}

fn is_word_byte(byte: u8) -> bool {
    IS_WORD_BYTE[byte as usize]
}

/// By byte, ASCII alone.
static IS_WORD_BYTE: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        is_word[byte] = (byte as u8).is_ascii_alphanumeric() || byte == b'_' as usize;
        byte += 1;
    }
    is_word
};

#[cfg(test)]
mod tests {
    use super::{Classes, Names, WideCharacters};
    use crate::lines::Text;

    const WIDE: WideCharacters<'static> = WideCharacters {
        words: "é٣",
        digits: "٣",
    };

    #[test]
    fn words_that_begin_with_no_digit_are_names_of_lines() {
        let lines = ["a1 12b 3", "b b é٣ ٣"];
        let mut names = Names::of_lines(lines.map(|line| (line, false)).into_iter(), WIDE);
        assert_eq!(names.shown, [1, 3, 1]);
        assert_eq!(names.lost_with(&[2]), 1);
        assert_eq!(names.lost_with(&[1, 2]), 3);
        names.hide(2);
        assert_eq!(names.lost_with(&[1]), 2);
        let silent = Names::of_lines(lines.into_iter().zip([true, false]), WIDE);
        assert_eq!(silent.count(), 2);
    }

    #[test]
    fn names_are_leaves_of_one_word_that_begins_with_no_digit() {
        let text = Text::new("a1 12b 3\nb $b \"é٣\" ٣ \"two words\"\n");
        let leaves = [
            (0, 2),
            (3, 6),
            (7, 8),
            (9, 10),
            (11, 13),
            (14, 20),
            (21, 23),
            (24, 35),
        ];
        let mut names = Names::of_leaves(&text, &leaves, &[false; 3], WIDE);
        assert_eq!(names.shown, [1, 2, 1]);
        assert_eq!(names.lost_with(&[2]), 2);
        assert_eq!(names.lost_with(&[1, 2]), 3);
        names.hide(2);
        assert_eq!(names.lost_with(&[1]), 1);
        let silent = [false, true, false];
        assert_eq!(Names::of_leaves(&text, &leaves, &silent, WIDE).count(), 2);
    }

    #[test]
    fn lines_of_ascii_have_the_same_names_as_any() {
        let classes = Classes::new(WideCharacters::default());
        for line in [
            "",
            "a",
            "1",
            "12ab_c 3",
            "_ a-b9",
            "9_9",
            "x = f(y1, 2z)  ",
            "--",
        ] {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            classes.for_each_name(line, |name| fast.push(name));
            classes.for_each_wide_name(line, |name| slow.push(name));
            assert_eq!(fast, slow, "{line}");
        }
    }
}
