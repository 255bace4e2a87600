//! Predictive surprise: the kernel over costs, and the fused path over lines of text.

use std::sync::atomic::{AtomicBool, Ordering};

use ctxsieve_kernels::mean_bits;
use ctxsieve_tokens::{
    COST_UNITS_PER_BIT, Calibration, Check, Counter, DAMPING_TOKENS, Interrupted, Path, Total,
    count_lines_of_each, divide,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::border::{Borrowed, run};
use crate::tokens::{check_result, return_counters, take_counters};

#[pyfunction]
#[pyo3(signature = (costs, offsets, *, units_per_bit))]
pub(crate) fn surprise<'py>(
    py: Python<'py>,
    costs: &Bound<'py, PyAny>,
    offsets: &Bound<'py, PyAny>,
    units_per_bit: f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let costs = Borrowed::<u32>::get("costs", costs)?;
    let offsets = Borrowed::<i64>::get("offsets", offsets)?;
    let bits = run(py, "surprise", |check| {
        ctxsieve_kernels::surprise(costs.slice(), offsets.slice(), units_per_bit, check)
    })?;
    Ok(bits.into_pyarray(py))
}

/// The scores of some lines, filled in order.
struct Scores<'a> {
    bits: &'a mut [f64],
    tokens: &'a mut [u32],
    normalised: &'a mut [f64],
}

impl<'a> Scores<'a> {
    fn split_at(self, lines: usize) -> (Scores<'a>, Scores<'a>) {
        let (bits, other_bits) = self.bits.split_at_mut(lines);
        let (tokens, other_tokens) = self.tokens.split_at_mut(lines);
        let (normalised, other_normalised) = self.normalised.split_at_mut(lines);
        let rest = Scores {
            bits: other_bits,
            tokens: other_tokens,
            normalised: other_normalised,
        };
        (
            Scores {
                bits,
                tokens,
                normalised,
            },
            rest,
        )
    }
}

type LineArrays<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
);

/// Bits, tokens and normalised scores of the lines of all buffers, and where those of each buffer start.
#[pyfunction]
#[pyo3(signature = (buffers, *, threads))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "sequences are extracted, not borrowed"
)]
pub(crate) fn surprise_lines<'py>(
    py: Python<'py>,
    buffers: Vec<Bound<'py, PyBytes>>,
    threads: usize,
) -> PyResult<LineArrays<'py>> {
    let slices: Vec<&[u8]> = buffers.iter().map(PyBytesMethods::as_bytes).collect();
    let parts = divide(&slices, threads);
    let mut counters = take_counters(py, parts.len())?;
    let scored = run(py, "surprise_lines", |check| {
        let mut stopped = || if check() { Err(Interrupted) } else { Ok(()) };
        let counts = check_result(count_lines_of_each(&slices, &mut stopped))?;
        let lines = counts.iter().sum();
        let (mut bits, mut tokens) = (vec![0.0; lines], vec![0; lines]);
        let mut normalised = vec![0.0; lines];
        let scores = Scores {
            bits: &mut bits,
            tokens: &mut tokens,
            normalised: &mut normalised,
        };
        check_result(score_parts(&parts, &mut counters, scores, &mut stopped))?;
        Ok((bits, tokens, normalised, counts))
    });
    return_counters(counters);
    let (bits, tokens, normalised, counts) = scored?;
    let mut offsets = vec![0_i64];
    for lines in counts {
        offsets.push(offsets[offsets.len() - 1] + lines as i64);
    }
    Ok((
        bits.into_pyarray(py),
        tokens.into_pyarray(py),
        normalised.into_pyarray(py),
        offsets.into_pyarray(py),
    ))
}

/// Scores the first part here, where signals are looked for, and the others in threads of their own.
fn score_parts(
    parts: &[Vec<&[u8]>],
    counters: &mut [Counter],
    scores: Scores<'_>,
    check: Check<'_>,
) -> Result<(), Interrupted> {
    let calibration = Calibration::shipped();
    let stop = AtomicBool::new(false);
    let mut work = vec![];
    let mut rest = scores;
    for (number, (part, counter)) in parts.iter().zip(counters).enumerate() {
        let lines = if number + 1 == parts.len() {
            rest.bits.len()
        } else {
            count_lines_of_each(part, check)?.iter().sum()
        };
        let (own, others) = rest.split_at(lines);
        work.push((part.as_slice(), counter, own));
        rest = others;
    }
    let mut work = work.into_iter();
    let Some((pieces, counter, own)) = work.next() else {
        return Ok(());
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = work
            .map(|(pieces, counter, own)| {
                let (calibration, stop) = (&calibration, &stop);
                scope.spawn(move || {
                    let mut stopped = || {
                        if stop.load(Ordering::Relaxed) {
                            Err(Interrupted)
                        } else {
                            Ok(())
                        }
                    };
                    score_part(pieces, counter, own, calibration, &mut stopped)
                })
            })
            .collect();
        let mut done = score_part(pieces, counter, own, &calibration, check);
        stop.store(done.is_err(), Ordering::Relaxed);
        for worker in workers {
            done = done.and(
                worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        done
    })
}

fn score_part(
    pieces: &[&[u8]],
    counter: &mut Counter,
    scores: Scores<'_>,
    calibration: &Calibration,
    check: Check<'_>,
) -> Result<(), Interrupted> {
    let path = Path::detect();
    let mut rows = scores
        .bits
        .iter_mut()
        .zip(scores.tokens)
        .zip(scores.normalised);
    for piece in pieces {
        counter.total_bodies(path, piece, check, |Total { tokens, cost }| {
            if let Some(((bits, count), normalised)) = rows.next() {
                *bits = mean_bits(cost, tokens, COST_UNITS_PER_BIT);
                *count = tokens as u32;
                let damped = mean_bits(cost, tokens + DAMPING_TOKENS, COST_UNITS_PER_BIT);
                *normalised = calibration.normalise(damped);
            }
        })?;
    }
    Ok(())
}
