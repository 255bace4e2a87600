//! How much each line of a file is about a task: words near it, and the definition that it stands in.

use std::collections::BTreeMap;

/// Where terms occur, ascending by line (from 0) and term, with which share of the term.
#[derive(Debug, Clone, Copy)]
pub struct Hits<'a> {
    /// Lines from 0.
    pub lines: &'a [i64],
    /// One per line.
    pub terms: &'a [i64],
    /// One per line.
    pub shares: &'a [f64],
}

/// The lines (from 1) of the definitions of a file, parents before what they hold.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionLines<'a> {
    /// First lines.
    pub first: &'a [i64],
    /// Last lines.
    pub last: &'a [i64],
    /// Number of the definition around, -1 for none.
    pub parents: &'a [i64],
    /// Weight of the terms in the name.
    pub named: &'a [f64],
}

/// Weights of what makes a score.
#[derive(Debug, Clone, Copy)]
pub struct LineWeights {
    /// What is left of a word's weight one line further on.
    pub decay: f64,
    /// Weight of the definition's score against that of the words near a line.
    pub definition: f64,
    /// Length from which on a definition's score falls.
    pub usual_length: f64,
    /// How much it falls with the length.
    pub length_power: f64,
    /// Further weight of a word in the definition's name.
    pub name: f64,
    /// Share of its score that a definition hands to those inside it.
    pub inherited: f64,
}

/// Returns the score of each line, 0 to 1; None where the arguments do not belong together.
///
/// The order of all sums is that of the twin.
#[must_use]
pub fn score_lines(
    count: usize,
    hits: Hits<'_>,
    weights: &[f64],
    definitions: DefinitionLines<'_>,
    options: LineWeights,
) -> Option<Vec<f64>> {
    let on_line = sum_by_line(count, hits, weights)?;
    let mut scores = smooth(&on_line, options.decay);
    let owners = owners(count, definitions)?;
    let of_definition = score_definitions(hits, weights, definitions, &owners, options)?;
    for (score, owner) in scores.iter_mut().zip(&owners) {
        if let Some(owner) = *owner {
            *score += options.definition * of_definition[owner];
        }
    }
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best = best.max(1e-300);
    for score in &mut scores {
        *score /= best;
    }
    Some(scores)
}

fn sum_by_line(count: usize, hits: Hits<'_>, weights: &[f64]) -> Option<Vec<f64>> {
    if hits.lines.len() != hits.terms.len() || hits.lines.len() != hits.shares.len() {
        return None;
    }
    let mut on_line = vec![0.0; count];
    for ((&line, &term), share) in hits.lines.iter().zip(hits.terms).zip(hits.shares) {
        let weight = weights.get(usize::try_from(term).ok()?)?;
        *on_line.get_mut(usize::try_from(line).ok()?)? += weight * share;
    }
    Some(on_line)
}

/// The sum over all lines of value * decay ** distance, in two passes.
fn smooth(values: &[f64], decay: f64) -> Vec<f64> {
    let mut before = 0.0;
    let mut both: Vec<f64> = values
        .iter()
        .map(|value| {
            before = value + decay * before;
            before
        })
        .collect();
    let mut after = 0.0;
    for (sum, value) in both.iter_mut().zip(values).rev() {
        after = value + decay * after;
        *sum = *sum + after - value;
    }
    both
}

/// The innermost definition of each line.
fn owners(count: usize, definitions: DefinitionLines<'_>) -> Option<Vec<Option<usize>>> {
    let mut owners = vec![None; count];
    for (number, (&first, &last)) in definitions.first.iter().zip(definitions.last).enumerate() {
        let start = usize::try_from(first.checked_sub(1)?).ok()?;
        let end = usize::try_from(last).ok()?.min(count);
        if start < end {
            owners[start..end].fill(Some(number));
        }
    }
    Some(owners)
}

fn score_definitions(
    hits: Hits<'_>,
    weights: &[f64],
    definitions: DefinitionLines<'_>,
    owners: &[Option<usize>],
    options: LineWeights,
) -> Option<Vec<f64>> {
    let count = definitions.first.len();
    if [definitions.last.len(), definitions.parents.len()] != [count; 2]
        || definitions.named.len() != count
    {
        return None;
    }
    let mut lines_with: BTreeMap<(usize, i64), u32> = BTreeMap::new();
    for (&line, &term) in hits.lines.iter().zip(hits.terms) {
        if let Some(owner) = owners[line as usize] {
            *lines_with.entry((owner, term)).or_default() += 1;
        }
    }
    let mut scores = vec![0.0; count];
    for ((owner, term), lines) in lines_with {
        let lines = f64::from(lines);
        scores[owner] += weights[term as usize] * lines / (lines + 1.0);
    }
    for number in 0..count {
        let length = definitions.last[number]
            .checked_sub(definitions.first[number])?
            .checked_add(1)?;
        let mut score = scores[number]
            / (1.0 + length as f64 / options.usual_length).powf(options.length_power);
        score += options.name * definitions.named[number];
        if definitions.parents[number] >= 0 {
            score += options.inherited * scores.get(definitions.parents[number] as usize)?;
        }
        scores[number] = score;
    }
    Some(scores)
}
