//! The best chunks of a file in full and the signatures of the rest, within a number of tokens.

use ctxsieve_kernels::Error;
use ctxsieve_tokens::Counter;

use crate::arrangement::{Arrangement, Span};
use crate::chunks::{Chunk, ChunkLimits, Definition, DefinitionRole, chunk_text};
use crate::costs::{Check, MARKER_TOKENS, count_tokens, spread_newlines};
use crate::lines::Text;
use crate::marks::{indent_of, numbers_of};
use crate::sums::{sum_exactly, sum_in_pairs};

/// Estimates are sums over lines; the loop that corrects them against exact counts ends after so many rounds.
const ROUNDS: usize = 4;
/// Short chunks are dearer than their tokens, long ones cheaper.
const FIXED_TOKENS: f64 = 30.0;
const LENGTH_EXPONENT: f64 = 0.3;
/// The line between two sections.
const BRIDGE: &str = "---\n";

/// What a file says and costs, whatever it is read for.
#[derive(Debug, Clone, Copy)]
pub struct FileLines<'a> {
    /// The text.
    pub text: &'a str,
    /// Its lines as they are written, joined by newlines; None for as they stand.
    pub spelling: Option<&'a str>,
    /// Tokens of each line as it is written, taken alone.
    pub line_tokens: &'a [u32],
    /// Tokens of all lines together.
    pub tokens: u64,
    /// One byte per line, 255 where it begins inside a literal; empty where nothing is known.
    pub layout: &'a [u8],
}

/// How the chunks of a file are made and presented.
#[derive(Debug, Clone)]
pub struct ChunkOptions {
    /// How long they are.
    pub limits: ChunkLimits,
    /// Whether those that match come first.
    pub is_ordered: bool,
    /// From which share of the best score on a chunk matches.
    pub match_share: f64,
    /// What stands before the words of a comment, and what behind them.
    pub comment: (String, String),
}

/// A file's text for a number of tokens.
#[derive(Debug)]
pub struct ChosenLines {
    /// The text.
    pub content: String,
    /// The lines that stand in it.
    pub shown: Vec<(usize, usize)>,
    /// Its tokens.
    pub tokens: u64,
}

/// A file with its chunks and how much each is about a task; lines count from 1.
#[derive(Debug)]
pub struct ChunkedFile {
    spelled: String,
    /// Where each line stands in `spelled`; the first one is nothing.
    bounds: Vec<(usize, usize)>,
    is_filled: Vec<bool>,
    costs: Vec<f64>,
    definitions: Vec<Definition>,
    arrangement: Arrangement,
    comment: (String, String),
}

/// Lines that are added together.
#[derive(Debug, Clone, Copy)]
enum Unit {
    /// A chunk by its number, with the signatures of the definitions around it.
    Surrounded(usize),
    /// A signature, or a chunk alone.
    Alone(Span),
}

impl ChunkedFile {
    /// Returns the file in chunks; None where the arguments do not belong together.
    ///
    /// A chunk has the middle between the score of its best line and that of its average.
    #[must_use]
    pub fn new(
        lines: FileLines<'_>,
        scores: &[f64],
        definitions: Vec<Definition>,
        import_lines: &[usize],
        options: ChunkOptions,
    ) -> Option<Self> {
        let text = Text::new(lines.text);
        let count = text.line_count();
        let spelled = lines.spelling.unwrap_or(lines.text);
        let bounds = bounds_of(spelled, lines.spelling.is_some());
        let belong = scores.len() == count
            && lines.line_tokens.len() == count
            && bounds.len() == count + 1
            && options.limits.maximum_lines > 0
            && are_sound(&definitions, count);
        if !belong {
            return None;
        }
        let mut is_import = vec![false; count + 1];
        for &line in import_lines {
            if let Some(import) = is_import.get_mut(line) {
                *import = true;
            }
        }
        let chunks = chunk_text(
            &text,
            &definitions,
            &is_import,
            options.limits,
            lines.layout,
        );
        let of_chunks = chunks.iter().map(|chunk| score_of(chunk, scores)).collect();
        Some(Self {
            costs: costs_of(lines.line_tokens, lines.tokens),
            arrangement: Arrangement::new(
                chunks,
                of_chunks,
                &definitions,
                options.match_share,
                options.is_ordered,
            ),
            spelled: spelled.to_owned(),
            bounds,
            is_filled: text.is_filled,
            definitions,
            comment: options.comment,
        })
    }

    /// The chunks, in source order.
    #[must_use]
    pub fn chunks(&self) -> &[Chunk] {
        &self.arrangement.chunks
    }

    /// How much each chunk is about the task.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.arrangement.scores
    }

    /// Chooses what is worth most within the budget.
    ///
    /// Chunks are taken by falling score per tokens ** 0.3, ties to the earlier one; a chunk brings the signatures of
    /// the definitions around it. Then come the signatures of what is not shown (`structure_first`: they come first),
    /// then whatever else still fits.
    ///
    /// # Errors
    ///
    /// `check` asked to stop.
    pub fn choose(
        &self,
        budget_tokens: i64,
        structure_first: bool,
        counter: &mut Counter,
        check: Check<'_>,
    ) -> Result<ChosenLines, Error> {
        let mut chosen: Vec<Unit> = Vec::new();
        let mut pending = self.units(structure_first);
        let mut text = self.write_what_fits(&mut chosen, budget_tokens, counter, check)?;
        for _ in 0..ROUNDS {
            let left = budget_tokens.saturating_sub(text.tokens as i64) as f64;
            if !self.take(&mut pending, &mut chosen, &text.shown, left, check)? {
                break;
            }
            text = self.write_what_fits(&mut chosen, budget_tokens, counter, check)?;
        }
        if text.tokens as i64 > budget_tokens {
            text = ChosenLines {
                content: String::new(),
                shown: Vec::new(),
                tokens: 0,
            };
        }
        Ok(text)
    }

    fn units(&self, structure_first: bool) -> Vec<Unit> {
        let (chunks, scores) = (&self.arrangement.chunks, &self.arrangement.scores);
        let values: Vec<f64> = chunks
            .iter()
            .zip(scores)
            .map(|(chunk, &score)| {
                if score == 0.0 {
                    return score;
                }
                let cost = sum_exactly(&self.costs[chunk.first..=chunk.last]);
                score / (cost + FIXED_TOKENS).powf(LENGTH_EXPONENT)
            })
            .collect();
        let mut order: Vec<usize> = (0..chunks.len()).collect();
        order.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
        let mut units: Vec<Unit> = Vec::with_capacity(chunks.len() + self.definitions.len());
        let matching = order.iter().filter(|&&at| scores[at] > 0.0);
        units.extend(matching.map(|&at| Unit::Surrounded(at)));
        let matching = units.len();
        let signatures = self
            .definitions
            .iter()
            .filter(|one| one.role != DefinitionRole::Value);
        units.extend(signatures.map(|definition| Unit::Alone(definition.signature)));
        if structure_first {
            units.rotate_left(matching);
        }
        let others = order.iter().filter(|&&at| scores[at] <= 0.0);
        units.extend(others.map(|&at| Unit::Alone((chunks[at].first, chunks[at].last))));
        units
    }

    /// What a unit holds; it is found anew each time, since definitions may stand in each other without end.
    fn spans_of(&self, unit: Unit) -> impl Iterator<Item = Span> + '_ {
        let (span, owner) = match unit {
            Unit::Surrounded(at) => {
                let chunk = &self.arrangement.chunks[at];
                ((chunk.first, chunk.last), chunk.owner)
            }
            Unit::Alone(span) => (span, None),
        };
        let around = std::iter::successors(owner, |&number| self.definitions[number].parent);
        std::iter::once(span).chain(around.map(|number| self.definitions[number].signature))
    }

    fn lines_of(&self, unit: Unit) -> impl Iterator<Item = usize> + '_ {
        self.spans_of(unit).flat_map(|(first, last)| first..=last)
    }

    /// Moves units that fit from `pending` to `chosen`; says whether any moved.
    fn take(
        &self,
        pending: &mut Vec<Unit>,
        chosen: &mut Vec<Unit>,
        shown: &[Span],
        mut left: f64,
        check: Check<'_>,
    ) -> Result<bool, Error> {
        let mut is_hidden = vec![true; self.costs.len()];
        for &(first, last) in shown {
            is_hidden[first..=last].fill(false);
        }
        let mut kept = Vec::new();
        let mut has_moved = false;
        let mut waiting = std::mem::take(pending).into_iter();
        for unit in waiting.by_ref() {
            if check() {
                return Err(Error::Interrupted);
            }
            if left < MARKER_TOKENS {
                kept.push(unit);
                break;
            }
            let (mut cost, mut is_shown) = (0.0, true);
            for line in self.lines_of(unit).filter(|&line| is_hidden[line]) {
                cost += self.costs[line];
                is_shown = false;
            }
            if is_shown {
                continue;
            }
            cost += MARKER_TOKENS;
            if cost > left {
                kept.push(unit);
                continue;
            }
            left -= cost;
            for line in self.lines_of(unit) {
                is_hidden[line] = false;
            }
            chosen.push(unit);
            has_moved = true;
        }
        kept.extend(waiting);
        *pending = kept;
        Ok(has_moved)
    }

    /// The text of the chosen units, without the last ones where it would be too long.
    fn write_what_fits(
        &self,
        chosen: &mut Vec<Unit>,
        budget_tokens: i64,
        counter: &mut Counter,
        check: Check<'_>,
    ) -> Result<ChosenLines, Error> {
        loop {
            let (content, shown) = self.write(chosen);
            let tokens = count_tokens(counter, &content, check)?;
            if tokens as i64 <= budget_tokens || chosen.pop().is_none() {
                return Ok(ChosenLines {
                    content,
                    shown,
                    tokens,
                });
            }
        }
    }

    fn write(&self, chosen: &[Unit]) -> (String, Vec<Span>) {
        let mut spans: Vec<Span> = chosen
            .iter()
            .flat_map(|&unit| self.spans_of(unit))
            .collect();
        spans.sort_unstable();
        let joined = self.without_small_gaps(&spans);
        let shown: Vec<Span> = joined
            .into_iter()
            .filter_map(|span| self.trimmed(span))
            .collect();
        let count = self.costs.len() - 1;
        let sections = self.arrangement.order(&shown, count, &self.definitions);
        let pieces = self.pieces(&shown, &sections);
        (compose(&pieces, &sections), shown)
    }

    fn without_small_gaps(&self, spans: &[Span]) -> Vec<Span> {
        let mut joined: Vec<Span> = Vec::new();
        for &(first, last) in spans {
            match joined.last_mut() {
                Some(before)
                    if first <= before.1 + 1
                        || sum_exactly(&self.costs[before.1 + 1..first]) <= MARKER_TOKENS =>
                {
                    before.1 = before.1.max(last);
                }
                _ => joined.push((first, last)),
            }
        }
        joined
    }

    /// The span without blank lines at its ends.
    fn trimmed(&self, (first, last): Span) -> Option<Span> {
        let is_filled = |&line: &usize| self.is_filled[line];
        let last = last.min(self.is_filled.len() - 1);
        let begin = (first..=last).find(is_filled)?;
        let end = (first..=last).rev().find(is_filled)?;
        Some((begin, end))
    }

    /// First line and text of the shown lines and of a comment for each gap between them; a gap that a section ends in
    /// becomes two.
    fn pieces(&self, shown: &[Span], sections: &[Span]) -> Vec<(usize, String)> {
        let mut ends: Vec<usize> = sections.iter().map(|section| section.1).collect();
        ends.sort_unstable();
        let mut pieces = Vec::new();
        let mut following = 1;
        for &(first, last) in shown {
            let start = ends.partition_point(|&end| end < following);
            let stop = ends.partition_point(|&end| end + 1 < first).max(start);
            for &end in &ends[start..stop] {
                pieces.push((following, self.mark((following, end), following.max(2) - 1)));
                following = end + 1;
            }
            if following < first {
                pieces.push((following, self.mark((following, first - 1), first)));
            }
            let text = &self.spelled[self.bounds[first].0..self.bounds[last].1];
            pieces.push((first, format!("{text}\n")));
            following = last + 1;
        }
        let count = self.costs.len() - 1;
        if !shown.is_empty() && following <= count {
            pieces.push((following, self.mark((following, count), following - 1)));
        }
        pieces
    }

    /// The comment that stands for hidden lines, indented and ended like the line `near`.
    fn mark(&self, (first, last): Span, near: usize) -> String {
        let (start, end) = self.bounds[near];
        let line = &self.spelled[start..end];
        let indent = indent_of(line);
        let (before, after) = &self.comment;
        let ending = if line.ends_with('\r') { "\r\n" } else { "\n" };
        let numbers = numbers_of(first, last);
        format!("{indent}{before}... {numbers}{after}{ending}")
    }
}

/// The text of the pieces, section by section with a bridge line between them.
fn compose(pieces: &[(usize, String)], sections: &[Span]) -> String {
    let mut content = String::new();
    if sections.len() < 2 {
        content.extend(pieces.iter().map(|(_, text)| text.as_str()));
        return content;
    }
    for &(first, last) in sections {
        let start = pieces.partition_point(|piece| piece.0 < first);
        let end = pieces.partition_point(|piece| piece.0 <= last);
        if start < end && !content.is_empty() {
            content.push_str(BRIDGE);
        }
        content.extend(pieces[start..end].iter().map(|(_, text)| text.as_str()));
    }
    content
}

/// Where the lines stand, from 1; a final newline ends the last line, but joins lines where a text is nothing else.
fn bounds_of(text: &str, is_joined: bool) -> Vec<(usize, usize)> {
    let mut bounds = vec![(0, 0)];
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
        bounds.push((start, end));
        start = end + 1;
    }
    if is_joined || start < text.len() {
        bounds.push((start, text.len()));
    }
    bounds
}

/// Whether definitions stand where they can: spans ascend, parents come first, signatures are lines of the file.
fn are_sound(definitions: &[Definition], count: usize) -> bool {
    definitions.iter().enumerate().all(|(number, one)| {
        one.first >= 1
            && one.parent.is_none_or(|parent| parent < number)
            && (1..=count).contains(&one.signature.0)
            && one.signature.1 <= count
    })
}

/// Estimated tokens of lines from 1: exact per line, and the newlines' share spread evenly.
fn costs_of(line_tokens: &[u32], tokens: u64) -> Vec<f64> {
    let sum = line_tokens.iter().map(|&tokens| u64::from(tokens)).sum();
    let mut costs = vec![0.0];
    costs.extend(line_tokens.iter().map(|&tokens| f64::from(tokens)));
    spread_newlines(&mut costs[1..], sum, tokens);
    costs
}

fn score_of(chunk: &Chunk, scores: &[f64]) -> f64 {
    let own = &scores[chunk.first - 1..chunk.last];
    let best = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let average = sum_in_pairs(own) / own.len() as f64;
    #[expect(clippy::manual_midpoint, reason = "rounded as in the twin")]
    let middle = (best + average) / 2.0;
    middle
}

#[cfg(test)]
mod tests {
    use super::{ChunkLimits, ChunkOptions, ChunkedFile, FileLines, bounds_of};

    #[test]
    fn a_final_newline_ends_a_text_and_joins_lines() {
        assert_eq!(bounds_of("a\nbc\n", false), [(0, 0), (0, 1), (2, 4)]);
        assert_eq!(bounds_of("a\nbc\n", true), [(0, 0), (0, 1), (2, 4), (5, 5)]);
        assert_eq!(bounds_of("", false), [(0, 0)]);
        assert_eq!(bounds_of("", true), [(0, 0), (0, 0)]);
    }

    #[test]
    fn lines_without_costs_make_no_file() {
        let lines = FileLines {
            text: "a\nb\n",
            spelling: None,
            line_tokens: &[1],
            tokens: 3,
            layout: &[],
        };
        let options = ChunkOptions {
            limits: ChunkLimits {
                maximum_lines: 30,
                part_lines: 20,
                own_value_lines: 6,
            },
            is_ordered: true,
            match_share: 0.25,
            comment: ("# ".to_owned(), String::new()),
        };
        assert!(ChunkedFile::new(lines, &[0.0; 2], Vec::new(), &[], options.clone()).is_none());
        let lines = FileLines {
            line_tokens: &[1, 1],
            ..lines
        };
        let file = ChunkedFile::new(lines, &[0.0; 2], Vec::new(), &[], options);
        assert_eq!(file.map(|file| file.chunks().len()), Some(1));
    }
}
