//! Which nodes go.

use ctxsieve_kernels::Error;
use ctxsieve_tokens::Counter;
use hashbrown::HashMap;

use crate::costs::{Check, LineCosts, MARKER_TOKENS, order_by_surprise};
use crate::lines::Text;
use crate::names::Names;
use crate::nodes::{Class, Node, Skeleton};
use crate::tree::Leaf;
use crate::{Choice, WideCharacters};

/// `aggressive` looks at dull statements first and at livelier ones only while it has not saved enough.
const STEPS: u32 = 5;

/// A file whose nodes are chosen.
pub(crate) struct Subject<'a> {
    pub(crate) text: &'a Text<'a>,
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) costs: &'a LineCosts,
    pub(crate) counter: &'a mut Counter,
    pub(crate) leaves: &'a [Leaf],
    pub(crate) wide: WideCharacters<'a>,
}

impl Subject<'_> {
    /// The chosen nodes.
    pub(crate) fn choose(
        &mut self,
        choice: Choice<'_>,
        check: Check<'_>,
    ) -> Result<Vec<Node>, Error> {
        match choice {
            Choice::Aggressive {
                share,
                surprise,
                lost_names,
            } => self.choose_aggressively(share, surprise, lost_names, check),
            Choice::Entropy { share } => self.choose_by_entropy(share, check),
            Choice::Task { kept } => {
                let may_go = |node: &&Node| {
                    let lines = kept.get(node.first_line - 1..node.last_line);
                    node.class != Class::Attribute
                        && lines.is_none_or(|lines| lines.iter().all(|&line| line == 0))
                };
                Ok(self.skeleton.nodes.iter().filter(may_go).copied().collect())
            }
        }
    }

    fn choose_aggressively(
        &mut self,
        share: f64,
        surprise: f64,
        lost_names: f64,
        check: Check<'_>,
    ) -> Result<Vec<Node>, Error> {
        let goes =
            |node: &&Node| matches!(node.class, Class::Comment | Class::Doc | Class::Boilerplate);
        let mut chosen: Vec<Node> = self.skeleton.nodes.iter().filter(goes).copied().collect();
        let mut left = self.costs.of(1, self.text.line_count());
        let wanted = left * share;
        let mut hiding = Hiding::new(self.text, self.costs);
        let saved = hiding.hide(&chosen, None);
        left -= saved;
        if left <= wanted {
            return Ok(chosen);
        }
        let statements = self.by_surprise(|class| class >= Class::Statement, check)?;
        // Names in what went are no names any more; nothing else is hidden yet.
        let mut names = Names::of_leaves(self.text, self.leaves, &hiding.is_hidden, self.wide);
        let mut may_lose = (lost_names * names.count() as f64) as usize;
        // Visible lines of a node when it was refused: while they are the same, it would be refused again.
        let mut refused: HashMap<(usize, usize), usize, foldhash::fast::FixedState> =
            HashMap::default();
        for step in 1..=STEPS {
            let ceiling = surprise * f64::from(step) / f64::from(STEPS);
            for (own, node) in &statements {
                if left <= wanted || *own > ceiling {
                    break;
                }
                let visible = hiding.visible(node);
                let place = (node.first_line, node.last_line);
                if visible.is_empty() || refused.get(&place) == Some(&visible.len()) {
                    continue;
                }
                let lost = names.lost_with(&visible);
                if lost > may_lose {
                    refused.insert(place, visible.len());
                    continue;
                }
                may_lose -= lost;
                left -= hiding.hide(std::slice::from_ref(node), Some(&mut names));
                chosen.push(*node);
            }
        }
        Ok(chosen)
    }

    fn choose_by_entropy(&mut self, share: f64, check: Check<'_>) -> Result<Vec<Node>, Error> {
        let mut left = self.costs.of(1, self.text.line_count());
        let wanted = left * share;
        let mut hiding = Hiding::new(self.text, self.costs);
        let mut chosen = Vec::new();
        for (_, node) in self.by_surprise(|class| class != Class::Attribute, check)? {
            if left <= wanted {
                break;
            }
            left -= hiding.hide(std::slice::from_ref(&node), None);
            chosen.push(node);
        }
        Ok(chosen)
    }

    fn by_surprise(
        &mut self,
        is_wanted: impl Fn(Class) -> bool,
        check: Check<'_>,
    ) -> Result<Vec<(f64, Node)>, Error> {
        let nodes = self.skeleton.nodes.iter();
        let nodes = nodes
            .filter(|node| is_wanted(node.class))
            .copied()
            .collect();
        order_by_surprise(self.counter, self.text.source, nodes, check)
    }
}

/// Which lines are hidden.
struct Hiding<'a> {
    text: &'a Text<'a>,
    costs: &'a LineCosts,
    is_hidden: Vec<bool>,
}

impl<'a> Hiding<'a> {
    fn new(text: &'a Text<'a>, costs: &'a LineCosts) -> Self {
        Self {
            text,
            costs,
            is_hidden: vec![false; text.line_count() + 1],
        }
    }

    fn visible(&self, node: &Node) -> Vec<usize> {
        let lines = node.first_line..=node.last_line;
        lines.filter(|&line| !self.is_hidden[line]).collect()
    }

    /// Hides the lines of the nodes and returns the tokens that this saves, markers of new gaps apart.
    fn hide(&mut self, nodes: &[Node], mut names: Option<&mut Names>) -> f64 {
        let mut saved = 0.0;
        for node in nodes {
            let visible = self.visible(node);
            if visible.is_empty() {
                continue;
            }
            let gaps = i8::from(self.is_next_hidden(node.first_line - 1, false))
                + i8::from(self.is_next_hidden(node.last_line + 1, true));
            let mut own = f64::from(gaps - 1) * MARKER_TOKENS;
            for line in visible {
                self.is_hidden[line] = true;
                if let Some(names) = &mut names {
                    names.hide(line);
                }
                own += self.costs.of_line(line);
            }
            // What costs less than its marker will be shown.
            saved += own.max(0.0);
        }
        saved
    }

    /// Whether the nearest line with text, from `line` on in one direction, is hidden.
    fn is_next_hidden(&self, mut line: usize, is_forward: bool) -> bool {
        while line > 0
            && line < self.is_hidden.len()
            && !self.is_hidden[line]
            && !self.text.is_filled[line]
        {
            line = if is_forward { line + 1 } else { line - 1 };
        }
        line > 0 && self.is_hidden.get(line).copied().unwrap_or(false)
    }
}
