//! PostgreSQL's LALR automaton without its actions: tokens in, the rules that apply out. It builds no parse tree and
//! words no error.

use super::Symbol;

include!(concat!(env!("OUT_DIR"), "/syntax_tables.rs"));

/// For each entry the symbol or state that it is for, and what to do there: two little-endian i16.
static ENTRIES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/syntax_entries.bin"));

/// The terminal behind a text's last.
const END: Symbol = Symbol(0);

/// A rule of the grammar.
struct Rule {
    /// The symbol that it makes.
    made: u16,
    /// The number of symbols that it makes it of.
    length: u8,
    /// Whether it appends to a list, its first symbol.
    extends: bool,
}

/// A node, once all nodes below it are complete: the records of a text are in postorder.
#[derive(Clone, Copy)]
pub(super) struct Record {
    pub(super) symbol: Symbol,
    /// A list that was extended: its nodes belong to the longer list.
    pub(super) is_replaced: bool,
    /// The number of records of the node and of all below it.
    pub(super) size: u32,
}

/// A symbol on the automaton's stack: its state, and the number of its records.
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

    /// Returns its name in gram.y: `SELECT`, `;`, `simple_select`.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// Returns whether it is a token, and not made by a rule.
    #[must_use]
    pub fn is_terminal(self) -> bool {
        i32::from(self.0) < TERMINALS
    }
}

/// Returns the records of a text. `tokens` yields the symbol that the grammar reads and the number of records that the token
/// has appended, which are its own. `None` where the grammar refuses the text.
pub(super) fn run(
    mut next: impl FnMut(&mut Vec<Record>) -> Option<(Symbol, u32)>,
    capacity: usize,
) -> Option<Vec<Record>> {
    let mut records = Vec::with_capacity(capacity);
    let mut stack = vec![Slot { state: 0, size: 0 }];
    let mut state = 0usize;
    // The token's records are in the vector already once it is read; those of rules that end before it come first.
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
                // A symbol made of nothing has no node.
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

/// Returns the entry at a place of the table, if it is for `key`.
#[inline]
fn entry(at: i32, key: i32) -> Option<i32> {
    let at = usize::try_from(at).ok()? * 4;
    let bytes = ENTRIES.get(at..at + 4)?;
    let check = i16::from_le_bytes([bytes[0], bytes[1]]);
    (i32::from(check) == key).then(|| i32::from(i16::from_le_bytes([bytes[2], bytes[3]])))
}

/// What to do in a state at a terminal: a state to go to; if negative, a rule to apply; 0 for an error.
#[inline]
fn action(state: usize, terminal: Symbol) -> i32 {
    let entries = STATE_ENTRIES[state];
    let found = if entries == NO_ENTRIES { None } else { entry(entries + i32::from(terminal.0), terminal.0.into()) };
    found.unwrap_or_else(|| -i32::from(STATE_RULES[state]))
}

/// Returns the state after the symbol that a rule made, on top of the state `below`.
#[inline]
fn state_after(made: u16, below: u16) -> usize {
    let number = usize::from(made) - TERMINALS as usize;
    let found = entry(i32::from(SYMBOL_ENTRIES[number]) + i32::from(below), below.into());
    found.unwrap_or_else(|| SYMBOL_STATES[number].into()) as usize
}
