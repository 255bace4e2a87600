//! Where the matches of a query can begin: most nodes of a tree are no such place, and need not be asked.

use tree_sitter::{Language, Query};

/// By kind id, whether some pattern begins at such a node; None where a pattern may begin anywhere.
pub(crate) fn roots_of(query: &Query, text: &str, language: &Language) -> Option<Vec<bool>> {
    let mut roots = vec![false; language.node_kind_count()];
    for pattern in 0..query.pattern_count() {
        if !query.is_pattern_rooted(pattern) {
            return None;
        }
        let mut reader = Reader {
            rest: &text[query.start_byte_for_pattern(pattern)..],
        };
        for (name, is_named) in reader.roots()? {
            let id = language.id_for_node_kind(name, is_named);
            if id == 0 || !language.node_kind_is_visible(id) || language.node_kind_is_supertype(id)
            {
                return None;
            }
            *roots.get_mut(id as usize)? = true;
        }
    }
    Some(roots)
}

/// Reads the beginning of a pattern.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
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

    fn skip_space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with(';') {
                return;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
        }
    }

    fn name(&mut self) -> &'a str {
        let is_part = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        let end = self.rest.find(|letter| !is_part(letter));
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        name
    }

    /// A string without escapes.
    fn string(&mut self) -> Option<&'a str> {
        let (text, rest) = self.rest[1..].split_once('"')?;
        self.rest = rest;
        (!text.contains('\\')).then_some(text)
    }

    /// Goes behind the bracket that closes the node just opened.
    fn skip_to_end(&mut self) {
        let (mut depth, mut is_string, mut is_escaped, mut is_comment) = (1, false, false, false);
        for (at, letter) in self.rest.char_indices() {
            if is_comment {
                is_comment = letter != '\n';
            } else if is_string {
                is_string = is_escaped || letter != '"';
                is_escaped = letter == '\\' && !is_escaped;
            } else {
                match letter {
                    '"' => is_string = true,
                    ';' => is_comment = true,
                    '(' | '[' => depth += 1,
                    ')' | ']' => depth -= 1,
                    _ => {}
                }
            }
            if depth == 0 {
                self.rest = &self.rest[at + 1..];
                return;
            }
        }
        self.rest = "";
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;

    fn roots(text: &str) -> Option<Vec<(&str, bool)>> {
        Reader { rest: text }.roots()
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
