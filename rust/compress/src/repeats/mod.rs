//! Which repeats are left out of an answer, and where each stands already.
//!
//! The twin is `ctxsieve.dedup`, which says why each rule is as it is.

mod costs;
mod kept_names;
mod planner;
mod standing;
mod texts;

use ctxsieve_kernels::{Error, Lines, Selection, mmr, mmr_in_order_of_texts};
use ctxsieve_tokens::Counter;

use crate::WideCharacters;
use crate::costs::Check;
use crate::sharing::share_out;
use costs::CostSums;
use planner::Planner;
use standing::{NOT_SHOWN, Shown, Standing};
use texts::{Texts, as_lines};

/// One file's part in an answer.
#[derive(Debug, Clone, Copy)]
pub struct LoadedFile<'a> {
    /// All of it.
    pub text: &'a str,
    /// What marks call it.
    pub place: &'a str,
    /// First and last line of what stands in the answer, in the order in which it stands there.
    pub shown: &'a [u32],
    /// Share of the task's terms on each line; empty where no line has any.
    pub term_shares: &'a [f64],
    /// What its lines cost.
    pub costs: Costs<'a>,
    /// What begins and ends a comment, the former alone in languages of line comments, nothing in texts without any.
    pub comment: (&'a str, &'a str),
    /// Nothing of it may go.
    pub is_verbatim: bool,
    /// A node may go of which some lines do not stand in the answer anyway.
    pub crosses_gaps: bool,
    /// Only what stands there word by word is a repeat.
    pub is_exact: bool,
    /// The share of its names that may go with its repeats, any without it.
    pub lost_names: Option<f64>,
}

/// Tokens of lines.
#[derive(Debug, Clone, Copy)]
pub enum Costs<'a> {
    /// Of each line.
    Lines(&'a [f64]),
    /// Those that they have in a text, in which each gap is one line.
    Text {
        /// It has the shown lines in source order.
        content: &'a str,
        /// All of it.
        tokens: u64,
        /// First and last line of each gap.
        gaps: &'a [u32],
    },
}

/// How repeats are told from others; `ctxsieve.dedup.DedupOptions` explains them.
#[derive(Debug, Clone, Copy)]
pub struct RepeatOptions {
    /// The lambda of maximal marginal relevance.
    pub relevance_weight: f64,
    /// Relevance of a line without terms of the task.
    pub least_relevance: f64,
    /// What a mark saves at least.
    pub least_gain_tokens: u32,
    /// So many lines are selected by relevance and similarity, more are gone through once.
    pub lines_together: usize,
}

/// Lines of one file that stand elsewhere already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeat {
    /// The file.
    pub file: u32,
    /// Its first and last line that goes.
    pub hidden: (u32, u32),
    /// Where these lines stand.
    pub place: u32,
    /// The first and last line there.
    pub lines: (u32, u32),
    /// Whether the text is the same but for white space, line for line.
    pub is_same: bool,
}

/// The search for repeats in one answer, file by file.
#[derive(Debug)]
pub struct RepeatSearch {
    files: Vec<File>,
    standing: Standing,
    options: RepeatOptions,
    following: usize,
    waiting: Option<(usize, Vec<Span>)>,
    repeats: Vec<Repeat>,
}

/// First and last line.
type Span = (u32, u32);

/// A file as the planner needs it.
#[derive(Debug)]
struct File {
    /// By line the number of what it says.
    texts: Vec<u32>,
    is_indented: Vec<bool>,
    /// By line its number in the answer.
    numbers: Vec<u32>,
    shown: Vec<Span>,
    costs: CostSums,
    place: String,
    comment: (String, String),
    is_verbatim: bool,
    crosses_gaps: bool,
    is_exact: bool,
    lost_names: Option<f64>,
}

impl RepeatSearch {
    /// Reads the files of an answer, in as many threads as there are counters.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when lines, shares or costs do not belong to the texts, [`Error::Interrupted`] when `check`
    /// says so.
    pub fn new(
        files: &[LoadedFile<'_>],
        options: RepeatOptions,
        counters: &mut [Counter],
        check: &mut dyn FnMut() -> bool,
    ) -> Result<Self, Error> {
        let sources: Vec<&str> = files.iter().map(|file| file.text).collect();
        let (texts, read) = Texts::read(&sources, counters.len(), check)?;
        let mut made = Vec::with_capacity(files.len());
        let (mut shown, mut starts, mut relevance) = (Vec::new(), vec![0], Vec::new());
        for (file, lines) in files.iter().zip(read) {
            let spans = checked_spans("shown", file.shown, lines.numbers.len() - 1)?;
            let share_of = shares_of(file, lines.numbers.len() - 1)?;
            let mut numbers = vec![NOT_SHOWN; lines.numbers.len()];
            for line in spans.iter().flat_map(|&(first, last)| first..=last) {
                numbers[line as usize] = shown.len() as u32;
                shown.push(Shown {
                    file: made.len() as u32,
                    line,
                    text: lines.numbers[line as usize],
                });
                let by_share =
                    options.least_relevance + (1.0 - options.least_relevance) * share_of(line);
                relevance.push(if file.is_verbatim {
                    1.0
                } else {
                    by_share.min(1.0)
                });
            }
            starts.push(shown.len());
            made.push(File {
                texts: lines.numbers,
                is_indented: lines.is_indented,
                numbers,
                shown: spans,
                costs: CostSums::default(),
                place: file.place.to_owned(),
                comment: (file.comment.0.to_owned(), file.comment.1.to_owned()),
                is_verbatim: file.is_verbatim,
                crosses_gaps: file.crosses_gaps,
                is_exact: file.is_exact,
                lost_names: file.lost_names,
            });
        }
        let (selection, sums) = share_out(
            files.len(),
            counters,
            |check| select(&texts, &shown, &relevance, options, check),
            |counter, index, check| CostSums::new(&files[index], counter, check),
            check,
        )?;
        for (file, sums) in made.iter_mut().zip(sums) {
            file.costs = sums;
        }
        Ok(Self {
            files: made,
            standing: Standing::new(shown, starts, selection, texts.count()),
            options,
            following: 0,
            waiting: None,
            repeats: Vec::new(),
        })
    }

    /// The next file with runs of redundant lines that are worth a mark: it has to be planned before the search goes on.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`] when `check` says so.
    pub fn next_file(&mut self, check: &mut dyn FnMut() -> bool) -> Result<Option<usize>, Error> {
        while self.waiting.is_none() && self.following < self.files.len() {
            let number = self.following;
            self.following += 1;
            self.standing.add(number);
            if check() {
                return Err(Error::Interrupted);
            }
            if !self.files[number].is_verbatim {
                let runs = self.planner(number).redundant_runs();
                if !runs.is_empty() {
                    self.waiting = Some((number, runs));
                }
            }
        }
        Ok(self.waiting.as_ref().map(|&(number, _)| number))
    }

    /// Plans what goes from the file that [`Self::next_file`] named.
    ///
    /// `nodes` are first and last line of everything that may go as a whole, `comments` of comments and documentation.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when the text or the lines are not those of the file or no file waits, [`Error::Interrupted`]
    /// when `check` says so.
    pub fn plan(
        &mut self,
        text: &str,
        nodes: &[u32],
        comments: &[u32],
        wide: WideCharacters<'_>,
        counter: &mut Counter,
        check: &mut dyn FnMut() -> bool,
    ) -> Result<(), Error> {
        let Some((number, runs)) = self.waiting.take() else {
            return Err(Error::Invalid("no file waits to be planned".to_owned()));
        };
        let count = self.files[number].texts.len() - 1;
        let lines = texts::count_lines(text);
        if lines != count {
            return Err(Error::Invalid(format!(
                "the text has {lines} lines: it must have {count} as before"
            )));
        }
        let mut nodes = checked_spans("nodes", nodes, count)?;
        nodes.sort_unstable_by_key(|&(first, last)| (first, std::cmp::Reverse(last)));
        let comments = checked_spans("comments", comments, count)?;
        let mut planner = self.planner(number);
        planner.look_at(text, &comments, wide);
        planner.plan(&runs, &nodes, counter, check)
    }

    /// What goes: by file, and in the order of its shown lines.
    #[must_use]
    pub fn repeats(&self) -> &[Repeat] {
        &self.repeats
    }

    fn planner(&mut self, number: usize) -> Planner<'_> {
        Planner::new(
            number,
            &self.files,
            &mut self.standing,
            self.options.least_gain_tokens,
            &mut self.repeats,
        )
    }
}

fn select(
    texts: &Texts,
    shown: &[Shown],
    relevance: &[f64],
    options: RepeatOptions,
    check: Check<'_>,
) -> Result<Selection, Error> {
    if shown.len() <= options.lines_together {
        let lines = texts.joined(shown.iter().map(|one| one.text));
        let lines: Lines<'_> = as_lines(&lines);
        let most = shown.len() as u64;
        return mmr(lines, relevance, options.relevance_weight, most, check);
    }
    // Each text is looked at once, however often it is shown.
    let mut number_of = vec![u32::MAX; texts.count()];
    let mut chosen = Vec::new();
    let mut line_texts = Vec::with_capacity(shown.len());
    for one in shown {
        let number = &mut number_of[one.text as usize];
        if *number == u32::MAX {
            *number = chosen.len() as u32;
            chosen.push(one.text);
        }
        line_texts.push(*number);
    }
    let joined = texts.joined(chosen.into_iter());
    let weight = options.relevance_weight;
    mmr_in_order_of_texts(as_lines(&joined), &line_texts, relevance, weight, check)
}

fn shares_of<'a>(file: &LoadedFile<'a>, count: usize) -> Result<impl Fn(u32) -> f64 + 'a, Error> {
    let shares = file.term_shares;
    if !shares.is_empty() && shares.len() != count {
        return Err(Error::Invalid(format!(
            "there are {} term shares for {count} lines: they must be equal in number",
            shares.len()
        )));
    }
    Ok(move |line: u32| shares.get(line as usize - 1).copied().unwrap_or(0.0))
}

/// Pairs of first and last lines, which have to stand in a file of so many lines.
fn checked_spans(name: &str, flat: &[u32], count: usize) -> Result<Vec<Span>, Error> {
    let spans: Vec<Span> = flat
        .chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .collect();
    let is_inside = |&(first, last): &Span| first >= 1 && first <= last && last as usize <= count;
    match spans.iter().find(|span| !is_inside(span)) {
        Some((first, last)) => Err(Error::Invalid(format!(
            "{name} has the lines {first} to {last}: they must be lines of the file, which has {count}"
        ))),
        None => Ok(spans),
    }
}
