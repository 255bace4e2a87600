//! Where definitions stand: nodes with their wrappers and the comments above them, nested, without what is local.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use crate::lines::{is_blank, is_byte_space, is_space};
use crate::rules::{Kind, Role, Rules};

/// First byte and the byte behind the last.
pub(crate) type Span = (usize, usize);

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Qualified names grow with the depth, so that all of them together would grow with its square.
const DEEPEST: usize = 100;

/// The span of one definition.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) head: usize,
    kind: Kind,
    qualified_name: String,
    parent: Option<usize>,
    depth: usize,
}

/// A definition before nesting is known.
#[derive(Debug)]
struct Found {
    pattern: usize,
    kind: Kind,
    head: Span,
    name_span: Span,
    name: String,
    qualifiers: Vec<String>,
    body: Option<usize>,
    opening: usize,
    start: usize,
    end: usize,
}

/// Everything that a query says about the definitions of one source.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    source: &'a [u8],
    pub(crate) rules: &'a Rules,
    found: Vec<Found>,
    /// Positions in `found`.
    by_name: Map<(Span, Span), usize>,
    wrappers: Map<Span, Span>,
    leads: Vec<Span>,
    access: HashSet<Span, foldhash::fast::FixedState>,
    local: HashSet<Span, foldhash::fast::FixedState>,
}

/// An open definition, by its place among the found and the nested ones, or a local scope.
struct Scope {
    start: usize,
    end: usize,
    definition: Option<(usize, usize)>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(source: &'a [u8], rules: &'a Rules) -> Self {
        Self {
            source,
            rules,
            found: Vec::new(),
            by_name: Map::default(),
            wrappers: Map::default(),
            leads: Vec::new(),
            access: HashSet::default(),
            local: HashSet::default(),
        }
    }

    /// Takes what one match names, sorted by capture.
    pub(crate) fn add_match(&mut self, pattern: usize, members: &[(Role, Span)]) {
        let first = |wanted: Role| {
            members
                .iter()
                .find(|(role, _)| *role == wanted)
                .map(|&(_, span)| span)
        };
        for &(role, span) in members {
            match role {
                Role::Lead => self.leads.push(span),
                Role::Access => {
                    self.access.insert(span);
                }
                Role::Local => {
                    self.local.insert(span);
                }
                _ => {}
            }
        }
        if let Some(outer) = first(Role::Outer) {
            for (_, inner) in members.iter().filter(|(role, _)| *role == Role::Inner) {
                self.wrappers.insert(*inner, outer);
            }
        }
        if first(Role::Name).is_none() {
            return;
        }
        let mut before = None;
        for &(role, head) in members {
            if let Role::Defined(kind) = role
                && before != Some(role)
            {
                self.add_found(pattern, kind, head, members);
                before = Some(role);
            }
        }
        if let (Some(head), Some(keyword)) = (first(Role::Definition), first(Role::Keyword)) {
            let word = text(self.source, keyword);
            let known = self.rules.keywords.iter().find(|(known, _)| *known == word);
            if let Some(&(_, kind)) = known {
                self.add_found(pattern, kind, head, members);
            }
        }
    }

    fn add_found(&mut self, pattern: usize, kind: Kind, head: Span, members: &[(Role, Span)]) {
        let spans = |wanted: Role| {
            members
                .iter()
                .filter(move |(role, _)| *role == wanted)
                .map(|&(_, span)| span)
        };
        let head = spans(Role::Last)
            .next()
            .map_or(head, |last| (head.0, last.1));
        let body = spans(Role::Body).next().map(|span| span.0);
        for name_span in spans(Role::Name) {
            let known = self.by_name.get(&(head, name_span)).copied();
            // A node matched by several patterns counts once, as the first pattern of the file says.
            if known.is_some_and(|at| self.found[at].pattern <= pattern) {
                continue;
            }
            let mut parts = split_name(&text(self.source, name_span), &self.rules.name_separators);
            let Some(name) = parts.pop().filter(|name| !name.is_empty()) else {
                continue;
            };
            let mut qualifiers: Vec<String> = spans(Role::Qualifier)
                .map(|span| text(self.source, span))
                .collect();
            qualifiers.append(&mut parts);
            let found = Found {
                pattern,
                kind,
                head,
                name_span,
                name,
                qualifiers,
                body,
                opening: 0,
                start: 0,
                end: 0,
            };
            if let Some(at) = known {
                self.found[at] = found;
            } else {
                self.by_name.insert((head, name_span), self.found.len());
                self.found.push(found);
            }
        }
    }

    /// The definitions by start, parents before what they hold.
    pub(crate) fn definitions(mut self) -> Vec<Definition> {
        self.grow_spans();
        let definitions = self.nest();
        if self.rules.clauses_are_one {
            join_clauses(definitions)
        } else {
            definitions
        }
    }

    /// Sets each definition's span: its node, the wrappers around it, and the leads directly above.
    fn grow_spans(&mut self) {
        let leads = leads_by_end(&self.leads, self.source);
        for found in &mut self.found {
            let mut span = found.head;
            while let Some(&outer) = self.wrappers.get(&span)
                && outer != span
            {
                span = outer;
            }
            found.opening = span.0;
            found.start = climb(span.0, &leads, self.source);
            found.end = span.1;
        }
    }

    /// Definitions, local scopes and access sections, outermost first.
    fn events(&self) -> Vec<(Span, Option<usize>)> {
        let found = self.found.iter().enumerate();
        let mut events: Vec<(Span, Option<usize>)> = found
            .map(|(at, found)| ((found.start, found.end), Some(at)))
            .collect();
        events.extend(self.local.union(&self.access).map(|&span| (span, None)));
        events.sort_by_key(|&((start, end), at)| {
            let name = at.map(|at| self.found[at].name_span);
            (start, std::cmp::Reverse(end), name, at)
        });
        events
    }

    /// What stands deeper than 100 definitions inside each other, which no one writes, is held by the 100th.
    fn nest(&self) -> Vec<Definition> {
        let mut definitions: Vec<Definition> = Vec::new();
        let mut scopes: Vec<Scope> = Vec::new();
        for ((start, end), at) in self.events() {
            while scopes
                .last()
                .is_some_and(|scope| !(scope.start <= start && end <= scope.end))
            {
                scopes.pop();
            }
            let Some(at) = at else {
                if !self.access.contains(&(start, end)) {
                    scopes.push(Scope {
                        start,
                        end,
                        definition: None,
                    });
                }
                continue;
            };
            let found = &self.found[at];
            let holder = self.holder(&scopes, found);
            let scope = holder.and_then(|holder| scopes[holder].definition);
            let kind_of_scope = scope.map(|(_, index)| definitions[index].kind);
            let is_local = holder.is_some() && kind_of_scope.is_none_or(Kind::is_callable);
            if is_local && found.kind.is_value() {
                continue;
            }
            let open = if holder.is_some() && scope.is_none() {
                scopes.iter().rev().find_map(|scope| scope.definition)
            } else {
                scope
            };
            let parent = open.and_then(|(_, index)| {
                let definition: &Definition = &definitions[index];
                if definition.depth == DEEPEST {
                    definition.parent
                } else {
                    Some(index)
                }
            });
            definitions.push(Definition {
                start,
                end,
                head: found.opening,
                kind: found.kind.inside(kind_of_scope),
                qualified_name: self.qualified_name(found, parent.map(|at| &definitions[at])),
                parent,
                depth: parent.map_or(0, |at| definitions[at].depth + 1),
            });
            scopes.push(Scope {
                start,
                end,
                definition: Some((at, definitions.len() - 1)),
            });
        }
        definitions
    }

    /// The scope that a definition stands in: a type written before its holder's name stands outside of it.
    fn holder(&self, scopes: &[Scope], found: &Found) -> Option<usize> {
        scopes.iter().rposition(|scope| {
            let Some((at, _)) = scope.definition else {
                return true;
            };
            let outer = &self.found[at];
            let inside = outer.body.unwrap_or(outer.name_span.1);
            outer.head != found.head && inside.min(outer.name_span.1) <= found.head.0
        })
    }

    /// The name where it is compared; nothing in languages in which it is not.
    fn qualified_name(&self, found: &Found, outer: Option<&Definition>) -> String {
        if !self.rules.clauses_are_one {
            return String::new();
        }
        let outer = outer.map(|outer| outer.qualified_name.as_str());
        let own = found.qualifiers.iter().chain(std::iter::once(&found.name));
        let parts: Vec<&str> = outer.into_iter().chain(own.map(String::as_str)).collect();
        parts.join(&self.rules.separator)
    }
}

fn text(source: &[u8], span: Span) -> String {
    let text = String::from_utf8_lossy(&source[span.0..span.1]);
    text.trim_matches(is_space).to_owned()
}

fn split_name(name: &str, separators: &[String]) -> Vec<String> {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let words: Vec<&str> = name
        .split(is_space)
        .filter(|word| !word.is_empty())
        .collect();
    let mut name = words.join(" ");
    if name.starts_with(QUOTES) {
        return vec![name.trim_matches(QUOTES).to_owned()];
    }
    for separator in separators {
        name = name.replace(separator.as_str(), "\0");
    }
    let parts = name.split('\0').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// The end of each lead that starts its line, trailing white space excluded, with its start.
fn leads_by_end(leads: &[Span], source: &[u8]) -> Map<usize, usize> {
    let mut by_end = Map::default();
    for &(start, end) in leads {
        let line = memchr::memrchr(b'\n', &source[..start]).map_or(0, |at| at + 1);
        if source[line..start].iter().all(|&byte| is_blank(byte)) {
            let text = &source[start..end];
            let length = text
                .iter()
                .rposition(|&byte| !is_byte_space(byte))
                .map_or(0, |at| at + 1);
            by_end.insert(start + length, start);
        }
    }
    by_end
}

fn climb(mut start: usize, leads: &Map<usize, usize>, source: &[u8]) -> usize {
    loop {
        let mut before = start;
        while before > 0 && matches!(source[before - 1], b' ' | b'\t' | b'\r' | b'\n') {
            before -= 1;
        }
        let between: Range<usize> = before..start;
        match leads.get(&before) {
            Some(&lead) if memchr::memchr_iter(b'\n', &source[between]).count() <= 1 => {
                start = lead;
            }
            _ => return start,
        }
    }
}

/// Neighbouring clauses of one function, of the same name and parent, become one definition.
fn join_clauses(definitions: Vec<Definition>) -> Vec<Definition> {
    let mut joined: Vec<Definition> = Vec::new();
    let mut moved: Vec<usize> = Vec::new();
    for mut definition in definitions {
        definition.parent = definition.parent.map(|parent| moved[parent]);
        match joined.last_mut() {
            Some(last)
                if last.kind.is_callable()
                    && (last.kind, &last.qualified_name, last.parent)
                        == (
                            definition.kind,
                            &definition.qualified_name,
                            definition.parent,
                        ) =>
            {
                // A damaged clause may stand inside the attribute above the other one, and ends before it.
                last.end = last.end.max(definition.end);
            }
            _ => joined.push(definition),
        }
        moved.push(joined.len() - 1);
    }
    joined
}
