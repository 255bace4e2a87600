//! In which order what is shown of one file is presented.

use crate::chunks::{Chunk, ChunkKind, Definition};

/// Lines from 1, both included.
pub(crate) type Span = (usize, usize);

/// The chunks of a file with their scores, and what the order depends on.
#[derive(Debug)]
pub(crate) struct Arrangement {
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) scores: Vec<f64>,
    /// The definition at file level that each chunk stands in.
    roots: Vec<Option<usize>>,
    /// From which score on a section matches.
    least_match: f64,
    is_ordered: bool,
}

/// Shown lines that stay together, and how well the best chunk in them matches.
struct Section {
    span: Span,
    root: Option<usize>,
    score: f64,
    priority: ChunkKind,
}

impl Arrangement {
    pub(crate) fn new(
        chunks: Vec<Chunk>,
        scores: Vec<f64>,
        definitions: &[Definition],
        match_share: f64,
        is_ordered: bool,
    ) -> Self {
        let mut root_of: Vec<usize> = Vec::with_capacity(definitions.len());
        for (number, definition) in definitions.iter().enumerate() {
            root_of.push(definition.parent.map_or(number, |parent| root_of[parent]));
        }
        let roots = chunks
            .iter()
            .map(|chunk| chunk.owner.map(|owner| root_of[owner]))
            .collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self {
            chunks,
            scores,
            roots,
            least_match: best * match_share,
            is_ordered,
        }
    }

    /// Sections that cover the file's lines, in the order of presentation.
    pub(crate) fn order(
        &self,
        shown: &[Span],
        count: usize,
        definitions: &[Definition],
    ) -> Vec<Span> {
        let sections = if self.is_ordered {
            self.sections(shown)
        } else {
            Vec::new()
        };
        if sections.len() < 2 {
            return if count > 0 {
                vec![(1, count)]
            } else {
                Vec::new()
            };
        }
        let mut order: Vec<usize> = (0..sections.len()).collect();
        order.sort_by_key(|&at| (!self.matches(&sections[at])).then_some(sections[at].priority));
        let mut is_followed = vec![false; sections.len()];
        for pair in order.windows(2) {
            is_followed[pair[0]] = pair[1] == pair[0] + 1;
        }
        let mut ends: Vec<usize> = (0..sections.len() - 1)
            .map(|at| {
                if is_followed[at] {
                    sections[at].span.1
                } else {
                    end_of(&sections[at], &sections[at + 1], definitions)
                }
            })
            .collect();
        ends.push(count);
        let mut joined: Vec<Span> = Vec::new();
        let mut before = None;
        for &at in &order {
            // Sections that match nothing and follow each other in the file need no bridge.
            let goes_on = before.is_some_and(|before| before + 1 == at)
                && !self.matches(&sections[at - 1])
                && !self.matches(&sections[at]);
            match joined.last_mut() {
                Some(last) if goes_on => last.1 = ends[at],
                _ => joined.push((if at == 0 { 1 } else { ends[at - 1] + 1 }, ends[at])),
            }
            before = Some(at);
        }
        joined
    }

    fn matches(&self, section: &Section) -> bool {
        section.score > 0.0 && section.score >= self.least_match
    }

    fn sections(&self, shown: &[Span]) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        for &span in shown {
            let (first, last) = (self.chunk_at(span.0), self.chunk_at(span.1));
            let score = self.scores[first..=last]
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max);
            let kinds = self.chunks[first..=last].iter().map(|chunk| chunk.kind);
            let priority = kinds.min().unwrap_or(ChunkKind::Logic);
            match sections.last_mut() {
                Some(before) if before.root.is_some() && before.root == self.roots[first] => {
                    before.span.1 = span.1;
                    before.root = self.roots[last];
                    before.score = before.score.max(score);
                    before.priority = before.priority.min(priority);
                }
                _ => sections.push(Section {
                    span,
                    root: self.roots[last],
                    score,
                    priority,
                }),
            }
        }
        sections
    }

    fn chunk_at(&self, line: usize) -> usize {
        self.chunks
            .partition_point(|chunk| chunk.first <= line)
            .saturating_sub(1)
    }
}

/// The last line of the definition in which a section ends; one hidden line is left to the next section.
fn end_of(section: &Section, next: &Section, definitions: &[Definition]) -> usize {
    let last = section.span.1;
    let Some(root) = section.root else {
        return last;
    };
    last.max(definitions[root].last.min(next.span.0.saturating_sub(2)))
}
