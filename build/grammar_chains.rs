//! Chains of empty rules. The parser applies a whole chain in one step. For example, after `SELECT a` the grammar
//! applies one empty rule for each omitted clause, and the value of each of these rules is constant. The rules and the
//! following action depend only on the state and the next token. Therefore the build can compute them.
//!
//! Chains start only at states that are frequent according to grammar_order.txt. In other states the parser applies
//! each rule separately.

use std::collections::HashMap;

use crate::grammar_actions::Actions;
use crate::grammar_order::Order;
use crate::grammar_tables::{Action, Tables};

/// Maximum length of a chain of empty rules. It is below the initial size of the parser's stack, so doubling the
/// stack always makes enough room for a chain.
const LONGEST: usize = 16;

/// Number of symbols that the parser copies with one call of `memcpy` when it applies a chain of empty rules. The
/// number is a constant, because `memcpy` is fast if the compiler knows the length. If the chain is shorter, the copied symbols after its end are
/// ignored. If the chain is longer, a loop copies the rest.
pub const AT_ONCE: usize = 4;

/// A sequence of empty rules, each with the state after its reduction, and the action after the last rule.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Chain {
    made: Vec<(i32, i32)>,
    then: Action,
}

/// The parser's step in a state at a token.
#[derive(Clone, Copy)]
pub enum Step {
    Chain(usize),
    Plain(Action),
}

#[derive(Default)]
pub struct Chains {
    chains: Vec<Chain>,
    numbers: HashMap<Chain, usize>,
    /// For each state, the chain to apply if `entries` has no step for the token.
    otherwise: HashMap<i32, usize>,
    /// The steps by state and token.
    entries: HashMap<(i32, i32), Step>,
}

impl Chains {
    pub fn of(tables: &Tables, order: &Order, actions: &Actions) -> Self {
        let mut chains = Self::default();
        for state in order.states.most_frequent() {
            let otherwise = Chain::at(tables, actions, state, None);
            if let Some(chain) = otherwise.clone().filter(|chain| chain.then != Action::Error) {
                let number = chains.number(chain);
                chains.otherwise.insert(state, number);
            }
            for token in tables.tokens() {
                let chain = Chain::at(tables, actions, state, Some(token));
                if chain == otherwise {
                    continue; // also if both are `None`
                }
                let step = match chain {
                    // For this token, the chain of empty rules ends in a syntax error. The parser reports the same
                    // error without a chain. Therefore no step is stored, unless the state has a default chain, which
                    // the parser would otherwise apply.
                    Some(Chain { then: Action::Error, .. }) if !chains.otherwise.contains_key(&state) => continue,
                    Some(Chain { then: Action::Error, .. }) => Step::Plain(Action::Error),
                    Some(chain) => Step::Chain(chains.number(chain)),
                    None => Step::Plain(tables.action(state, Some(token))),
                };
                chains.entries.insert((state, token), step);
            }
        }
        chains
    }

    fn number(&mut self, chain: Chain) -> usize {
        let Self { chains, numbers, .. } = self;
        *numbers.entry(chain).or_insert_with_key(|chain| {
            chains.push(chain.clone());
            chains.len() - 1
        })
    }

    pub fn len(&self) -> usize {
        self.chains.len()
    }

    pub fn otherwise(&self, state: i32) -> Option<usize> {
        self.otherwise.get(&state).copied()
    }

    pub fn step(&self, state: i32, token: i32) -> Option<Step> {
        self.entries.get(&(state, token)).copied()
    }

    /// Returns two C arrays: the symbols of all chains of empty rules, and the position of each chain in the first
    /// array.
    pub fn write(
        &self,
        actions: &Actions,
        state: impl Fn(i32) -> i32,
        action: impl Fn(Action) -> i32,
    ) -> (String, String) {
        let mut places: HashMap<&[(i32, i32)], usize> = HashMap::new();
        let (mut symbols, mut chains) = (Vec::new(), String::new());
        for Chain { made, then } in &self.chains {
            let place = *places.entry(made).or_insert_with(|| {
                let symbol = |(rule, behind): &(i32, i32)| {
                    let value = actions.constant(*rule).expect("a rule of a chain has a constant");
                    format!("{{{{{value}}},-1,{}}},\n", state(*behind))
                };
                symbols.extend(made.iter().map(symbol));
                symbols.len() - made.len()
            });
            chains += &format!("{{{place},{},{}}},\n", made.len(), action(*then));
        }
        symbols.extend(std::iter::repeat_n("{{0},0,0},\n".to_string(), AT_ONCE));
        (symbols.concat(), chains + "{0,0,0},\n")
    }
}

impl Chain {
    /// Returns the chain of empty rules that the parser applies in a state at a token. If `token` is `None`, returns
    /// the chain of the state's default rules, which apply to all tokens that have no entry in the state's table row.
    /// Returns `None` if the first action is not an empty rule.
    fn at(tables: &Tables, actions: &Actions, mut state: i32, token: Option<i32>) -> Option<Self> {
        let mut made = Vec::new();
        loop {
            let then = tables.action(state, token);
            match then {
                Action::Reduce(rule)
                    if tables.length(rule) == 0 && actions.constant(rule).is_some() && made.len() < LONGEST =>
                {
                    state = tables.goto(state, rule);
                    made.push((rule, state));
                }
                _ => return (!made.is_empty()).then_some(Self { made, then }),
            }
        }
    }
}
