//! What stands in an answer, by its text, and where lines stand that say the same.

use ctxsieve_kernels::{Selection, Status};

/// Where a line stands in many files, or often in one, the first few are enough to find a run of such lines again.
const FILES_PER_LINE: usize = 8;
const PLACES_PER_FILE: usize = 16;
const NOWHERE: u32 = u32::MAX;
/// The number of a line that does not stand in the answer.
pub(super) const NOT_SHOWN: u32 = u32::MAX;

/// The lines of one file that say the same, the first few in the order of the answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) file: u32,
    count: u32,
    lines: [u32; PLACES_PER_FILE],
}

impl Place {
    fn new(file: u32, line: u32) -> Self {
        let mut place = Self {
            file,
            count: 0,
            lines: [0; PLACES_PER_FILE],
        };
        place.push(line);
        place
    }

    pub(super) fn lines(&self) -> &[u32] {
        &self.lines[..self.count as usize]
    }

    fn push(&mut self, line: u32) {
        if (self.count as usize) < PLACES_PER_FILE {
            self.lines[self.count as usize] = line;
            self.count += 1;
        }
    }

    fn remove(&mut self, line: u32) {
        if let Some(at) = self.lines().iter().position(|&known| known == line) {
            self.lines.copy_within(at + 1.., at);
            self.count -= 1;
        }
    }

    fn retain(&mut self, keeps: impl Fn(u32) -> bool) {
        let lines = self.lines;
        let before = self.count as usize;
        self.count = 0;
        for &line in lines[..before].iter().filter(|&&line| keeps(line)) {
            self.push(line);
        }
    }
}

/// Where a line of the answer stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) text: u32,
}

/// The lines that stand in the answer, numbered in its order.
///
/// The lines of a file are added before its repeats are known, and taken away when they go.
#[derive(Debug)]
pub(super) struct Standing {
    shown: Vec<Shown>,
    /// Where the lines of each file begin, and where the last ones end.
    starts: Vec<usize>,
    selection: Selection,
    /// By text the entry in `places`, `NOWHERE` for what no redundant line says.
    entries: Vec<u32>,
    places: Vec<Vec<Place>>,
    is_gone: Vec<bool>,
}

impl Standing {
    /// `texts` is how many different texts there are.
    pub(super) fn new(
        shown: Vec<Shown>,
        starts: Vec<usize>,
        selection: Selection,
        texts: usize,
    ) -> Self {
        let mut entries = vec![NOWHERE; texts];
        let mut count = 0;
        for (one, &status) in shown.iter().zip(&selection.statuses) {
            let entry = &mut entries[one.text as usize];
            if status == Status::Suppressed && *entry == NOWHERE {
                *entry = count;
                count += 1;
            }
        }
        let is_gone = vec![false; shown.len()];
        Self {
            shown,
            starts,
            selection,
            entries,
            places: vec![Vec::new(); count as usize],
            is_gone,
        }
    }

    /// Whether a line is too short to be compared.
    pub(super) fn is_short(&self, number: u32) -> bool {
        self.selection.statuses[number as usize] == Status::Exempt
    }

    pub(super) fn is_redundant(&self, number: u32) -> bool {
        self.selection.statuses[number as usize] == Status::Suppressed
    }

    pub(super) fn is_gone(&self, number: u32) -> bool {
        self.is_gone[number as usize]
    }

    /// Notes that the lines of a file stand in the answer.
    pub(super) fn add(&mut self, file: usize) {
        for one in &self.shown[self.starts[file]..self.starts[file + 1]] {
            let entry = self.entries[one.text as usize];
            if entry == NOWHERE {
                continue;
            }
            let places = &mut self.places[entry as usize];
            // Files are added one after the other: what is known of this one stands last.
            if let Some(place) = places.last_mut().filter(|place| place.file == one.file) {
                place.push(one.line);
            } else if places.len() < FILES_PER_LINE {
                places.push(Place::new(one.file, one.line));
            }
        }
    }

    /// Notes that a line goes.
    pub(super) fn remove(&mut self, number: u32) {
        self.is_gone[number as usize] = true;
        let one = self.shown[number as usize];
        let entry = self.entries[one.text as usize];
        if entry == NOWHERE {
            return;
        }
        let places = &mut self.places[entry as usize];
        if let Some(at) = places.iter().position(|place| place.file == one.file) {
            places[at].remove(one.line);
            if places[at].count == 0 {
                places.remove(at);
            }
        }
    }

    /// Whether there are any `places` before the line itself.
    pub(super) fn has_places(&self, number: u32, numbers: &[u32], is_exact: bool) -> bool {
        let same = self.same(number);
        let file = self.shown[number as usize].file;
        let is_before = |line: &u32| numbers[*line as usize] < number;
        same.iter()
            .any(|place| place.file != file || place.lines().iter().any(is_before))
            || (!is_exact && self.near(number, number).is_some())
    }

    /// By file the lines before the line of the number `limit` that say what a redundant line says.
    ///
    /// `numbers` are those of the lines of its file. With `is_exact` near repeats say something else.
    pub(super) fn places(
        &self,
        number: u32,
        limit: u32,
        numbers: &[u32],
        is_exact: bool,
    ) -> Vec<Place> {
        let file = self.shown[number as usize].file;
        let mut places = self.same(number).to_vec();
        for place in places.iter_mut().filter(|place| place.file == file) {
            place.retain(|line| numbers[line as usize] < limit);
        }
        places.retain(|place| place.count > 0);
        if places.is_empty() && !is_exact {
            places.extend(self.near(number, limit));
        }
        places
    }

    fn same(&self, number: u32) -> &[Place] {
        let entry = self.entries[self.shown[number as usize].text as usize];
        if entry == NOWHERE || !self.is_redundant(number) {
            &[]
        } else {
            &self.places[entry as usize]
        }
    }

    fn near(&self, number: u32, limit: u32) -> Option<Place> {
        let near = self.selection.nearest[number as usize];
        let is_there = self.is_redundant(number)
            && (0..i64::from(limit)).contains(&near)
            && !self.is_gone[near as usize];
        is_there.then(|| {
            let one = self.shown[near as usize];
            Place::new(one.file, one.line)
        })
    }
}
