//! PostgreSQL's LALR automaton without the C code of the grammar's rules. It reads tokens and returns the rules that
//! apply. It builds no parse tree and no error messages.

use super::Symbol;

include!(concat!(env!("OUT_DIR"), "/syntax_tables.rs"));

/// The entries of the automaton's tables. An entry is two little-endian i16: the symbol or state
/// for which the entry is valid, then the action or the next state.
static ENTRIES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/syntax_entries.bin"));

/// The terminal that marks the end of the input.
const END: Symbol = Symbol(0);

/// A rule of the grammar.
struct Rule {
    /// The symbol on the left side.
    made: u16,
    /// Number of symbols on the right side.
    length: u8,
    /// Whether the rule appends an item to a list, as `list: list ',' item` does. The first symbol on the right side of
    /// such a rule is the list without the item.
    extends: bool,
}

/// Describes a node of the syntax tree. Records are in postorder: the record of a node follows the records of its
/// descendants.
#[derive(Clone, Copy)]
pub(super) struct Record {
    pub(super) symbol: Symbol,
    /// Whether the node is a list that became the start of a longer list. For example, in `a, b` a rule appends `b` to
    /// the list `a`. The node of the longer list replaces the node of the shorter list, and gets its children.
    pub(super) is_replaced: bool,
    /// Number of records of the node and its descendants.
    pub(super) size: u32,
}

/// An entry of the automaton's stack: the state after a symbol, and the symbol's number of records.
#[derive(Clone, Copy)]
struct Slot {
    state: u16,
    size: u32,
}

impl Symbol {
    /// Returns the symbol of a token of PostgreSQL's scanner.
    pub(super) fn of_token(kind: i32) -> Self {
        Self(KINDS.get(kind as usize).copied().unwrap_or(symbol::error.0))
    }

    /// Returns the symbol's name in gram.y, such as `SELECT`, `;` or `simple_select`.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// Returns whether the symbol is a token. Other symbols are left-hand sides of rules.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        i32::from(self.0) < TERMINALS
    }
}

/// Returns the records of all tokens and rules of the input, or `None` if the grammar rejects the input. `next` appends
/// the records of the next token, and returns the token's symbol and the number of these records.
pub(super) fn run(
    mut next: impl FnMut(&mut Vec<Record>) -> Option<(Symbol, u32)>,
    capacity: usize,
) -> Option<Vec<Record>> {
    let mut records = Vec::with_capacity(capacity);
    let mut stack = vec![Slot { state: 0, size: 0 }];
    let mut state = 0usize;
    // The records of the lookahead token, which is read but not yet shifted. At this token, rules may be reduced first.
    // Their records come before the records of the token, so the latter are appended only when the token is shifted.
    let mut ahead: Vec<Record> = Vec::with_capacity(4);
    let mut token = next(&mut ahead);
    loop {
        let terminal = token.map_or(END, |(symbol, _)| symbol);
        match action(state, terminal) {
            0 => return None,
            action if action == FINAL => break,
            action if action > 0 => {
                records.append(&mut ahead);
                state = action as usize;
                stack.push(Slot { state: state as u16, size: token.map_or(0, |(_, size)| size) });
                token = next(&mut ahead);
            }
            action => {
                let Rule { made, length, extends } = RULES[-action as usize];
                let parts = &stack[stack.len() - length as usize..];
                let first = parts.first().map_or(0, |slot| slot.size);
                let all: u32 = parts.iter().map(|slot| slot.size).sum();
                stack.truncate(stack.len() - length as usize);
                if extends && first > 0 {
                    let list = records.len() - (all - first) as usize - 1;
                    records[list].is_replaced = true;
                }
                // An empty symbol has no node.
                let size = if all == 0 { 0 } else { all + 1 };
                if size > 0 {
                    records.push(Record { symbol: Symbol(made), is_replaced: false, size });
                }
                let below = stack[stack.len() - 1].state;
                state = state_after(made, below);
                stack.push(Slot { state: state as u16, size });
            }
        }
    }
    Some(records)
}

/// Returns the action or state of entry `at`, if the entry is valid for `key`.
#[inline]
fn entry(at: i32, key: i32) -> Option<i32> {
    let at = usize::try_from(at).ok()? * 4;
    let bytes = ENTRIES.get(at..at + 4)?;
    let check = i16::from_le_bytes([bytes[0], bytes[1]]);
    (i32::from(check) == key).then(|| i32::from(i16::from_le_bytes([bytes[2], bytes[3]])))
}

/// Returns the action for a state and a terminal: a state to shift to, the negated number of a rule to apply, or 0 for
/// an error.
#[inline]
fn action(state: usize, terminal: Symbol) -> i32 {
    let entries = STATE_ENTRIES[state];
    let found = if entries == NO_ENTRIES { None } else { entry(entries + i32::from(terminal.0), terminal.0.into()) };
    found.unwrap_or_else(|| -i32::from(STATE_RULES[state]))
}

/// Returns the state after a rule is reduced to the symbol `made`. `below` is the state on top of the stack after the
/// rule's symbols are removed.
#[inline]
fn state_after(made: u16, below: u16) -> usize {
    let number = usize::from(made) - TERMINALS as usize;
    let found = entry(i32::from(SYMBOL_ENTRIES[number]) + i32::from(below), below.into());
    found.unwrap_or_else(|| SYMBOL_STATES[number].into()) as usize
}
