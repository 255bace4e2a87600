//! Selected sets by size, and where a look finds those that are new to it.

use super::planes::{LANES, Plane};

/// Selected sets of nearly equal size, in the order they were selected, 512 to a block of planes.
pub(super) struct Bucket {
    pub(super) smallest: usize,
    pub(super) largest: usize,
    pub(super) sequences: Vec<u32>,
    /// Blocks of as many planes as the layout has: bit `i` says that set `i` of the block holds a bigram of the plane.
    pub(super) planes: Vec<Plane>,
}

impl Bucket {
    /// Appends the visits of all blocks that have sets selected from `seen` on.
    pub(super) fn plan(&self, bucket: usize, seen: u32, visits: &mut Vec<Visit>) {
        let total = self.sequences.len();
        let mut begin = first_from(&self.sequences, seen);
        while begin < total {
            let end = total.min((begin / LANES + 1) * LANES);
            visits.push(Visit { bucket, begin, end });
            begin = end;
        }
    }
}

/// The position of the first of rising sequences that is not less than `seen`: looked for from the end, where it most
/// often is.
pub(super) fn first_from(sequences: &[u32], seen: u32) -> usize {
    let mut reach = 1;
    while reach < sequences.len() && sequences[sequences.len() - reach] >= seen {
        reach *= 2;
    }
    let begin = sequences.len().saturating_sub(reach);
    begin + sequences[begin..].partition_point(|&sequence| sequence < seen)
}

/// Sets of one block to be compared with: positions within their bucket.
pub(super) struct Visit {
    pub(super) bucket: usize,
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// Returns the bucket of a size, made when it is not there yet; buckets stand by rising size.
pub(super) fn bucket_for(buckets: &mut Vec<Bucket>, size: usize) -> &mut Bucket {
    let at = buckets.partition_point(|bucket| bucket.largest < size);
    if buckets.get(at).is_none_or(|bucket| bucket.smallest > size) {
        // Four sizes to an octave: a bound for the smallest size of a bucket is good for all of them.
        let width = 1 << (size.ilog2().saturating_sub(2));
        let smallest = size / width * width;
        let largest = smallest + width - 1;
        buckets.insert(
            at,
            Bucket {
                smallest,
                largest,
                sequences: Vec::new(),
                planes: Vec::new(),
            },
        );
    }
    &mut buckets[at]
}

#[cfg(test)]
mod tests {
    use super::first_from;

    #[test]
    fn the_first_from_a_sequence_is_that_of_a_plain_search() {
        let sequences: Vec<u32> = (0..40).map(|number| 3 * number + 2).collect();
        for length in 0..sequences.len() {
            for seen in 0..130 {
                let plain = sequences[..length]
                    .iter()
                    .filter(|&&sequence| sequence < seen)
                    .count();
                assert_eq!(first_from(&sequences[..length], seen), plain);
            }
        }
    }
}
