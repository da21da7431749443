//! PostgreSQL's grammar, read from the tables of the parser that pgq uses, and random sentences of this grammar
//! ([`Sentences`]). The sentences cover every rule that a statement can use.

mod bison;
mod sentences;

use std::collections::VecDeque;
use std::path::Path;

use bison::Tables;
pub use sentences::Sentences;

/// The grammar. Symbols are numbers, terminals first.
pub struct Grammar {
    names: Vec<String>,
    terminals: usize,
    /// Left-hand and right-hand side of each rule; `None` if the right-hand side was not found.
    pub rules: Vec<Option<(usize, Vec<usize>)>>,
    /// The rules of each symbol, by left-hand side.
    by_left: Vec<Vec<usize>>,
    /// The text of each terminal; see `text_of`.
    texts: Vec<Option<String>>,
    /// Minimum number of terminals that each symbol expands to.
    cost: Vec<u32>,
    /// Minimum number of terminals that each rule expands to.
    rule_cost: Vec<u32>,
    /// The first of the cheapest rules of each symbol.
    cheapest: Vec<Option<usize>>,
    /// The cost of the most expensive rule of each symbol.
    highest_cost: Vec<u32>,
}

/// The cost of a symbol that cannot be expanded to terminals.
const INFINITE: u32 = u32::MAX / 4;

impl Grammar {
    /// Reads the grammar from the sources in the folder `libpg_query`.
    ///
    /// # Panics
    /// Panics if the folder does not contain the parser's tables.
    #[must_use]
    pub fn read(libpg_query: &Path) -> Self {
        let path = libpg_query.join("src/postgres/src_backend_parser_gram.c");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let tables = Tables::read(&text);
        let rules = tables.rules();
        let mut by_left = vec![Vec::new(); tables.names.len()];
        for (number, rule) in rules.iter().enumerate() {
            if let Some((left, _)) = rule {
                by_left[*left].push(number);
            }
        }
        let mut grammar = Self {
            cost: vec![INFINITE; tables.names.len()],
            rule_cost: vec![INFINITE; rules.len()],
            texts: tables.names.iter().take(tables.terminals).map(|name| text_of(name)).collect(),
            names: tables.names,
            terminals: tables.terminals,
            rules,
            by_left,
            cheapest: Vec::new(),
            highest_cost: Vec::new(),
        };
        grammar.find_costs();
        let cost = |rule: &&usize| grammar.rule_cost[**rule];
        grammar.cheapest = grammar.by_left.iter().map(|rules| rules.iter().min_by_key(cost).copied()).collect();
        let highest = |rules: &Vec<usize>| rules.iter().map(|rule| grammar.rule_cost[*rule]).max().unwrap_or(0);
        grammar.highest_cost = grammar.by_left.iter().map(highest).collect();
        grammar
    }

    fn find_costs(&mut self) {
        for symbol in 0..self.terminals {
            self.cost[symbol] = if self.texts[symbol].is_some() { 1 } else { INFINITE };
        }
        loop {
            let mut changed = false;
            for (rule, rule_cost) in self.rules.iter().zip(&mut self.rule_cost) {
                let Some((left, right)) = rule else { continue };
                *rule_cost = right.iter().fold(0, |sum, symbol| (sum + self.cost[*symbol]).min(INFINITE));
                if *rule_cost < self.cost[*left] {
                    self.cost[*left] = *rule_cost;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns the symbol with this name.
    pub fn symbol(&self, name: &str) -> usize {
        self.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("the grammar has no {name}"))
    }

    /// Formats a rule for messages: `a_expr: a_expr '+' a_expr`.
    pub fn rule(&self, number: usize) -> String {
        match &self.rules[number] {
            Some((left, right)) => {
                let right: Vec<&str> = right.iter().map(|symbol| self.names[*symbol].as_str()).collect();
                format!("{}: {}", self.names[*left], right.join(" "))
            }
            None => format!("rule {number}"),
        }
    }

    /// Returns two lists with one entry per symbol: the number of rules between `start` and the symbol (`None` if the
    /// symbol is not reachable), and the reachable rules whose right-hand side contains the symbol.
    fn reachable(&self, start: usize) -> (Vec<Option<usize>>, Vec<Vec<usize>>) {
        let mut distance = vec![None; self.names.len()];
        distance[start] = Some(0);
        let mut users = vec![Vec::new(); self.names.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(left) = queue.pop_front() {
            for number in &self.by_left[left] {
                let (_, right) = self.rules[*number].as_ref().expect("listed");
                if right.iter().any(|symbol| self.cost[*symbol] >= INFINITE) {
                    continue;
                }
                for symbol in right.iter().copied().filter(|symbol| *symbol >= self.terminals) {
                    if users[symbol].last() != Some(number) {
                        users[symbol].push(*number);
                    }
                    if distance[symbol].is_none() {
                        distance[symbol] = distance[left].map(|distance| distance + 1);
                        queue.push_back(symbol);
                    }
                }
            }
        }
        (distance, users)
    }
}

/// Returns the text of a terminal; `None` for terminals that occur in no statement. For names and constants, the text
/// is empty, because each sentence chooses a text for them.
fn text_of(name: &str) -> Option<String> {
    Some(match name {
        "$end" | "error" | "$undefined" | "UIDENT" | "USCONST" => return None,
        _ if name.starts_with("MODE_") => return None,
        "IDENT" | "SCONST" | "ICONST" | "FCONST" | "Op" | "PARAM" | "BCONST" | "XCONST" => String::new(),
        "TYPECAST" => "::".into(),
        "DOT_DOT" => "..".into(),
        "COLON_EQUALS" => ":=".into(),
        "EQUALS_GREATER" => "=>".into(),
        "LESS_EQUALS" => "<=".into(),
        "GREATER_EQUALS" => ">=".into(),
        "NOT_EQUALS" => "<>".into(),
        _ if name.starts_with('\'') => name.trim_matches('\'').into(),
        _ if name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_') => {
            name.strip_suffix("_P").or(name.strip_suffix("_LA")).unwrap_or(name).into()
        }
        _ => return None, // the name of a precedence
    })
}
