//! Reads Bison's tables, and derives the rules of the grammar from them.
//!
//! gram.c contains the automaton but not the rules. To reconstruct a rule of N symbols, the code follows the automaton
//! N states backwards from a state that reduces the rule. Each state has one symbol, which leads to it. The symbols of
//! these N states, in forward order, are the rule's right-hand side.

use std::collections::{BTreeMap, BTreeSet};

/// The tables of gram.c, by Bison's names without the prefix `yy`.
pub struct Tables {
    pub names: Vec<String>,
    pub terminals: usize,
    pact: Vec<i32>,
    table: Vec<i32>,
    check: Vec<i32>,
    defact: Vec<i32>,
    defgoto: Vec<i32>,
    pgoto: Vec<i32>,
    left: Vec<i32>,
    length: Vec<i32>,
    symbol: Vec<i32>,
    pact_none: i32,
    table_none: i32,
}

impl Tables {
    pub fn read(text: &str) -> Self {
        let array = |name: &str| -> Vec<i32> {
            body(text, name).split(',').filter_map(|number| number.trim().parse().ok()).collect()
        };
        let number = |name: &str| -> i32 {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("#define {name} ")));
            line.and_then(|rest| rest.trim().parse().ok()).unwrap_or_else(|| panic!("gram.c defines no {name}"))
        };
        Self {
            names: strings(body(text, "yytname")),
            terminals: number("YYNTOKENS") as usize,
            pact: array("yypact"),
            table: array("yytable"),
            check: array("yycheck"),
            defact: array("yydefact"),
            defgoto: array("yydefgoto"),
            pgoto: array("yypgoto"),
            left: array("yyr1"),
            length: array("yyr2"),
            symbol: array("yystos"),
            pact_none: number("YYPACT_NINF"),
            table_none: number("YYTABLE_NINF"),
        }
    }

    fn entry(&self, base: i32, at: i32) -> Option<i32> {
        let index = usize::try_from(base + at).ok()?;
        (self.check.get(index) == Some(&at)).then(|| self.table[index])
    }

    /// Returns the state that follows `state` after a nonterminal, or `None` if the nonterminal cannot occur there.
    fn goto(&self, state: usize, symbol: usize) -> Option<usize> {
        let number = symbol - self.terminals;
        usize::try_from(self.entry(self.pgoto[number], state as i32).unwrap_or(self.defgoto[number])).ok()
    }

    /// Returns the left-hand and right-hand side of each rule; `None` if the right-hand side is not found.
    pub fn rules(&self) -> Vec<Option<(usize, Vec<usize>)>> {
        let states = self.pact.len();
        let mut before: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); states];
        let mut ends: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new(); // rule -> states that reduce it
        for state in 0..states {
            let mut reduces = BTreeSet::new();
            if self.defact[state] > 0 {
                reduces.insert(self.defact[state] as usize);
            }
            for terminal in 0..self.terminals {
                if self.pact[state] == self.pact_none {
                    break;
                }
                match self.entry(self.pact[state], terminal as i32) {
                    Some(action) if action > 0 => {
                        before[action as usize].insert(state);
                    }
                    Some(action) if action < 0 && action != self.table_none => {
                        reduces.insert(-action as usize);
                    }
                    _ => {}
                }
            }
            for rule in reduces {
                ends.entry(rule).or_default().insert(state);
            }
        }
        // Find the right-hand side of each rule. Start at the states that reduce the rule, and go back to their
        // predecessors, once for each symbol of the right-hand side. This leads to the states in which the right-hand
        // side begins. When the parser reduces the rule, it goes from such a `state` to `next`. Therefore `state` is
        // also a predecessor of `next`, and other rules may need this predecessor. Repeat until there are no new
        // predecessors.
        let mut rules = vec![None; self.left.len()];
        loop {
            let mut changed = false;
            for (&rule, states) in &ends {
                let left = self.left[rule] as usize;
                let mut right = Vec::new();
                let mut level = states.clone();
                for _ in 0..self.length[rule] {
                    right.extend(level.iter().next().map(|state| self.symbol[*state] as usize));
                    level = level.iter().flat_map(|state| before[*state].iter().copied()).collect();
                }
                for &state in &level {
                    changed |= self.goto(state, left).is_some_and(|next| before[next].insert(state));
                }
                if !level.is_empty() {
                    right.reverse();
                    rules[rule] = Some((left, right));
                }
            }
            if !changed {
                return rules;
            }
        }
    }
}

/// Returns the text between the braces of the array `name`.
fn body<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text.find(&format!(" {name}[] =\n{{")).or_else(|| text.find(&format!("*const {name}[] =\n{{")));
    let start = start.unwrap_or_else(|| panic!("gram.c has no {name}"));
    let open = start + text[start..].find('{').expect("found") + 1;
    &text[open..open + text[open..].find("};").expect("an array ends")]
}

/// Returns the string literals of an array.
fn strings(body: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = body.chars();
    while chars.by_ref().any(|c| c == '"') {
        let mut text = String::new();
        while let Some(c) = chars.next() {
            match c {
                '"' => break,
                '\\' => text.extend(chars.next()),
                _ => text.push(c),
            }
        }
        found.push(text);
    }
    found
}
