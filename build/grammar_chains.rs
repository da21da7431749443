//! Symbols that are made of nothing, several at a time. Behind `SELECT a` the grammar makes one for each clause that
//! is not there: a rule without symbols, whose value is a constant. Which of them apply, and what comes then, depends
//! on the state and the next token alone, so that it is known when building.
//!
//! A chain is made of the states that the parser meets; in others each rule is applied by itself.

use std::collections::HashMap;

use crate::grammar_actions::Actions;
use crate::grammar_order::Order;
use crate::grammar_tables::{Action, Tables};

/// The longest chain, so that the parser's stack has room for it once it has grown.
const LONGEST: usize = 16;

/// How many symbols of a chain are copied at once, which may be more than it has.
pub const AT_ONCE: usize = 4;

/// Rules without symbols, each with the state behind its symbol, and what is to be done then.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Chain {
    made: Vec<(i32, i32)>,
    then: Action,
}

/// What to do in a state at a token.
#[derive(Clone, Copy)]
pub enum Step {
    Chain(usize),
    Plain(Action),
}

#[derive(Default)]
pub struct Chains {
    chains: Vec<Chain>,
    numbers: HashMap<Chain, usize>,
    /// By state, where no token has an entry.
    otherwise: HashMap<i32, usize>,
    /// By state and token.
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
                    continue; // also where neither is one
                }
                let step = match chain {
                    // Behind some of its rules no token is right: there the parser stops anyway.
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

    /// As C: the symbols of all chains, and where each chain's are.
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
    /// What is made of nothing in a state at a token, or at one for which no state on the way has an entry. `None`
    /// where the first rule is another one.
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
