//! Random sentences of a grammar.

use std::borrow::Cow;

use fastrand::Rng;

use super::{Grammar, INFINITE};

/// Generates random sentences of a grammar. The seed is fixed, so every run generates the same sentences.
pub struct Sentences<'g> {
    grammar: &'g Grammar,
    start: usize,
    /// The distance of each symbol from the start symbol, in rules.
    distance: Vec<Option<usize>>,
    /// The rules that contain each symbol.
    users: Vec<Vec<usize>>,
    /// Number of uses of each rule.
    used: Vec<u32>,
    rng: Rng,
}

const NAMES: &[&str] = &[
    "a",
    "t",
    "\"Zz y\"",
    "\"select\"",
    "\"a\"\"b\"",
    "\"time\"",
    "f",
    "\"on\"",
    "\"é\"",
    "\"operator\"",
    "\"set\"",
    "\"rows\"",
    "\"nulls\"",
    "\"first\"",
    "\"without\"",
    "\"ordinality\"",
    "\"unbounded\"",
    "\"cube\"",
    "\"public\"",
    "\"none\"",
    "\"all\"",
    "\"default\"",
    "\"values\"",
    "\"partition\"",
    "\"temp\"",
];
const STRINGS: &[&str] = &["'a'", "''", "'it''s'", "E'a\\\\b'", "$$x$$", "'$$'", "'a$'", "'on'", "'zone'", "'Zz y'"];
const OPERATORS: &[&str] = &["||", "@", "->", "~~", "!~~*", "<<", "~", "&&", "?", "!"];
const INTEGERS: &[&str] = &["1", "0", "42", "2147483647"];
const FLOATS: &[&str] = &["1.5", "0.0", "1e10", "99999999999"];

impl<'g> Sentences<'g> {
    /// Creates a generator of sentences that can be derived from the symbol `start`.
    pub fn new(grammar: &'g Grammar, start: &str) -> Self {
        let start = grammar.symbol(start);
        let (distance, users) = grammar.reachable(start);
        Self { grammar, start, distance, users, used: vec![0; grammar.rules.len()], rng: Rng::with_seed(1) }
    }

    /// Returns whether any sentence of the grammar can use the rule.
    pub fn reaches(&self, number: usize) -> bool {
        let Some((left, right)) = &self.grammar.rules[number] else { return false };
        self.distance[*left].is_some() && right.iter().all(|symbol| self.grammar.cost[*symbol] < INFINITE)
    }

    /// Returns a sentence of about `size` tokens that uses the rule `number`, and the numbers of all rules that the
    /// sentence uses. Returns `None` if no sentence uses the rule.
    pub fn sentence(&mut self, number: usize, size: u32) -> Option<(String, Vec<usize>)> {
        if !self.reaches(number) {
            return None;
        }
        let path = self.path(number)?;
        let mut out = Sentence { text: String::new(), rules: Vec::new(), budget: size };
        self.follow(&path, &mut out);
        Some((out.text, out.rules))
    }

    /// Returns the rules of a random path from the rule `number` up to the start symbol. The path
    /// may be slightly longer than the shortest path.
    fn path(&mut self, number: usize) -> Option<Vec<usize>> {
        let left_of = |rule: usize| self.grammar.rules[rule].as_ref().map(|(left, _)| *left);
        let mut path = vec![number];
        let mut at = left_of(number)?;
        while at != self.start {
            let distance = self.distance[at]?;
            let detour = usize::from(path.len() < 12) * (self.rng.usize(..3) / 2 + 1);
            let near = |rule: &usize| {
                left_of(*rule).and_then(|left| self.distance[left]).is_some_and(|left| left < distance + detour)
            };
            let users: Vec<usize> = self.users[at].iter().copied().filter(near).collect();
            let parent = users[self.rng.usize(..users.len())];
            path.push(parent);
            at = left_of(parent)?;
        }
        Some(path)
    }

    /// Expands the rules of `path`, from the last rule to the first rule. Expands all remaining symbols at random.
    fn follow(&mut self, path: &[usize], out: &mut Sentence) {
        let (rule, rest) = path.split_last().expect("a path has a rule");
        out.rules.push(*rule);
        self.used[*rule] += 1;
        let grammar = self.grammar;
        let (_, right) = grammar.rules[*rule].as_ref().expect("paths are of known rules");
        let next_left = rest.last().map(|next| self.grammar.rules[*next].as_ref().expect("paths are of known rules").0);
        let mut followed = false;
        for symbol in right.iter().copied() {
            if !followed && next_left == Some(symbol) {
                followed = true;
                self.follow(rest, out);
            } else {
                self.expand_in(*rule, symbol, out);
            }
        }
    }

    /// Returns a fixed text for a symbol if the parser's actions refuse some of its expansions in this rule. Otherwise
    /// returns `None`. For example, the text is `superuser` for the name of a role's option, because the parser refuses
    /// most other names.
    fn fixed_text(&self, rule: usize, symbol: usize) -> Option<&'static str> {
        let name = |symbol: usize| self.grammar.names[symbol].as_str();
        let left = self.grammar.rules[rule].as_ref().map_or("", |(left, _)| name(*left));
        match (left, name(symbol)) {
            ("json_table", "a_expr") => Some("'$.a' "),
            ("a_expr", "row") => Some("( a , b ) "),
            ("PartitionBoundSpec", "hash_partbound") => Some("modulus 4 , remainder 1 "),
            ("PartitionSpec", "ColId") => Some("range "),
            ("AlterOptRoleElem", "IDENT") => Some("superuser "),
            ("RowSecurityDefaultPermissive", "IDENT") => Some("restrictive "),
            _ => None,
        }
    }

    fn expand_in(&mut self, rule: usize, symbol: usize, out: &mut Sentence) {
        match self.fixed_text(rule, symbol) {
            Some(text) => out.text.push_str(text),
            None => self.expand(symbol, out),
        }
    }

    fn expand(&mut self, symbol: usize, out: &mut Sentence) {
        if symbol < self.grammar.terminals {
            return self.terminal(symbol, out);
        }
        let grammar = self.grammar;
        let chosen = if out.budget < grammar.cost[symbol] {
            grammar.cheapest[symbol].expect("a symbol has rules")
        } else {
            let mut affordable = Cow::Borrowed(&grammar.by_left[symbol]);
            if grammar.highest_cost[symbol] > out.budget {
                affordable.to_mut().retain(|rule| grammar.rule_cost[*rule] <= out.budget);
            }
            // Chooses the least used of three random rules, so that every rule is used eventually.
            let three = [(); 3].map(|()| affordable[self.rng.usize(..affordable.len())]);
            *three.iter().min_by_key(|rule| self.used[**rule]).expect("there are three")
        };
        self.used[chosen] += 1;
        out.rules.push(chosen);
        let (_, right) = grammar.rules[chosen].as_ref().expect("listed rules are known");
        for symbol in right {
            self.expand_in(chosen, *symbol, out);
        }
    }

    /// Returns a keyword as a quoted name.
    fn keyword_as_name(&mut self) -> String {
        loop {
            let symbol = self.rng.usize(..self.grammar.terminals);
            let text = self.grammar.texts[symbol].as_deref().unwrap_or_default();
            if text.len() > 1 && text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') {
                return format!("\"{}\"", text.to_lowercase());
            }
        }
    }

    fn terminal(&mut self, symbol: usize, out: &mut Sentence) {
        let grammar = self.grammar;
        let any_of = |rng: &mut Rng, texts: &[&'static str]| texts[rng.usize(..texts.len())];
        let text = match grammar.names[symbol].as_str() {
            "IDENT" if self.rng.usize(..3) == 0 => &self.keyword_as_name(),
            "IDENT" => any_of(&mut self.rng, NAMES),
            "SCONST" => any_of(&mut self.rng, STRINGS),
            "ICONST" => any_of(&mut self.rng, INTEGERS),
            "FCONST" => any_of(&mut self.rng, FLOATS),
            "Op" => any_of(&mut self.rng, OPERATORS),
            "BCONST" => "b'01'",
            "XCONST" => "x'1F'",
            "PARAM" => "$1",
            _ => grammar.texts[symbol].as_deref().unwrap_or_default(),
        };
        out.text.push_str(text);
        out.text.push(' ');
        out.budget = out.budget.saturating_sub(1);
    }
}

/// A sentence that is being expanded.
struct Sentence {
    text: String,
    rules: Vec<usize>,
    /// Number of tokens that may still be added.
    budget: u32,
}
