//! Queries by their texts: the patterns of one, its captures and what they stand for, and the engine's own form, made
//! when it is first asked for.
//!
//! To make it takes the engine a tenth of a second for a large grammar, longer than most files take.

use std::sync::OnceLock;

use ctxsieve_kernels::Error;
use tree_sitter::{Language, Query};

use crate::roots::{Reader, letters_of_patterns};
use crate::rules::{Role, RulesError};

/// The captures of a language's queries; their numbers are those of the engine for all of them in one text.
#[derive(Debug, Default)]
pub(crate) struct Captures {
    names: Vec<String>,
    pub(crate) roles: Vec<Role>,
}

impl Captures {
    /// Adds the captures of a text that are new.
    pub(crate) fn add(
        &mut self,
        text: &str,
        role_of: impl Fn(&str) -> Result<Role, RulesError>,
    ) -> Result<(), RulesError> {
        for name in captures_in(text) {
            if self.number_of(name).is_none() {
                self.roles.push(role_of(name)?);
                self.names.push(name.to_owned());
            }
        }
        Ok(())
    }

    pub(crate) fn number_of(&self, name: &str) -> Option<u32> {
        let number = self.names.iter().position(|known| known == name);
        number.map(|number| number as u32)
    }

    pub(crate) fn role_of(&self, name: &str) -> Role {
        let number = self.number_of(name);
        number.map_or(Role::Other, |number| self.roles[number as usize])
    }
}

/// A query of the engine, with the numbers of its captures and patterns among all of the language.
#[derive(Debug)]
pub(crate) struct NumberedQuery {
    pub(crate) query: Query,
    pub(crate) captures: Vec<u32>,
    pub(crate) patterns: Vec<usize>,
}

/// A query that is made when it is first asked for.
#[derive(Debug)]
pub(crate) struct LazyQuery {
    text: String,
    /// The numbers of its patterns; empty where they are counted from 0.
    patterns: Vec<usize>,
    made: OnceLock<Result<NumberedQuery, String>>,
}

impl LazyQuery {
    pub(crate) fn new(text: String, patterns: Vec<usize>) -> Self {
        Self {
            text,
            patterns,
            made: OnceLock::new(),
        }
    }

    /// The engine's form.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when the text is no query.
    pub(crate) fn get(
        &self,
        language: &Language,
        captures: &Captures,
    ) -> Result<&NumberedQuery, Error> {
        let made = self.made.get_or_init(|| self.make(language, captures));
        made.as_ref().map_err(|text| Error::Invalid(text.clone()))
    }

    fn make(&self, language: &Language, captures: &Captures) -> Result<NumberedQuery, String> {
        let query = Query::new(language, &self.text)
            .map_err(|error| format!("query does not compile: {error}"))?;
        let numbers = query.capture_names().iter().map(|name| {
            let number = captures.number_of(name);
            number.ok_or_else(|| format!("query has a capture {name:?} that was not seen"))
        });
        let numbers = numbers.collect::<Result<_, _>>()?;
        let patterns = if self.patterns.is_empty() {
            (0..query.pattern_count()).collect()
        } else {
            self.patterns.clone()
        };
        if patterns.len() != query.pattern_count() {
            return Err("query has other patterns than were seen".to_owned());
        }
        Ok(NumberedQuery {
            query,
            captures: numbers,
            patterns,
        })
    }
}

/// The patterns of a query, each with the captures behind it; None where something else stands there.
pub(crate) fn patterns_in(text: &str) -> Option<Vec<&str>> {
    let mut reader = Reader::new(text);
    let mut patterns = Vec::new();
    while !reader.is_done() {
        let begin = text.len() - reader.rest().len();
        reader.skip_pattern()?;
        patterns.push(&text[begin..text.len() - reader.rest().len()]);
    }
    Some(patterns)
}

/// The names of captures, in order, as often as they stand there.
pub(crate) fn captures_in(text: &str) -> Vec<&str> {
    letters_of_patterns(text)
        .filter(|&(_, letter)| letter == '@')
        .map(|(at, _)| Reader::new(&text[at + 1..]).name())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{captures_in, patterns_in};

    #[test]
    fn patterns_end_behind_their_captures() {
        let text = "; (no)\n(a (b \")\") @x) @y @z\n[(c) \"d\"]\n  @y (e)+ @x ; @w\n \"(\" @q";
        let patterns = [
            "(a (b \")\") @x) @y @z",
            "[(c) \"d\"]\n  @y",
            "(e)+ @x",
            "\"(\" @q",
        ];
        assert_eq!(patterns_in(text), Some(patterns.to_vec()));
        assert_eq!(captures_in(text), ["x", "y", "z", "y", "x", "q"]);
        assert_eq!(patterns_in(" ; x"), Some(vec![]));
        for text in ["a", "(a) )", "@x", "(a) . (b)"] {
            assert_eq!(patterns_in(text), None, "{text}");
        }
    }
}
