//! A file without some of its nodes, checked by parsing what is left.

use std::fmt;

use ctxsieve_kernels::Error;
use ctxsieve_tokens::{CountedText, Counter};
use tree_sitter::{Parser, QueryCursor, Tree};

use crate::alike::are_read_alike;
use crate::choice::Subject;
use crate::costs::{Check, LineCosts, count_text, count_tokens};
use crate::layout::Marks;
use crate::lines::Text;
use crate::marks::{mark, numbers_of};
use crate::neutral::are_neutral;
use crate::nodes::{Class, Node, Skeleton};
use crate::rules::Rules;
use crate::spelling::{Spelled, aligned, as_they_stand, write_lines};
use crate::text_tokens::{Seam, tokens_of_rest, tokens_of_source};
use crate::tree::{Leaf, count_broken_nodes, is_same_tree, parse, prepare, query};
use crate::{Choice, WideCharacters};

/// How far the work may go.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Call-backs of the parser per text.
    pub parse: u64,
    /// Matches of the query that are open at once.
    pub matches: u32,
    /// A gap that costs no more stays, since its marker costs as much.
    pub gap_tokens: f64,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Outcome {
    /// What was chosen is left out.
    Removed = 0,
    /// Less is left out, so that the rest still parses.
    RemovedLess = 1,
    /// A work limit was reached.
    TooLarge = 2,
    /// With anything left out it would no longer parse.
    Unparsable = 3,
    /// Nothing may be left out at a gain.
    NothingToGain = 4,
}

/// What is left of a file.
#[derive(Debug)]
pub struct Removed {
    /// How it went.
    pub outcome: Outcome,
    /// The text; empty unless something is left out.
    pub content: String,
    /// Its tokens.
    pub tokens: u64,
    /// Tokens of the source, where no work limit was reached.
    pub source_tokens: Option<u64>,
    /// First and last line of each gap, ascending.
    pub gaps: Vec<(u32, u32)>,
}

impl Removed {
    fn nothing(outcome: Outcome) -> Self {
        Self {
            outcome,
            content: String::new(),
            tokens: 0,
            source_tokens: None,
            gaps: Vec::new(),
        }
    }
}

/// What a source has that may go.
#[derive(Debug)]
pub struct Found {
    /// Empty where a work limit was reached.
    pub skeleton: Skeleton,
    /// Error and missing nodes.
    pub error_nodes: u32,
    /// Whether no work limit was reached.
    pub is_complete: bool,
    /// The tree, where it is kept and may tell which more lines can go.
    pub tree: Option<Tree>,
}

/// What a thread keeps from file to file.
pub struct Tools {
    pub(crate) parser: Parser,
    cursor: QueryCursor,
    pub(crate) counter: Counter,
}

impl Tools {
    /// Tools for files of any language.
    #[must_use]
    pub fn new(counter: Counter) -> Self {
        Self {
            parser: Parser::new(),
            cursor: QueryCursor::new(),
            counter,
        }
    }

    /// The counter, for others to go on with.
    #[must_use]
    pub fn into_counter(self) -> Counter {
        self.counter
    }
}

impl fmt::Debug for Tools {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tools").finish_non_exhaustive()
    }
}

/// A file, and what is wanted of it.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Its text.
    pub source: &'a str,
    /// What is left out.
    pub choice: Choice<'a>,
    /// Whether shown lines are aligned.
    pub is_aligned: bool,
    /// Whether the tree is kept.
    pub keeps_tree: bool,
    /// How far the work may go.
    pub limits: Limits,
    /// The characters of the text above ASCII.
    pub wide: WideCharacters<'a>,
}

/// Finds the nodes that may go, and none where a work limit is reached.
///
/// # Errors
///
/// [`Error::Interrupted`] when `check` says so.
pub fn find_nodes(
    source: &str,
    rules: &Rules,
    limits: Limits,
    check: &mut dyn FnMut() -> bool,
) -> Result<Found, Error> {
    let (mut parser, mut cursor) = (Parser::new(), QueryCursor::new());
    let text = Text::new(source);
    let asked = (&mut parser, &mut cursor);
    Ok(parse_and_find(asked, &text, rules, limits, check)?.0)
}

/// The tree, where its literals and brackets stand, and what may be names.
type Parsed = (Tree, Marks, Vec<Leaf>);

fn parse_and_find(
    (parser, cursor): (&mut Parser, &mut QueryCursor),
    text: &Text<'_>,
    rules: &Rules,
    limits: Limits,
    check: Check<'_>,
) -> Result<(Found, Option<Parsed>), Error> {
    let mut found = Found {
        skeleton: Skeleton::default(),
        error_nodes: 0,
        is_complete: false,
        tree: None,
    };
    let source = text.bytes();
    prepare(parser, &rules.language)?;
    let Some(tree) = parse(parser, source, limits.parse, check)? else {
        return Ok((found, None));
    };
    found.error_nodes = count_broken_nodes(tree.root_node());
    cursor.set_match_limit(limits.matches);
    let Some(named) = query(&tree, cursor, source, rules, text.is_deep, check)? else {
        return Ok((found, None));
    };
    let definitions = named.facts.definitions();
    let (nodes, blocks, sealed) = (&named.nodes, &named.blocks, &named.sealed);
    found.skeleton = Skeleton::new(text, &definitions, nodes, blocks, sealed);
    found.is_complete = true;
    Ok((found, Some((tree, named.marks, named.leaves))))
}

/// Leaves the chosen nodes out.
///
/// # Errors
///
/// [`Error::Interrupted`] when `check` says so.
pub fn remove_nodes(
    request: Request<'_>,
    rules: &Rules,
    tools: &mut Tools,
    check: &mut dyn FnMut() -> bool,
) -> Result<(Removed, Found), Error> {
    let Request { source, limits, .. } = request;
    let Tools {
        parser,
        cursor,
        counter,
    } = tools;
    let text = Text::new(source);
    let (mut found, tree) = parse_and_find((&mut *parser, cursor), &text, rules, limits, check)?;
    let Some((tree, marks, leaves)) = tree else {
        return Ok((Removed::nothing(Outcome::TooLarge), found));
    };
    let mut file = File {
        rules,
        limits,
        parser,
        tree,
        error_nodes: found.error_nodes,
        text: &text,
        skeleton: &found.skeleton,
        spelled: as_they_stand(&text),
    };
    let (source_tokens, counted) = file.count(marks, request.is_aligned, counter, check)?;
    let costs = LineCosts::new(&counted);
    let mut subject = Subject {
        text: &text,
        skeleton: &found.skeleton,
        costs: &costs,
        counter,
        leaves: &leaves,
        wide: request.wide,
    };
    let chosen = subject.choose(request.choice, check)?;
    let (mut removed, seams) = file.remove(&chosen, &costs, check)?;
    removed.source_tokens = Some(source_tokens);
    removed.tokens =
        match tokens_of_rest(&text, &counted, &removed.content, &seams, counter, check)? {
            Some(tokens) if !seams.is_empty() => tokens,
            _ => count_tokens(counter, &removed.content, check)?,
        };
    let tree = file.tree;
    if request.keeps_tree && found.error_nodes == 0 && !text.is_deep {
        found.tree = Some(tree);
    }
    Ok((removed, found))
}

/// A parsed file.
struct File<'a> {
    rules: &'a Rules,
    limits: Limits,
    parser: &'a mut Parser,
    tree: Tree,
    error_nodes: u32,
    text: &'a Text<'a>,
    skeleton: &'a Skeleton,
    spelled: Vec<Spelled>,
}

type Gap = (usize, usize);

impl File<'_> {
    /// Tokens of the source, and those of its lines as they will be written: in fewest tokens where that is asked for.
    fn count(
        &mut self,
        marks: Marks,
        is_aligned: bool,
        counter: &mut Counter,
        check: Check<'_>,
    ) -> Result<(u64, CountedText), Error> {
        let spelled = if is_aligned { self.align(marks) } else { None };
        let source = self.text.source;
        let Some((spelled, text)) = spelled else {
            let counted = count_text(counter, source, check)?;
            return Ok((counted.tokens(), counted));
        };
        let counted = count_text(counter, &text, check)?;
        let tokens = match tokens_of_source(self.text, &spelled, &counted, counter, check)? {
            Some(tokens) => tokens,
            None => count_tokens(counter, source, check)?,
        };
        if counted.tokens() < tokens && self.keeps_tree(&text, check)? {
            self.spelled = spelled;
            return Ok((tokens, counted));
        }
        let counted = if text == source {
            counted
        } else {
            count_text(counter, source, check)?
        };
        Ok((tokens, counted))
    }

    /// The lines in fewest tokens and their text, None where they have to stay.
    fn align(&self, marks: Marks) -> Option<(Vec<Spelled>, String)> {
        // Where blocks are indented, the lines of a source with errors stay.
        if self.text.is_deep
            || self.rules.marks.is_empty()
            || (self.error_nodes > 0 && !self.rules.is_free)
        {
            return None;
        }
        let layout = marks.layout(self.text, self.rules);
        if layout.is_empty() || layout.len() != self.text.line_count() {
            return None;
        }
        let spelled = aligned(self.text, &layout);
        let mut text = String::with_capacity(self.text.source.len());
        write_lines(self.text, &spelled, 1, self.text.line_count(), &mut text);
        Some((spelled, text))
    }

    /// Whether a text whose lines are spelled anew has the source's tree; without errors it surely has.
    fn keeps_tree(&mut self, text: &str, check: Check<'_>) -> Result<bool, Error> {
        if self.error_nodes == 0 {
            return Ok(true);
        }
        let again = parse(self.parser, text.as_bytes(), self.limits.parse, check)?;
        let sources = [self.text.bytes(), text.as_bytes()];
        Ok(again.is_some_and(|again| is_same_tree([&self.tree, &again], sources)))
    }

    /// Leaves out what was chosen; while the rest is read differently or with more errors, less safe classes stay.
    fn remove(
        &mut self,
        chosen: &[Node],
        costs: &LineCosts,
        check: Check<'_>,
    ) -> Result<(Removed, Vec<Seam>), Error> {
        let mut before: Vec<Gap> = Vec::new();
        let mut is_tried = false;
        for limit in [
            Class::Row,
            Class::Statement,
            Class::Import,
            Class::Doc,
            Class::Comment,
        ] {
            let nodes = chosen.iter().filter(|node| node.class <= limit);
            let gaps = self.gaps(nodes, costs);
            if !gaps.is_empty() && gaps != before {
                let emptied = self.emptied(&gaps);
                let (content, seams) = self.text_without(&gaps, &emptied);
                if self.is_known_whole(&gaps, &emptied)
                    || self.keeps_parsing(&content, &gaps, check)?
                {
                    let outcome = if is_tried {
                        Outcome::RemovedLess
                    } else {
                        Outcome::Removed
                    };
                    let mut removed = Removed::nothing(outcome);
                    removed.content = content;
                    let numbers = gaps.iter();
                    removed.gaps = numbers
                        .map(|&(first, last)| (first as u32, last as u32))
                        .collect();
                    return Ok((removed, seams));
                }
                is_tried = true;
            }
            before = gaps;
        }
        let outcome = if is_tried {
            Outcome::Unparsable
        } else {
            Outcome::NothingToGain
        };
        Ok((Removed::nothing(outcome), Vec::new()))
    }

    /// The lines to hide: nodes next to each other and the blank lines between them are one gap.
    fn gaps<'n>(&self, nodes: impl Iterator<Item = &'n Node>, costs: &LineCosts) -> Vec<Gap> {
        let is_hidden = self.covered(nodes.map(|node| (node.first_line, node.last_line)));
        let mut gaps: Vec<Gap> = Vec::new();
        let mut is_open = false;
        for line in (1..=self.text.line_count()).filter(|&line| self.text.is_filled[line]) {
            match gaps.last_mut() {
                Some(gap) if is_open && is_hidden[line] => gap.1 = line,
                _ if is_hidden[line] => gaps.push((line, line)),
                _ => {}
            }
            is_open = is_hidden[line];
        }
        gaps.retain(|&(first, last)| costs.of(first, last) > self.limits.gap_tokens);
        gaps
    }

    /// For each line, from 0 on, whether one of the spans covers it.
    fn covered(&self, spans: impl Iterator<Item = Gap>) -> Vec<bool> {
        let mut depth = vec![0_i32; self.text.line_count() + 2];
        for (first, last) in spans {
            depth[first] += 1;
            depth[last + 1] -= 1;
        }
        let mut sum = 0;
        let covered = depth.iter().map(|step| {
            sum += step;
            sum > 0
        });
        covered.collect()
    }

    /// Whether each gap begins with the first statement of a block all of whose statements are hidden.
    fn emptied(&self, gaps: &[Gap]) -> Vec<bool> {
        let mut emptied = vec![false; gaps.len()];
        if self.rules.ellipsis.is_none() || self.skeleton.blocks.is_empty() {
            return emptied;
        }
        let nodes = self.skeleton.nodes.iter();
        let comments = nodes.filter(|node| node.class == Class::Comment);
        let is_comment = self.covered(comments.map(|node| (node.first_line, node.last_line)));
        let is_hidden = self.covered(gaps.iter().copied());
        let (mut statements, mut visible) = (vec![0_u32], vec![0_u32]);
        for line in 1..=self.text.line_count() {
            let is_statement = self.text.is_filled[line] && !is_comment[line];
            statements.push(statements[line - 1] + u32::from(is_statement));
            visible.push(visible[line - 1] + u32::from(is_statement && !is_hidden[line]));
        }
        for &(first, last) in &self.skeleton.blocks {
            if first > last
                || visible[last] != visible[first - 1]
                || statements[last] <= statements[first - 1]
            {
                continue;
            }
            let opening = statements.partition_point(|&count| count <= statements[first - 1]);
            let gap = gaps.partition_point(|&(_, end)| end < opening);
            emptied[gap] = true;
        }
        emptied
    }

    /// The file with a mark in place of each gap, and where they stand.
    fn text_without(&self, gaps: &[Gap], emptied: &[bool]) -> (String, Vec<Seam>) {
        let count = self.text.line_count();
        let mut content = String::with_capacity(self.text.source.len());
        let mut seams = Vec::with_capacity(gaps.len());
        let mut following = 1;
        for (&(first, last), &is_emptied) in gaps.iter().zip(emptied) {
            write_lines(self.text, &self.spelled, following, first - 1, &mut content);
            let begin = content.len();
            content.push_str(&self.mark((first, last), is_emptied));
            if last == count && !self.text.ends_with_newline() {
                content.truncate(content.trim_end_matches(['\r', '\n']).len());
            }
            seams.push(Seam {
                lines: (first, last),
                mark: (begin, content.len()),
            });
            following = last + 1;
        }
        write_lines(self.text, &self.spelled, following, count, &mut content);
        (content, seams)
    }

    /// The comment that stands for hidden lines, indented and ended like the first of them.
    fn mark(&self, (first, last): Gap, is_emptied: bool) -> String {
        let mut line = String::new();
        self.spelled[first].write(self.text.source, &mut line);
        mark(self.rules, &line, &numbers_of(first, last), is_emptied)
    }

    /// Whether the text without these lines surely has no errors, since the source has none.
    fn is_known_whole(&self, gaps: &[Gap], emptied: &[bool]) -> bool {
        self.error_nodes == 0
            && !self.text.is_deep
            && are_neutral(&self.tree, self.text, self.rules, gaps, emptied)
    }

    /// Whether the text has no more error nodes than the source and, where that has none, is read as it was.
    ///
    /// It is parsed anew. Parsing it with the source's tree and an edit for every line took as long: most lines are
    /// spelled differently, and what is left to be used again is less than what the edits cost.
    fn keeps_parsing(
        &mut self,
        content: &str,
        gaps: &[Gap],
        check: Check<'_>,
    ) -> Result<bool, Error> {
        let tree = parse(self.parser, content.as_bytes(), self.limits.parse, check)?;
        Ok(tree.is_some_and(|tree| {
            count_broken_nodes(tree.root_node()) <= self.error_nodes
                && (self.error_nodes > 0
                    || are_read_alike(
                        [&self.tree, &tree],
                        [self.text.bytes(), content.as_bytes()],
                        gaps,
                    ))
        }))
    }
}
