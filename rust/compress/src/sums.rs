//! Sums of the same bits as in the twin.

/// The sum, rounded once: Shewchuk, Adaptive precision floating-point arithmetic (1997), with ties to even.
pub(crate) fn sum_exactly(values: &[f64]) -> f64 {
    let mut partials: Vec<f64> = Vec::new();
    for &value in values {
        let (mut sum, mut kept) = (value, 0);
        for at in 0..partials.len() {
            let mut other = partials[at];
            if sum.abs() < other.abs() {
                std::mem::swap(&mut sum, &mut other);
            }
            let high = sum + other;
            let low = other - (high - sum);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            sum = high;
        }
        partials.truncate(kept);
        partials.push(sum);
    }
    let Some(mut high) = partials.pop() else {
        return 0.0;
    };
    while let Some(other) = partials.pop() {
        let before = high;
        high = before + other;
        let low = other - (high - before);
        if low == 0.0 {
            continue;
        }
        // Half a unit, and more of the same sign below it: the sum is on the other side of the middle.
        if partials.last().is_some_and(|next| next * low > 0.0) {
            let doubled = low * 2.0;
            let rounded = high + doubled;
            if rounded - high == doubled {
                high = rounded;
            }
        }
        break;
    }
    high
}

/// The sum in the order of `numpy.add.reduce`.
pub(crate) fn sum_in_pairs(values: &[f64]) -> f64 {
    let count = values.len();
    if count < 8 {
        return values.iter().fold(-0.0, |sum, value| sum + value);
    }
    if count > 128 {
        let half = count / 2 - count / 2 % 8;
        return sum_in_pairs(&values[..half]) + sum_in_pairs(&values[half..]);
    }
    let mut sums = [0.0; 8];
    let groups = values.chunks_exact(8);
    let rest = groups.remainder();
    for (at, group) in groups.enumerate() {
        for (sum, value) in sums.iter_mut().zip(group) {
            *sum = if at == 0 { *value } else { *sum + value };
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
    rest.iter().fold(sum, |sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::{sum_exactly, sum_in_pairs};

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(sum_exactly(&[]), 0.0);
        assert_eq!(sum_exactly(&[0.1; 10]), 1.0);
        assert_eq!(sum_exactly(&[1e16, 1.0, -1e16]), 1.0);
        assert_eq!(sum_exactly(&[1e16, 1.0, 1e-16]), 1e16 + 2.0);
        assert_eq!(sum_exactly(&[1.0, 1e100, 1.0, -1e100]), 2.0);
    }

    #[test]
    fn sums_are_grouped_by_eight() {
        assert_eq!(sum_in_pairs(&[1.0; 300]), 300.0);
        // In order all ones would be lost.
        let values = [[1e16, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0; 8]].concat();
        assert_eq!(sum_in_pairs(&values), 1e16 + 1.0 + 1.0);
        let values = [[1e16, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0; 8]].concat();
        assert_eq!(sum_in_pairs(&values), 1e16 + 2.0);
    }
}
