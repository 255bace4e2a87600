//! What the lines of a file cost in the text in which they stand.

use ctxsieve_kernels::Error;
use ctxsieve_tokens::{Counter, Interrupted, Total};

use super::{Costs, LoadedFile, Span, checked_spans};
use crate::costs::{Check, spread_newlines};

/// Sums over the lines before each line; empty for files of which nothing may go.
#[derive(Debug, Default)]
pub(super) struct CostSums {
    before: Vec<f64>,
}

impl CostSums {
    pub(super) fn new(
        file: &LoadedFile<'_>,
        counter: &mut Counter,
        check: Check<'_>,
    ) -> Result<Self, Error> {
        if file.is_verbatim {
            return Ok(Self::default());
        }
        let count = super::texts::count_lines(file.text);
        let by_line = match file.costs {
            Costs::Lines(costs) if costs.len() == count => costs.to_vec(),
            Costs::Lines(costs) => {
                return Err(Error::Invalid(format!(
                    "there are costs of {} lines for {count} lines: they must be equal in number",
                    costs.len()
                )));
            }
            Costs::Text {
                content,
                tokens,
                gaps,
            } => {
                let shown = checked_spans("shown", file.shown, count)?;
                let gaps = checked_spans("gaps", gaps, count)?;
                let counted = costs_in_text(content, tokens, counter, check)?;
                by_source_line(&counted, &shown, &gaps, count)?
            }
        };
        let mut before = Vec::with_capacity(count + 1);
        let mut sum = 0.0;
        before.push(sum);
        for cost in by_line {
            sum += cost;
            before.push(sum);
        }
        Ok(Self { before })
    }

    /// The tokens of the lines from the first to the last.
    pub(super) fn of(&self, (first, last): Span) -> f64 {
        self.before[last as usize] - self.before[first as usize - 1]
    }
}

fn costs_in_text(
    content: &str,
    tokens: u64,
    counter: &mut Counter,
    check: Check<'_>,
) -> Result<Vec<f64>, Error> {
    let mut stop = || if check() { Err(Interrupted) } else { Ok(()) };
    let (mut costs, mut sum) = (Vec::new(), 0);
    let add = |Total { tokens, .. }| {
        costs.push(tokens as f64);
        sum += tokens;
    };
    counter
        .total_lines(content.as_bytes(), &mut stop, add)
        .map_err(|Interrupted| Error::Interrupted)?;
    spread_newlines(&mut costs, sum, tokens);
    Ok(costs)
}

/// The costs of a text by the lines of its source: shown lines cost what they cost there, a gap at its first line.
fn by_source_line(
    counted: &[f64],
    shown: &[Span],
    gaps: &[Span],
    count: usize,
) -> Result<Vec<f64>, Error> {
    let mut spans: Vec<(u32, usize)> = shown
        .iter()
        .map(|&(first, last)| (first, (last - first) as usize + 1))
        .chain(gaps.iter().map(|&(first, _)| (first, 1)))
        .collect();
    spans.sort_unstable();
    let mut by_line = vec![0.0; count];
    let mut at = 0;
    for (first, length) in spans {
        let Some(costs) = counted.get(at..at + length) else {
            break;
        };
        let first = first as usize - 1;
        by_line[first..first + length].copy_from_slice(costs);
        at += length;
    }
    if at != counted.len() {
        return Err(Error::Invalid(format!(
            "the text of {} lines is not that of the lines shown, and one for each gap",
            counted.len()
        )));
    }
    Ok(by_line)
}
