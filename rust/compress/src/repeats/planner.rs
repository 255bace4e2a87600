//! Finds the repeats of one file.

use ctxsieve_kernels::Error;
use ctxsieve_tokens::Counter;

use super::kept_names::KeptNames;
use super::standing::{Place, Standing};
use super::texts::NOTHING;
use super::{File, NOT_SHOWN, Repeat, Span};
use crate::WideCharacters;
use crate::costs::{Check, count_tokens};
use crate::marks::numbers_of;
use crate::rules::comment;

/// A mark, or what is added to one, costs at least so many tokens; what costs less is not looked at.
const LEAST_TOKENS: u32 = 6;
/// A place is at most so much longer than what is found in it.
const WIDEST: usize = 3;
/// Of a line that stands often in a file, so many places are tried as the first of a run.
const TRIED_STARTS: usize = 8;

pub(super) struct Planner<'a> {
    number: usize,
    files: &'a [File],
    standing: &'a mut Standing,
    least_gain_tokens: u32,
    repeats: &'a mut Vec<Repeat>,
    is_comment: Vec<bool>,
    kept_names: Option<NamesToRead<'a>>,
    last: Option<Span>,
}

/// The names of the file, which are read before the first question.
struct NamesToRead<'a> {
    text: &'a str,
    wide: WideCharacters<'a>,
    allowance: f64,
    read: Option<KeptNames>,
}

/// Where the compared lines of a group stand, from one of its nodes on, as far as they were asked for.
struct Known {
    /// The number of the first shown line.
    limit: Option<u32>,
    /// The lines up to this one were looked at.
    reached: u32,
    lines: Vec<u32>,
    places: Vec<Vec<Place>>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        number: usize,
        files: &'a [File],
        standing: &'a mut Standing,
        least_gain_tokens: u32,
        repeats: &'a mut Vec<Repeat>,
    ) -> Self {
        Self {
            number,
            files,
            standing,
            least_gain_tokens,
            repeats,
            is_comment: Vec::new(),
            kept_names: None,
            last: None,
        }
    }

    /// Takes what is asked for only where something may go.
    pub(super) fn look_at(&mut self, text: &'a str, comments: &[Span], wide: WideCharacters<'a>) {
        let file = self.file();
        self.is_comment = vec![false; file.texts.len()];
        for &(first, last) in comments {
            self.is_comment[first as usize..=last as usize].fill(true);
        }
        self.kept_names = file.lost_names.map(|allowance| NamesToRead {
            text,
            wide,
            allowance,
            read: None,
        });
    }

    fn file(&self) -> &'a File {
        &self.files[self.number]
    }

    fn least_tokens(&self) -> f64 {
        f64::from(LEAST_TOKENS + self.least_gain_tokens)
    }

    /// The runs of redundant lines, with short lines among them, that cost more than a mark.
    pub(super) fn redundant_runs(&self) -> Vec<Span> {
        let file = self.file();
        let mut runs = Vec::new();
        let mut open: Option<Span> = None;
        let mut before = 0;
        let mut end = |open: &mut Option<Span>| {
            let run = open.take();
            runs.extend(run.filter(|&run| file.costs.of(run) >= self.least_tokens()));
        };
        for (index, &(first, last)) in file.shown.iter().enumerate() {
            // No run goes on where no node may span what is between.
            if index > 0 && !(file.crosses_gaps && first > before) {
                end(&mut open);
            }
            for line in first..=last {
                let number = file.numbers[line as usize];
                if self.standing.is_short(number) {
                    open = open.map(|(start, _)| (start, line));
                } else if self
                    .standing
                    .has_places(number, &file.numbers, file.is_exact)
                {
                    open = Some((open.map_or(line, |(start, _)| start), line));
                } else {
                    end(&mut open);
                }
            }
            before = last;
        }
        end(&mut open);
        runs
    }

    /// Finds what goes from these runs; `nodes` are sorted, outer ones before those inside.
    pub(super) fn plan(
        &mut self,
        runs: &[Span],
        nodes: &[Span],
        counter: &mut Counter,
        check: Check<'_>,
    ) -> Result<(), Error> {
        for &run in runs {
            let begin = nodes.partition_point(|&(first, _)| first < run.0);
            let end = nodes.partition_point(|&(first, _)| first <= run.1);
            for group in self.groups(&nodes[begin..end.max(begin)], run) {
                self.cover(&group, counter, check)?;
            }
        }
        Ok(())
    }

    /// The outermost nodes inside a run, those together between which nothing with text is shown.
    fn groups(&self, nodes: &[Span], run: Span) -> Vec<Vec<Span>> {
        let mut groups: Vec<Vec<Span>> = Vec::new();
        let mut reached = 0;
        for &(first, last) in nodes {
            if last > run.1 || first <= reached {
                continue;
            }
            match groups.last_mut() {
                Some(group) if self.is_empty(reached + 1, first - 1) => group.push((first, last)),
                _ => groups.push(vec![(first, last)]),
            }
            reached = last;
        }
        groups
    }

    /// Whether these lines are blank or, where gaps may be crossed, not shown.
    fn is_empty(&self, first: u32, last: u32) -> bool {
        let file = self.file();
        (first..=last).all(|line| {
            let line = line as usize;
            file.texts[line] == NOTHING || (file.crosses_gaps && file.numbers[line] == NOT_SHOWN)
        })
    }

    /// Hides the longest runs of nodes whose lines all stand in one place, where the mark costs less.
    fn cover(
        &mut self,
        group: &[Span],
        counter: &mut Counter,
        check: Check<'_>,
    ) -> Result<(), Error> {
        let file = self.file();
        let mut start = 0;
        while let (Some(&(first, _)), Some(&(_, last))) = (group.get(start), group.last()) {
            if file.costs.of((first, last)) < self.least_tokens() {
                break;
            }
            let (best, end) = self.longest(group, start, check)?;
            if let Some(best) = best {
                let cost = self.mark_cost(&best, counter, check)?;
                if (cost + u64::from(self.least_gain_tokens)) as f64 <= file.costs.of(best.hidden) {
                    self.hide(best);
                }
            }
            start = end + 1;
        }
        Ok(())
    }

    fn hide(&mut self, repeat: Repeat) {
        let (first, last) = repeat.hidden;
        for line in first..=last {
            let number = self.file().numbers[line as usize];
            if number != NOT_SHOWN {
                self.standing.remove(number);
            }
        }
        if let Some(names) = self.names() {
            names.hide(repeat.hidden);
        }
        self.last = Some(repeat.hidden);
        self.repeats.push(repeat);
    }

    /// The repeat of most nodes from `start` on, and the last of them: by doubling, then by halving.
    fn longest(
        &mut self,
        group: &[Span],
        start: usize,
        check: Check<'_>,
    ) -> Result<(Option<Repeat>, usize), Error> {
        let first = group[start].0;
        let mut known = Known {
            limit: None,
            reached: first - 1,
            lines: Vec::new(),
            places: Vec::new(),
        };
        let mut find = |stop: usize| self.find((first, group[stop].1), &mut known, check);
        let Some(mut best) = find(start)? else {
            return Ok((None, start));
        };
        let (mut good, mut bad, mut step) = (start, start + 1, 1);
        while bad < group.len() {
            let stop = (good + step).min(group.len() - 1);
            let Some(found) = find(stop)? else {
                bad = stop;
                break;
            };
            (best, good, bad, step) = (found, stop, stop + 1, 2 * step);
        }
        while good + 1 < bad {
            let middle = usize::midpoint(good, bad);
            match find(middle)? {
                None => bad = middle,
                Some(found) => (best, good) = (found, middle),
            }
        }
        Ok((Some(best), good))
    }

    /// Where all shown lines of some nodes stand together, the narrowest place, ties to the first file.
    fn find(
        &mut self,
        hidden: Span,
        known: &mut Known,
        check: Check<'_>,
    ) -> Result<Option<Repeat>, Error> {
        self.look_up(hidden.1, known);
        let compared = known.lines.partition_point(|&line| line <= hidden.1);
        let Some((places, others)) = known.places[..compared].split_first() else {
            return Ok(None);
        };
        let unseen = self.unseen(hidden);
        let widest = WIDEST * (compared + unseen.len()) + 2;
        let in_file = |places: &[Place], file: u32| places.iter().position(|p| p.file == file);
        let mut best: Option<(usize, u32, Span)> = None;
        let mut candidates: Vec<&Place> = places
            .iter()
            .filter(|place| {
                others
                    .iter()
                    .all(|other| in_file(other, place.file).is_some())
            })
            .collect();
        candidates.sort_unstable_by_key(|place| place.file);
        for place in candidates {
            let choices: Vec<&[u32]> = others
                .iter()
                .filter_map(|other| in_file(other, place.file).map(|at| other[at].lines()))
                .collect();
            for &begin in place.lines().iter().take(TRIED_STARTS) {
                if check() {
                    return Err(Error::Interrupted);
                }
                let span = pick(&choices, begin);
                let width = (span.1 - span.0) as usize + 1;
                if width <= widest
                    && best.is_none_or(|(least, ..)| width < least)
                    && self.has(place.file, span, &unseen)
                {
                    best = Some((width, place.file, span));
                }
            }
        }
        Ok(match best {
            Some((_, file, span)) if self.may_hide(hidden) => Some(self.repeat(hidden, file, span)),
            _ => None,
        })
    }

    /// Looks the lines up to `last` up, unless they are known.
    fn look_up(&self, last: u32, known: &mut Known) {
        let file = self.file();
        while known.reached < last {
            known.reached += 1;
            let number = file.numbers[known.reached as usize];
            if number == NOT_SHOWN {
                continue;
            }
            let limit = *known.limit.get_or_insert(number);
            if !self.standing.is_short(number) {
                let places = self
                    .standing
                    .places(number, limit, &file.numbers, file.is_exact);
                known.lines.push(known.reached);
                known.places.push(places);
            }
        }
    }

    /// Whether enough names stay; what costs less than any mark does not go by itself and is not counted.
    fn may_hide(&mut self, hidden: Span) -> bool {
        let is_counted = self.file().costs.of(hidden) >= self.least_tokens();
        !is_counted || self.names().is_none_or(|names| names.may_hide(hidden))
    }

    fn names(&mut self) -> Option<&mut KeptNames> {
        let file = self.file();
        let is_comment = &self.is_comment;
        self.kept_names.as_mut().map(|names| {
            names.read.get_or_insert_with(|| {
                KeptNames::new(file, names.text, is_comment, names.allowance, names.wide)
            })
        })
    }

    fn has(&self, file: u32, (first, last): Span, unseen: &[u32]) -> bool {
        if unseen.is_empty() {
            return true;
        }
        let mut there = self.files[file as usize].texts[first as usize..=last as usize].to_vec();
        there.sort_unstable();
        unseen.iter().all(|text| there.binary_search(text).is_ok())
    }

    /// What the hidden lines say that were not shown before, comments apart.
    fn unseen(&self, (first, last): Span) -> Vec<u32> {
        let file = self.file();
        let mut unseen: Vec<u32> = (first as usize..=last as usize)
            .filter(|&line| file.numbers[line] == NOT_SHOWN && !self.is_comment[line])
            .map(|line| file.texts[line])
            .filter(|&text| text != NOTHING)
            .collect();
        unseen.sort_unstable();
        unseen.dedup();
        unseen
    }

    fn repeat(&self, hidden: Span, place: u32, lines: Span) -> Repeat {
        // What went itself says nothing; what does not stand in the answer anyway is compared in the files.
        let (here, there) = (self.file(), &self.files[place as usize]);
        let stands = |number: u32| number != NOT_SHOWN && !self.standing.is_gone(number);
        let is_same = hidden.1 - hidden.0 == lines.1 - lines.0
            && (hidden.0 as usize..=hidden.1 as usize)
                .zip(lines.0 as usize..)
                .all(|(own, other)| {
                    here.texts[own] == there.texts[other]
                        && (here.numbers[own] == NOT_SHOWN || stands(there.numbers[other]))
                });
        Repeat {
            file: self.number as u32,
            hidden,
            place,
            lines,
            is_same,
        }
    }

    /// Tokens of the mark, or of what is added to one that stands right above or below anyway.
    fn mark_cost(
        &self,
        repeat: &Repeat,
        counter: &mut Counter,
        check: Check<'_>,
    ) -> Result<u64, Error> {
        let file = self.file();
        let place = if repeat.place as usize == self.number {
            String::new()
        } else {
            format!("{}:", self.files[repeat.place as usize].place)
        };
        let note = if repeat.is_same {
            format!(" = {place}{}", repeat.lines.0)
        } else {
            format!(
                " like {place}{}",
                numbers_of(repeat.lines.0, repeat.lines.1)
            )
        };
        let words = format!("{}{note}", numbers_of(repeat.hidden.0, repeat.hidden.1));
        if self.joins(repeat.hidden) {
            return count_tokens(counter, &format!(", {words}"), check);
        }
        let (opening, closing) = &file.comment;
        let text = comment(opening, closing, &format!("... {words}"));
        let is_indented = file.is_indented[repeat.hidden.0 as usize];
        Ok(count_tokens(counter, &format!("{text}\n"), check)? + u64::from(is_indented))
    }

    /// Whether a mark stands right above or below these lines anyway.
    fn joins(&self, (first, last): Span) -> bool {
        let file = self.file();
        if !file.crosses_gaps {
            return false;
        }
        let is_near = |hidden: Span| self.is_empty(hidden.1 + 1, first - 1);
        self.last.is_some_and(is_near)
            || self.is_gap((1..first).rev())
            || self.is_gap(last + 1..file.texts.len() as u32)
    }

    /// Whether a line that is not shown comes before the first one with text that is.
    fn is_gap(&self, mut lines: impl Iterator<Item = u32>) -> bool {
        let file = self.file();
        let is_edge = |line: &u32| {
            let line = *line as usize;
            file.numbers[line] == NOT_SHOWN || file.texts[line] != NOTHING
        };
        lines
            .find(is_edge)
            .is_some_and(|line| file.numbers[line as usize] == NOT_SHOWN)
    }
}

/// From the first to the last of `begin` and a line of each choice: the first one after the line picked before, where
/// there is one.
fn pick(choices: &[&[u32]], begin: u32) -> Span {
    let (mut first, mut last, mut picked) = (begin, begin, begin);
    for lines in choices {
        let at = bisect(lines, picked + 1);
        picked = lines.get(at).copied().unwrap_or(lines[0]);
        (first, last) = (first.min(picked), last.max(picked));
    }
    (first, last)
}

/// Where Python's `bisect_left` finds a line, also where the order of the answer is not that of the lines.
fn bisect(lines: &[u32], line: u32) -> usize {
    let (mut low, mut high) = (0, lines.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if lines[middle] < line {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
