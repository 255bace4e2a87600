//! Whether what is shown of a source is read as it was.
//!
//! Some grammars know two readings of the same words (in C, `LIST(NAME) *list = NULL;` is a declaration, and a call
//! times an assignment), and which of them wins can depend on what stands before. Both are free of errors.

use std::convert::Infallible;
use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::lines::is_byte_space;
use crate::tree::visit;

/// A leaf's kind and its parent's.
type Kinds = (u16, u16);

/// Whether the leaves on shown lines have the same kinds, under parents of the same kinds, in both trees.
///
/// `gaps` are the first and last line of what the first tree has and the second does not; one line stands for each of
/// them there. Comments and white space do not count, and neither do texts of which only some lines are shown.
pub(crate) fn are_read_alike(
    trees: [&Tree; 2],
    texts: [&[u8]; 2],
    gaps: &[(usize, usize)],
) -> bool {
    let (mut hidden, mut marks) = (Vec::new(), Vec::new());
    let mut missing = 0;
    for &(first, last) in gaps {
        hidden.push(first - 1..last);
        let row = first - 1 - missing;
        marks.push(row..row + 1);
        missing += last - first;
    }
    leaves_outside(trees[0], texts[0], &hidden) == leaves_outside(trees[1], texts[1], &marks)
}

/// The leaves that are no white space and touch none of these rows, which ascend.
fn leaves_outside(tree: &Tree, text: &[u8], rows: &[Range<usize>]) -> Vec<Kinds> {
    let mut leaves = Vec::new();
    let mut above: Vec<u16> = Vec::new();
    let mut following = 0;
    let Ok(_) = visit::<Infallible>(tree, |node, depth| {
        above.truncate(depth as usize);
        if let Some(&parent) = above.last()
            && node.child_count() == 0
            && !node.is_extra()
            && !text[node.byte_range()].iter().copied().all(is_byte_space)
        {
            let (first, last) = (node.start_position().row, last_row(node));
            while rows.get(following).is_some_and(|rows| rows.end <= first) {
                following += 1;
            }
            if rows.get(following).is_none_or(|rows| rows.start > last) {
                leaves.push((node.kind_id(), parent));
            }
        }
        above.push(node.kind_id());
        Ok(true)
    });
    leaves
}

/// The row of a node's last character; its end may be the beginning of the next row.
fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    let is_before = end.column == 0 && end.row > node.start_position().row;
    end.row - usize::from(is_before)
}
