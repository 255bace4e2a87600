//! What lines cost in tokens, and how surprising they are.

use ctxsieve_kernels::{Error, mean_bits};
use ctxsieve_tokens::{
    COST_UNITS_PER_BIT, Calibration, CountedText, Counter, DAMPING_TOKENS, Interrupted, Path, Total,
};

use crate::nodes::Node;
use crate::sums::sum_exactly;

/// What a marker costs about.
pub(crate) const MARKER_TOKENS: f64 = 8.0;

pub(crate) type Check<'a> = &'a mut dyn FnMut() -> bool;

fn counted<T>(result: Result<T, Interrupted>) -> Result<T, Error> {
    result.map_err(|Interrupted| Error::Interrupted)
}

/// Tokens of a text.
pub(crate) fn count_tokens(
    counter: &mut Counter,
    text: &str,
    check: Check<'_>,
) -> Result<u64, Error> {
    let mut stop = || if check() { Err(Interrupted) } else { Ok(()) };
    Ok(counted(counter.count(text, &mut stop))?.tokens)
}

/// Tokens of a text and of its lines.
pub(crate) fn count_text(
    counter: &mut Counter,
    text: &str,
    check: Check<'_>,
) -> Result<CountedText, Error> {
    let mut stop = || if check() { Err(Interrupted) } else { Ok(()) };
    counted(counter.count_text(text, &mut stop))
}

/// Estimated tokens of lines: exact per line, and the newlines' share spread evenly.
#[derive(Debug)]
pub(crate) struct LineCosts {
    /// Lines count from 1.
    by_line: Vec<f64>,
}

impl LineCosts {
    pub(crate) fn new(counted: &CountedText) -> Self {
        let mut by_line = vec![0.0];
        by_line.extend(counted.alone.iter().map(|&tokens| f64::from(tokens)));
        let sum = counted.alone.iter().map(|&tokens| u64::from(tokens)).sum();
        spread_newlines(&mut by_line[1..], sum, counted.tokens());
        Self { by_line }
    }

    pub(crate) fn of_line(&self, line: usize) -> f64 {
        self.by_line.get(line).copied().unwrap_or(0.0)
    }

    /// The tokens of the lines from `first` to `last`.
    pub(crate) fn of(&self, first: usize, last: usize) -> f64 {
        let end = (last + 1).min(self.by_line.len());
        sum_exactly(&self.by_line[first.min(end)..end])
    }
}

/// Adds to the tokens of lines taken alone, of which `sum` is the sum, what all lines together have beyond it.
pub(crate) fn spread_newlines(by_line: &mut [f64], sum: u64, tokens: u64) {
    let newline = ((tokens as f64 - sum as f64) / by_line.len().max(1) as f64).max(0.0);
    for cost in by_line {
        *cost += newline;
    }
}

/// The nodes with their surprise, rising, ties to the earlier one: the mean over their lines, weighed by tokens.
pub(crate) fn order_by_surprise(
    counter: &mut Counter,
    source: &str,
    nodes: Vec<Node>,
    check: Check<'_>,
) -> Result<Vec<(f64, Node)>, Error> {
    if nodes.is_empty() {
        return Ok(Vec::new());
    }
    let calibration = Calibration::shipped();
    let mut stop = || if check() { Err(Interrupted) } else { Ok(()) };
    let (mut weighted, mut tokens_before) = (Vec::new(), vec![0_u64]);
    let emit = |Total { tokens, cost }| {
        let damped = mean_bits(cost, tokens + DAMPING_TOKENS, COST_UNITS_PER_BIT);
        weighted.push(calibration.normalise(damped) * tokens as f64);
        tokens_before.push(tokens_before[tokens_before.len() - 1] + tokens);
    };
    counted(counter.total_bodies(Path::detect(), source.as_bytes(), &mut stop, emit))?;
    let mut scored: Vec<(f64, Node)> = nodes
        .into_iter()
        .map(|node| {
            let (first, last) = (node.first_line - 1, node.last_line);
            let tokens = tokens_before[last] - tokens_before[first];
            let mean = if tokens == 0 {
                0.0
            } else {
                sum_exactly(&weighted[first..last]) / tokens as f64
            };
            (mean, node)
        })
        .collect();
    scored.sort_by(|(one, a), (other, b)| {
        one.total_cmp(other)
            .then((a.start, a.end).cmp(&(b.start, b.end)))
    });
    Ok(scored)
}
