//! Totals of pre-tokens that are not remembered yet.
//!
//! What they cost is waiting, for memory and for mispredicted branches. So they are gathered; what one needs is asked
//! for while the others are worked on.

use crate::cache::slot_of;
use crate::counter::{Total, total_of_id};
use crate::lane::Lane;
use crate::short_tokens::Asked;
use crate::simd::prefetch;
use crate::vocabulary::{NO_TOKEN, Vocabulary};

/// So many pre-tokens are merged in turns.
const LANES: usize = 8;
/// Of the keys of one hash, the last is recognised when it is met again.
const RECENT_BITS: u32 = 8;

/// Pre-tokens that are not remembered, and where they were met.
#[derive(Debug)]
pub(crate) struct Misses {
    keys: Vec<u128>,
    /// One for every key, as the totals.
    asked: Vec<Asked>,
    totals: Vec<Total>,
    /// Where one was met, and its number among the keys.
    met: Vec<(u32, u32)>,
    /// The number of a key with this hash, maybe of long ago.
    recent: [u32; 1 << RECENT_BITS],
    /// The numbers of keys that are no tokens.
    unmerged: Vec<u32>,
    /// Numbers of keys, and a token of each.
    tokens: Vec<(u32, u32)>,
    lanes: [Lane; LANES],
}

impl Misses {
    pub(crate) fn new() -> Misses {
        Misses {
            keys: vec![],
            asked: vec![],
            totals: vec![],
            met: vec![],
            recent: [0; 1 << RECENT_BITS],
            unmerged: vec![],
            tokens: vec![],
            lanes: std::array::from_fn(|_| Lane::new()),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.met.clear();
    }

    /// How often something was met.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.met.len()
    }

    /// Adds a key of 1 to 15 bytes that was met at `place`.
    pub(crate) fn push(&mut self, key: u128, place: usize) {
        let recent = &mut self.recent[slot_of(key, RECENT_BITS)];
        if self.keys.get(*recent as usize) != Some(&key) {
            *recent = self.keys.len() as u32;
            self.keys.push(key);
        }
        self.met.push((place as u32, *recent));
    }

    /// Finds the totals of all keys.
    pub(crate) fn resolve(&mut self, vocabulary: &Vocabulary, costs: &[u16]) {
        self.tokens.clear();
        self.unmerged.clear();
        self.asked.clear();
        self.asked
            .extend(self.keys.iter().map(|&key| vocabulary.ask_key(key)));
        for ((&key, &asked), number) in self.keys.iter().zip(&self.asked).zip(0..) {
            match vocabulary.find_key(key, asked) {
                NO_TOKEN => self.unmerged.push(number),
                id => push_token(&mut self.tokens, costs, number, id),
            }
        }
        self.merge_in_turns(vocabulary, costs);
        self.totals.clear();
        self.totals.resize(self.keys.len(), Total::default());
        for &(number, id) in &self.tokens {
            self.totals[number as usize].add(total_of_id(costs, id));
        }
    }

    fn merge_in_turns(&mut self, vocabulary: &Vocabulary, costs: &[u16]) {
        let mut unmerged = self
            .unmerged
            .iter()
            .map(|&number| (number, self.keys[number as usize]));
        let mut running = 0;
        for (lane, (number, key)) in self.lanes.iter_mut().zip(unmerged.by_ref()) {
            lane.start(vocabulary, number, key);
            running += 1;
        }
        while running > 0 {
            let mut at = 0;
            while at < running {
                let lane = &mut self.lanes[at];
                if lane.step(vocabulary) {
                    at += 1;
                    continue;
                }
                for id in lane.tokens() {
                    push_token(&mut self.tokens, costs, lane.number, id);
                }
                if let Some((number, key)) = unmerged.next() {
                    lane.start(vocabulary, number, key);
                    at += 1;
                } else {
                    running -= 1;
                    self.lanes.swap(at, running);
                }
            }
        }
    }

    /// The keys, most of them once, and their totals.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (u128, Total)> {
        self.keys.iter().copied().zip(self.totals.iter().copied())
    }

    /// Where keys were met, and their totals, in the order in which they were added.
    pub(crate) fn totals(&self) -> impl Iterator<Item = (usize, Total)> {
        self.met
            .iter()
            .map(|&(place, number)| (place as usize, self.totals[number as usize]))
    }
}

/// Adds a token of a key, whose cost will be waited for later.
fn push_token(tokens: &mut Vec<(u32, u32)>, costs: &[u16], number: u32, id: u32) {
    if let Some(cost) = costs.get(id as usize) {
        prefetch(cost);
    }
    tokens.push((number, id));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::key_of;
    use crate::merge::merge;

    /// Costs by which a total tells which tokens it is of.
    fn costs() -> Vec<u16> {
        (0..crate::TOKEN_COUNT as u32)
            .map(|id| (id.wrapping_mul(0x9E37_79B9) >> 16) as u16)
            .collect()
    }

    fn total_by_scan(vocabulary: &Vocabulary, costs: &[u16], piece: &[u8]) -> Total {
        let mut total = Total::default();
        merge(vocabulary, piece, &mut || Ok(()), |id| {
            total.add(total_of_id(costs, id));
        })
        .unwrap();
        total
    }

    #[test]
    fn totals_are_those_of_merging_one_by_one() {
        let (vocabulary, costs) = (Vocabulary::get().unwrap(), costs());
        let mut misses = Misses::new();
        let mut state = 3_u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % below
        };
        for round in 0..3_000 {
            misses.clear();
            let pieces: Vec<Vec<u8>> = (0..round % 40)
                .map(|_| {
                    (0..=random(15))
                        .map(|_| b"aaabcdetion_=-\xe4\xb8\xad\0\0"[random(19)])
                        .collect()
                })
                .collect();
            // Each a second time, so that keys repeat; the first round has none at all.
            for (place, piece) in pieces.iter().chain(&pieces).enumerate() {
                misses.push(key_of(piece), place);
            }
            misses.resolve(vocabulary, &costs);
            let expected: Vec<(usize, Total)> = pieces
                .iter()
                .chain(&pieces)
                .map(|piece| total_by_scan(vocabulary, &costs, piece))
                .enumerate()
                .collect();
            assert_eq!(misses.totals().collect::<Vec<_>>(), expected);
            assert_eq!(misses.len(), expected.len());
        }
    }

    #[test]
    fn every_short_token_is_found_whole_and_costs_of_no_id_are_nothing() {
        let vocabulary = Vocabulary::get().unwrap();
        let costs: Vec<u16> = (0..50_000).collect();
        let mut misses = Misses::new();
        let ids: Vec<u32> = (0..crate::TOKEN_COUNT as u32)
            .filter(|&id| vocabulary.token(id).len() <= crate::cache::KEY_BYTES)
            .collect();
        for (place, &id) in ids.iter().enumerate() {
            misses.push(key_of(vocabulary.token(id)), place);
        }
        misses.resolve(vocabulary, &costs);
        assert_eq!(misses.len(), ids.len());
        for ((_, total), &id) in misses.totals().zip(&ids) {
            let cost = if id < 50_000 { u64::from(id) } else { 0 };
            assert_eq!(total, Total { tokens: 1, cost });
        }
    }
}
