//! Lays out the tables of PostgreSQL's grammar for locality. Values that are looked up together are adjacent, and the
//! most frequent rows (grammar_order.rs) are first.

use std::collections::{BTreeSet, HashMap};

use crate::grammar::cut;
use crate::grammar_actions::Actions;
use crate::grammar_chains::{AT_ONCE, Chains, Step};
use crate::grammar_order::{Numbers, Order};
use crate::grammar_packing::{Packing, Row};

/// The terminal after the last token.
const END: i32 = 0;

/// The parser's action at a token, with Bison's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Shift(i32),
    Reduce(i32),
    Accept,
    Error,
}

/// Bison's parsing tables.
pub struct Tables {
    /// For each rule, the symbol on its left-hand side, and the number of symbols on its right-hand side.
    pub rules: Vec<(i32, i32)>,
    /// For each state, the offset of its entries, and the default rule.
    pub states: Vec<(i32, i32)>,
    /// For each nonterminal, the offset of its entries, and the default state.
    symbols: Vec<(i32, i32)>,
    /// For each entry, its key and its action. For a terminal, the key is the terminal. For a nonterminal, the key is
    /// the state below the nonterminal on the stack.
    entries: Vec<(i32, i32)>,
    pub terminals: i32,
    /// The terminal of each kind of token.
    of_kinds: Vec<i32>,
    /// The offset that marks a state without entries.
    no_entries: i32,
    /// The action that marks an error.
    error: i32,
    /// The state that accepts the input.
    accepting: i32,
    /// For each rule, whether it only renames a symbol, so that the symbol's value and location stay the same.
    renames: Vec<bool>,
}

impl Tables {
    pub fn read(text: &str, actions: &Actions) -> Result<Self, String> {
        let both = |one, other| {
            let (one, other) = (numbers(text, one)?, numbers(text, other)?);
            let same = one.len() == other.len();
            same.then(|| one.into_iter().zip(other).collect()).ok_or("tables of different lengths".to_string())
        };
        let rules: Vec<(i32, i32)> = both("yyr1", "yyr2")?;
        Ok(Self {
            renames: (0..).zip(&rules).map(|(rule, (_, length))| *length == 1 && !actions.has(rule)).collect(),
            rules,
            states: both("yypact", "yydefact")?,
            symbols: both("yypgoto", "yydefgoto")?,
            entries: both("yycheck", "yytable")?,
            terminals: define(text, "YYNTOKENS")?,
            of_kinds: numbers(text, "yytranslate")?,
            no_entries: define(text, "YYPACT_NINF")?,
            error: define(text, "YYTABLE_NINF")?,
            accepting: define(text, "YYFINAL")?,
        })
    }

    /// Returns the index of the entry for `key` among the entries at offset `entries`.
    fn entry(&self, entries: i32, key: i32) -> Option<usize> {
        let at = usize::try_from(entries + key).ok()?;
        self.entries.get(at).is_some_and(|(check, _)| *check == key).then_some(at)
    }

    /// Returns the range of the terminals.
    pub fn tokens(&self) -> std::ops::Range<i32> {
        0..self.terminals
    }

    /// Returns the number of symbols on a rule's right-hand side.
    pub fn length(&self, rule: i32) -> i32 {
        self.rules[rule as usize].1
    }

    /// Returns the action in a state at a token. Without a token, returns the state's default action.
    pub fn action(&self, state: i32, token: Option<i32>) -> Action {
        let (entries, otherwise) = self.states[state as usize];
        let at = token.filter(|_| entries != self.no_entries).and_then(|token| self.entry(entries, token));
        match at.map_or(-otherwise, |at| self.entries[at].1) {
            action if action == 0 || action == self.error => Action::Error,
            action if action == self.accepting && token == Some(END) => Action::Accept,
            action if action > 0 => Action::Shift(action),
            action => Action::Reduce(-action),
        }
    }

    /// Returns the next state after the reduction of `rule` on top of the state `below`.
    pub fn goto(&self, below: i32, rule: i32) -> i32 {
        let (entries, otherwise) = self.made_by(rule);
        self.settled(self.entry(entries, below).map_or(otherwise, |at| self.entries[at].1), below)
    }

    /// Returns the entry in `symbols` for a rule's left-hand side.
    fn made_by(&self, rule: i32) -> (i32, i32) {
        self.symbols[(self.rules[rule as usize].0 - self.terminals) as usize]
    }

    /// If the parser reduces the same rule in this state for every next token, and this rule only renames a symbol (`a:
    /// b`), returns the rule.
    fn renamed_by(&self, state: i32) -> Option<i32> {
        let (entries, rule) = self.states[state as usize];
        (entries == self.no_entries && rule > 0 && self.renames[rule as usize]).then_some(rule)
    }

    /// Repeatedly applies rules that only rename a symbol, such as `a: b`. At the start, `state` is on top of the
    /// stack, and `below` is the state below it. Returns the state after the last rule.
    fn settled(&self, mut state: i32, below: i32) -> i32 {
        while let Some(rule) = self.renamed_by(state) {
            let (entries, default) = self.made_by(rule);
            state = self.entry(entries, below).map_or(default, |at| self.entries[at].1);
        }
        state
    }

    /// Applies rules that only rename a symbol, such as `a: b`, at build time. The target of each table entry
    /// becomes the state that the parser reaches after these rules. If several states share an entry, the entry
    /// changes only if the rules lead from all of these states to the same state.
    pub fn settle(&mut self) {
        let mut settled = self.entries.clone();
        for (entries, _) in &self.symbols {
            for below in 0..self.states.len() as i32 {
                if let Some(at) = self.entry(*entries, below) {
                    settled[at].1 = self.settled(self.entries[at].1, below);
                }
            }
        }
        let mut shifts: HashMap<usize, BTreeSet<i32>> = HashMap::new();
        for (below, (entries, _)) in (0..).zip(&self.states).filter(|(_, state)| state.0 != self.no_entries) {
            for terminal in 0..self.terminals {
                if let Some(at) = self.entry(*entries, terminal).filter(|at| self.entries[*at].1 > 0) {
                    shifts.entry(at).or_default().insert(self.settled(self.entries[at].1, below));
                }
            }
        }
        for (at, states) in shifts {
            if let (Some(state), 1) = (states.first(), states.len()) {
                settled[at].1 = *state;
            }
        }
        self.entries = settled;
    }

    /// Returns two pieces of C code: the tables as arrays of structs, and the cases of the rules' actions. `order`
    /// determines the numbers in both.
    pub fn write(&self, order: &Order, actions: &Actions) -> Result<(String, String), String> {
        let chains = Chains::of(self, order, actions);
        let numbered = Numbered {
            states: order.states.renumbered("states", self.states.len())?,
            terminals: order.terminals.renumbered("terminals", self.terminals as usize)?,
            rules: order.rules.renumbered("rules", self.rules.len() + 1)?,
            tables: self,
        };
        let Numbered { states, terminals, rules, .. } = &numbered;
        let rows = self.rows(order, &numbered, &chains);
        let packing = Packing::of(&rows, self.states.len().max(self.terminals as usize));
        let (of_states, of_symbols) = packing.places.split_at(self.states.len());

        let state = |state: i32| {
            let row = state as usize;
            let at = if rows[row].is_empty() { -1 } else { of_states[row] as i64 };
            let otherwise = match chains.otherwise(state) {
                Some(chain) => numbered.chain(chain),
                None => rules.of(self.states[row].1),
            };
            format!("{{{at},{otherwise}}},\n")
        };
        let symbol = |(at, (_, state)): (&usize, &(i32, i32))| {
            // The default action may rename the symbol.
            let renamed = (*state >= 0).then(|| self.renamed_by(*state)).flatten();
            let otherwise = match renamed {
                Some(rule) => self.terminals - self.rules[rule as usize].0,
                None if *state >= 0 => numbered.next(*state),
                None => *state,
            };
            format!("{{{at},{otherwise}}}")
        };
        let symbols: Vec<String> = of_symbols.iter().zip(&self.symbols).map(symbol).collect();
        let made = |rule: i32| match self.rules.get(rule as usize) {
            Some((made, _)) if rule > 0 => format!("{},\n", symbols[(made - self.terminals) as usize]),
            _ => "{0,0},\n".into(),
        };
        let case = |(number, rule): (i32, i32)| match self.rules.get(rule as usize) {
            Some(_) if rule == 0 => format!("case {number}:\nreturn false;\n"), // for rules without an action
            Some((_, length)) => actions.case(rule, number, *length),
            None => format!("case {number}:\nreturn true;\n"), // for the end of the input
        };
        if self.states.len().max(chains.len()) + self.rules.len() > i16::MAX as usize {
            return Err("too many states, rules and chains for an entry".into());
        }
        let (chain_symbols, chain_rows) =
            chains.write(actions, |state| states.of(state), |action| numbered.action(action));
        let count = self.states.len();
        let tables = [
            format!("enum {{ STATES = {count}, CHAINS = {}, AT_ONCE = {AT_ONCE} }};\n\n", numbered.chain(0)),
            array("uint16 terminals", self.of_kinds.iter().map(|kind| format!("{},\n", terminals.of(*kind))).collect()),
            array(
                "Entry entries",
                packing.entries.iter().map(|(key, action)| format!("{{{key},{action}}},\n")).collect(),
            ),
            array("State states", states.old().map(state).collect()),
            array("Symbol symbols", symbols.iter().map(|symbol| format!("{symbol},\n")).collect()),
            array("Symbol made_by", rules.old().map(made).collect()),
            array("Slot chain_symbols", chain_symbols),
            array("Chain chains", chain_rows),
        ];
        Ok((tables.concat(), (0..).zip(rules.old()).map(case).collect()))
    }

    /// Returns the entries of each state, then the entries of each nonterminal, with new numbers.
    fn rows(&self, order: &Order, numbered: &Numbered, chains: &Chains) -> Vec<Row> {
        let of_state = |(state, (entries, _)): (i32, &(i32, i32))| {
            let entry = |terminal: i32| {
                let action = match chains.step(state, terminal) {
                    Some(Step::Chain(chain)) => -numbered.chain(chain),
                    Some(Step::Plain(action)) => numbered.action(action),
                    None if *entries == self.no_entries => return None,
                    None => {
                        self.entry(*entries, terminal).map(|_| numbered.action(self.action(state, Some(terminal))))?
                    }
                };
                Some((numbered.terminals.of(terminal) as usize, action))
            };
            Row::new(self.tokens().filter_map(entry).collect(), order.states.rank(state))
        };
        // The rank of a symbol is the rank of its most frequent rule.
        let mut ranks: HashMap<i32, usize> = HashMap::new();
        for (rule, (made, _)) in (0..).zip(&self.rules) {
            let rank = ranks.entry(*made).or_insert(usize::MAX);
            *rank = order.rules.rank(rule).min(*rank);
        }
        let of_symbol = |(symbol, (entries, _)): (i32, &(i32, i32))| {
            let entry = |below: i32| {
                let to = self.entries[self.entry(*entries, below)?].1;
                Some((numbered.states.of(below) as usize, numbered.next(to)))
            };
            let rank = ranks.get(&(symbol + self.terminals)).copied().unwrap_or(usize::MAX);
            Row::new((0..self.states.len() as i32).filter_map(entry).collect(), rank)
        };
        (0..).zip(&self.states).map(of_state).chain((0..).zip(&self.symbols).map(of_symbol)).collect()
    }
}

/// The parser's tables, with new numbers for states, terminals and rules.
struct Numbered<'a> {
    states: Numbers,
    terminals: Numbers,
    rules: Numbers,
    tables: &'a Tables,
}

impl Numbered<'_> {
    /// Returns the number that represents a target state in the parser's tables. Usually this is the state's own
    /// number.
    ///
    /// The exception is a state that reduces the same nonempty rule for every next token. The parser can apply this
    /// rule without entering the state. Therefore the result represents the rule: it is the number of states plus the
    /// rule's number. A state that reduces an empty rule keeps its own number, because the reduction leaves the state
    /// on the stack.
    fn next(&self, state: i32) -> i32 {
        let Tables { states, rules, no_entries, .. } = self.tables;
        let (entries, rule) = states[state as usize];
        let applies = entries == *no_entries && rule > 0 && rules[rule as usize].1 > 0;
        if applies { states.len() as i32 + self.rules.of(rule) } else { self.states.of(state) }
    }

    /// Returns the encoding of an action.
    fn action(&self, action: Action) -> i32 {
        match action {
            Action::Shift(state) => self.next(state),
            Action::Reduce(rule) => -self.rules.of(rule),
            Action::Accept => -self.rules.of(self.tables.rules.len() as i32), // one more than the highest rule number
            Action::Error => 0,
        }
    }

    /// Returns the number of a chain. The numbers of chains start after the numbers of rules.
    fn chain(&self, chain: usize) -> i32 {
        (self.tables.rules.len() + 1 + chain) as i32
    }
}

fn array(name: &str, rows: String) -> String {
    format!("static const {name}[] = {{\n{rows}}};\n\n")
}

/// Parses the numbers in `static const TYPE name[] = { … };`.
pub fn numbers(text: &str, name: &str) -> Result<Vec<i32>, String> {
    let (_, rest) = cut(text, &format!(" {name}[] =\n{{\n"))?;
    let (body, _) = cut(rest, "};")?;
    let parsed = body.split(',').map(|number| number.trim().parse()).collect::<Result<Vec<i32>, _>>();
    parsed.map_err(|problem| format!("{name}: {problem}"))
}

/// Parses the number in `#define name NUMBER`.
pub fn define(text: &str, name: &str) -> Result<i32, String> {
    let (_, rest) = cut(text, &format!("\n#define {name} "))?;
    let number = rest.lines().next().unwrap_or_default().trim();
    number.parse().map_err(|_| format!("{name} is {number:?}"))
}
