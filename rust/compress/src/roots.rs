//! Where the matches of a query can begin: most nodes of a tree are no such place, and need not be asked.

use tree_sitter::Language;

use crate::nodes::Class;
use crate::patterns::Pattern;
use crate::queries::{Captures, captures_in};
use crate::rules::Role;

/// What a query's patterns say of the nodes of one kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// The patterns that name such a node, whatever is in it, with its role.
    pub(crate) own: Vec<(usize, Role)>,
    /// The roles of every named child of such a node.
    pub(crate) of_children: Vec<Role>,
    /// Whether those are all rows.
    pub(crate) has_rows_alone: bool,
    /// Patterns that begin at such a node and are matched without the engine.
    pub(crate) patterns: Vec<Pattern>,
    /// Those of them that name rows alone.
    pub(crate) patterns_of_rows: Vec<Pattern>,
    /// Whether another pattern begins at such a node, so that the query has to be asked.
    pub(crate) is_root: bool,
    /// Whether a pattern that names rows alone does.
    pub(crate) is_root_of_rows: bool,
}

/// The places by kind id and the numbers of the patterns that only the engine understands, given all patterns of a
/// query; None where one may begin anywhere. What tells nothing is in neither.
pub(crate) fn take_places(
    patterns: &[&str],
    language: &Language,
    captures: &Captures,
) -> Option<(Vec<Place>, Vec<usize>)> {
    let mut places = vec![Place::default(); language.node_kind_count()];
    let mut asked = Vec::new();
    for (number, &text) in patterns.iter().enumerate() {
        let named: Vec<Role> = captures_in(text)
            .into_iter()
            .map(|name| captures.role_of(name))
            .collect();
        if named.iter().all(|&role| role == Role::Other) {
            // What it names means nothing here.
            continue;
        }
        let is_of_rows = named
            .iter()
            .all(|role| matches!(role, Role::Node(Class::Row)));
        let shape = Shape::of(text);
        let plain = Pattern::new(number, text, language, captures);
        let mut reader = Reader::new(text);
        let roots = reader.roots()?;
        while reader.takes("@") {
            reader.name();
        }
        if !reader.is_done() {
            // Neighbours that may be repeated have no node of their own.
            return None;
        }
        let mut is_told = true;
        for (name, is_named) in roots {
            let id = language.id_for_node_kind(name, is_named);
            if id == 0 || !language.node_kind_is_visible(id) || language.node_kind_is_supertype(id)
            {
                return None;
            }
            let place = places.get_mut(id as usize)?;
            is_told &= place.add((number, shape), plain.as_ref(), is_of_rows, captures);
        }
        if !is_told {
            asked.push(number);
        }
    }
    Some((places, asked))
}

impl Place {
    /// Takes what a pattern says; false where the engine has to be asked.
    fn add(
        &mut self,
        (number, shape): (usize, Shape<'_>),
        plain: Option<&Pattern>,
        is_of_rows: bool,
        captures: &Captures,
    ) -> bool {
        match shape {
            Shape::Node(capture) => self.own.push((number, captures.role_of(capture))),
            // Other roles of children have a meaning together with those of the node only.
            Shape::Children(capture) if matches!(captures.role_of(capture), Role::Node(_)) => {
                self.has_rows_alone =
                    is_of_rows && (self.has_rows_alone || self.of_children.is_empty());
                self.of_children.push(captures.role_of(capture));
            }
            _ => {
                let Some(plain) = plain else {
                    self.is_root |= !is_of_rows;
                    self.is_root_of_rows |= is_of_rows;
                    return false;
                };
                let patterns = if is_of_rows {
                    &mut self.patterns_of_rows
                } else {
                    &mut self.patterns
                };
                patterns.push(plain.clone());
            }
        }
        true
    }
}

/// What a pattern says, where that is simple: its capture names the node itself, or every named child of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape<'a> {
    Node(&'a str),
    Children(&'a str),
    Other,
}

impl<'a> Shape<'a> {
    fn of(text: &'a str) -> Self {
        let mut reader = Reader::new(text);
        reader.read_node().unwrap_or(Self::Other)
    }
}

/// Reads the beginning of a pattern.
pub(crate) struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(rest: &'a str) -> Self {
        Self { rest }
    }

    /// `(kind) @capture`, `[(kind) (kind)] @capture` or `(kind (_) @capture)`, and nothing else.
    fn read_node(&mut self) -> Option<Shape<'a>> {
        if self.takes("[") {
            while !self.takes("]") {
                self.kind()?;
                self.takes(")").then_some(())?;
            }
        } else {
            self.kind()?;
            if !self.takes(")") {
                let is_wildcard = self.takes("(") && self.takes("_") && self.takes(")");
                let capture = is_wildcard.then(|| self.capture()).flatten()?;
                return (self.takes(")") && self.is_done()).then_some(Shape::Children(capture));
            }
        }
        let capture = self.capture()?;
        self.is_done().then_some(Shape::Node(capture))
    }

    /// A bracket and the kind behind it.
    fn kind(&mut self) -> Option<&'a str> {
        self.takes("(").then_some(())?;
        self.skip_space();
        Some(self.name()).filter(|name| !matches!(*name, "" | "_" | "ERROR" | "MISSING"))
    }

    fn capture(&mut self) -> Option<&'a str> {
        self.takes("@").then(|| self.name())
    }

    pub(crate) fn takes(&mut self, sign: &str) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(crate) fn is_done(&mut self) -> bool {
        self.skip_space();
        self.rest.is_empty()
    }

    /// The kinds that the next node of the pattern may have, and whether each is a named one; None for any kind.
    fn roots(&mut self) -> Option<Vec<(&'a str, bool)>> {
        self.skip_space();
        match self.rest.chars().next()? {
            '"' => Some(vec![(self.string()?, false)]),
            '(' => {
                self.rest = &self.rest[1..];
                self.skip_space();
                let name = self.name();
                self.skip_to_end();
                let is_special = matches!(name, "" | "_" | "ERROR" | "MISSING");
                (!is_special && !self.rest.starts_with('/')).then(|| vec![(name, true)])
            }
            '[' => {
                self.rest = &self.rest[1..];
                let mut found = Vec::new();
                loop {
                    self.skip_space();
                    match self.rest.chars().next()? {
                        ']' => {
                            self.rest = &self.rest[1..];
                            return Some(found);
                        }
                        '(' | '[' | '"' => found.append(&mut self.roots()?),
                        '@' => {
                            self.rest = &self.rest[1..];
                            self.name();
                        }
                        // A quantifier, a field or a wildcard.
                        _ => return None,
                    }
                }
            }
            _ => None,
        }
    }

    pub(crate) fn skip_space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with(';') {
                return;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
        }
    }

    pub(crate) fn name(&mut self) -> &'a str {
        let is_part = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        let end = self.rest.find(|letter| !is_part(letter));
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        name
    }

    /// The name of a field, where one stands here.
    pub(crate) fn field(&mut self) -> Option<&'a str> {
        self.skip_space();
        let before = self.rest;
        let name = self.name();
        if !name.is_empty() && self.takes(":") {
            return Some(name);
        }
        self.rest = before;
        None
    }

    /// Whether what was read may be there more than once, or not at all.
    pub(crate) fn is_repetition(&mut self) -> bool {
        self.skip_space();
        self.rest.starts_with(['+', '*', '?'])
    }

    /// What is not read yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Goes behind a whole pattern and its captures.
    pub(crate) fn skip_pattern(&mut self) -> Option<()> {
        match self.rest.chars().next()? {
            '(' | '[' => {
                self.rest = &self.rest[1..];
                self.skip_to_end();
            }
            _ => {
                self.string()?;
            }
        }
        loop {
            let before = self.rest;
            if self.takes("@") {
                self.name();
            } else if self.is_repetition() {
                self.rest = &self.rest[1..];
            } else {
                self.rest = before;
                return Some(());
            }
        }
    }

    /// A string without escapes.
    pub(crate) fn string(&mut self) -> Option<&'a str> {
        let (text, rest) = self.rest.strip_prefix('"')?.split_once('"')?;
        self.rest = rest;
        (!text.contains('\\')).then_some(text)
    }

    /// Goes behind the bracket that closes the node just opened.
    fn skip_to_end(&mut self) {
        let mut depth = 1;
        for (at, letter) in letters_of_patterns(self.rest) {
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = &self.rest[at + 1..];
                return;
            }
        }
        self.rest = "";
    }
}

/// The letters of a query that stand in no string and no comment, with their places.
pub(crate) fn letters_of_patterns(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let (mut is_string, mut is_escaped, mut is_comment) = (false, false, false);
    text.char_indices().filter(move |&(_, letter)| {
        if is_comment {
            is_comment = letter != '\n';
            return false;
        }
        if is_string {
            is_string = is_escaped || letter != '"';
            is_escaped = letter == '\\' && !is_escaped;
            return false;
        }
        is_string = letter == '"';
        is_comment = letter == ';';
        !is_string && !is_comment
    })
}

#[cfg(test)]
mod tests {
    use super::{Reader, Shape};

    fn roots(text: &str) -> Option<Vec<(&str, bool)>> {
        Reader::new(text).roots()
    }

    #[test]
    fn simple_patterns_are_told_without_asking() {
        for text in ["(a) @x", " ( a )\n@x ; (b)\n", "[(a) (b)] @x", "[(a)] @x\n"] {
            assert_eq!(Shape::of(text), Shape::Node("x"), "{text}");
        }
        assert_eq!(Shape::of("(a (_) @x.y)"), Shape::Children("x.y"));
        for text in [
            "(a)",
            "(a) @x @y",
            "(a)+ @x",
            "(a (b)) @x",
            "(a (_) @x) @y",
            "(a (_)) @x",
            "(a . (_) @x)",
            "(a (_) @x (b))",
            "(a n: (_) @x)",
            "((a) @x (#eq? @x \"b\"))",
            "[(a) \"b\"] @x",
            "[(a) (b)]+ @x",
            "(_) @x",
            "(a/b) @x",
            "\"a\" @x",
        ] {
            assert_eq!(Shape::of(text), Shape::Other, "{text}");
        }
    }

    #[test]
    fn roots_are_the_kinds_that_a_pattern_begins_with() {
        assert_eq!(roots(" (a (b)) @c"), Some(vec![("a", true)]));
        assert_eq!(roots("; (x)\n\"if\" @k"), Some(vec![("if", false)]));
        let many = "[(a \")\" ; ]\n) @x [\"+\" (b)]] @y (z)";
        assert_eq!(
            roots(many),
            Some(vec![("a", true), ("+", false), ("b", true)])
        );
    }

    #[test]
    fn what_may_begin_anywhere_has_no_roots() {
        for text in [
            "(_ (a))",
            "((a) . (b))",
            "_ @x",
            "[(a) _]",
            "(ERROR)",
            "[(a)+ (b)]",
            "",
        ] {
            assert_eq!(roots(text), None, "{text}");
        }
    }
}
