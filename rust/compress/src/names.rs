//! Which names are still somewhere in the text while lines are hidden.

use hashbrown::HashMap;

use crate::WideCharacters;
use crate::lines::Text;

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
    /// Reads the names of all lines that are not silent, given for line 0 as well.
    pub(crate) fn new(text: &Text<'_>, is_silent: &[bool], wide: WideCharacters<'_>) -> Self {
        let lines = is_silent.iter().enumerate().skip(1);
        let lines = lines.map(|(line, &is_silent)| {
            let (start, end) = text.bounds(line);
            (&text.source[start..end], is_silent)
        });
        Self::of_lines(lines, wide)
    }

    /// Reads the names of all lines, from line 1, that are not silent.
    pub(crate) fn of_lines<'a>(
        lines: impl Iterator<Item = (&'a str, bool)>,
        wide: WideCharacters<'_>,
    ) -> Self {
        let mut known: Map<&str, u32> = Map::default();
        let mut names = Self {
            numbers: Vec::new(),
            starts: vec![0, 0],
            shown: Vec::new(),
            gone: Vec::new(),
        };
        let classes = Classes::new(wide);
        for (line, is_silent) in lines {
            if !is_silent {
                classes.for_each_name(line, |name| {
                    let fresh = names.shown.len() as u32;
                    let number = *known.entry(name).or_insert(fresh);
                    if number == fresh {
                        names.shown.push(0);
                    }
                    names.shown[number as usize] += 1;
                    names.numbers.push(number);
                });
            }
            names.starts.push(names.numbers.len());
        }
        names.gone = vec![0; names.shown.len()];
        names
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
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::{Classes, Names, WideCharacters};
    use crate::lines::Text;

    #[test]
    fn names_are_words_that_begin_with_no_digit() {
        let text = Text::new("a1 12b 3\nb b é٣ ٣\n");
        let wide = WideCharacters {
            words: "é٣",
            digits: "٣",
        };
        let mut names = Names::new(&text, &[false; 3], wide);
        assert_eq!(names.shown, [1, 3, 1]);
        assert_eq!(names.lost_with(&[2]), 1);
        assert_eq!(names.lost_with(&[1, 2]), 3);
        names.hide(2);
        assert_eq!(names.lost_with(&[1]), 2);
        assert_eq!(Names::new(&text, &[false, true, false], wide).count(), 2);
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
