//! The final partition: communities made connected, and how good they are.

use super::Objective;
use super::level::{Level, number_by_first_appearance};
use crate::csr::STRIDE;
use crate::error::{Error, poll};

/// Gives the components of each community labels of their own, by first appearance.
pub(super) fn split_disconnected(
    level: &Level<'_>,
    labels: &mut [u32],
    check: &mut dyn FnMut() -> bool,
) -> Result<(), Error> {
    let mut parents: Vec<u32> = (0..labels.len() as u32).collect();
    let mut work = 0;
    for node in 0..labels.len() {
        let (columns, weights) = level.row(node);
        for (&column, &weight) in columns.iter().zip(weights) {
            if labels[column as usize] == labels[node] && weight > 0.0 {
                join(&mut parents, node as u32, column);
            }
        }
        work += columns.len() + 1;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
    }
    for (node, label) in labels.iter_mut().enumerate() {
        *label = root(&mut parents, node as u32);
    }
    number_by_first_appearance(labels);
    Ok(())
}

/// Returns the smallest node known to be connected, halving the path on the way.
fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let above = parents[parents[node as usize] as usize];
        parents[node as usize] = above;
        node = above;
    }
    node
}

fn join(parents: &mut [u32], one: u32, other: u32) {
    let one = root(parents, one);
    let other = root(parents, other);
    parents[one.max(other) as usize] = one.min(other);
}

pub(super) fn modularity(
    level: &Level<'_>,
    strengths: &[f64],
    objective: &Objective,
    labels: &[u32],
    check: &mut dyn FnMut() -> bool,
) -> Result<f64, Error> {
    let count = labels.iter().max().map_or(0, |&label| label as usize + 1);
    let mut inside = vec![0.0; count];
    let mut totals = vec![0.0; count];
    let mut work = 0;
    for node in 0..labels.len() {
        let own = labels[node];
        totals[own as usize] += strengths[node];
        let (columns, weights) = level.row(node);
        for (&column, &weight) in columns.iter().zip(weights) {
            if labels[column as usize] == own {
                inside[own as usize] += weight;
            }
        }
        work += columns.len() + 1;
        if work >= STRIDE {
            poll(check)?;
            work = 0;
        }
    }
    let mut sum = 0.0;
    for (&inner, &outer) in inside.iter().zip(&totals) {
        let share: f64 = outer / objective.total;
        sum += inner / objective.total - objective.resolution * (share * share);
    }
    Ok(sum)
}
