//! The order of the parser's tables. States, terminals and rules are ordered by frequency. grammar_order.txt lists
//! Bison's numbers, most frequent first (`cargo xtask regenerate grammar-order` writes it). Numbers that are not listed
//! come last. With a wrong order the parser is slower, but still correct.

/// The file of frequencies.
const FILE: &str = "build/grammar_order.txt";

/// The command that writes the file.
const COMMAND: &str = "`cargo xtask regenerate grammar-order`";

/// If this environment variable is set, the build keeps Bison's numbers, and the program counts how often the parser
/// uses each number (src/sys/grammar.c).
const COUNT: &str = "PGQ_COUNT_GRAMMAR";

#[derive(Default)]
pub struct Order {
    pub states: Frequent,
    pub terminals: Frequent,
    pub rules: Frequent,
}

/// Numbers of one kind (states, terminals or rules), most frequent first.
#[derive(Default)]
pub struct Frequent {
    numbers: Vec<i32>,
    /// The rank of each number.
    ranks: Vec<usize>,
    /// Number of all states (or terminals, or rules) in the grammar for which `numbers` was recorded.
    of: usize,
}

/// Returns whether the program is built to count the use of states, terminals and rules.
pub fn counts() -> bool {
    println!("cargo::rerun-if-env-changed={COUNT}");
    std::env::var_os(COUNT).is_some()
}

impl Order {
    pub fn read() -> Result<Self, String> {
        let mut order = Self::default();
        if counts() {
            return Ok(order);
        }
        let text = std::fs::read_to_string(FILE).map_err(|error| format!("{FILE}: {error}"))?;
        let mut section = None;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((kind, of)) = line.split_once(" of ") {
                let frequent = match kind {
                    "states" => &mut order.states,
                    "terminals" => &mut order.terminals,
                    "rules" => &mut order.rules,
                    _ => return Err(format!("{FILE}: {line}")),
                };
                frequent.of = of.parse().map_err(|problem| format!("{FILE}: {line}: {problem}"))?;
                section = Some(frequent);
            } else {
                let section = section.as_mut().ok_or_else(|| format!("{FILE}: {line}"))?;
                line.split_whitespace()
                    .try_for_each(|word| word.parse().map(|number| section.add(number)))
                    .map_err(|problem| format!("{FILE}: {line}: {problem}"))?;
            }
        }
        Ok(order)
    }

    /// Returns this order if it was recorded for a grammar with `states` states, `terminals` terminals and `rules`
    /// rules. Otherwise prints a warning and returns the identity, which keeps Bison's numbers. The parser is
    /// correct with any order, but slower with the order of another grammar.
    pub fn or_identity(self, states: usize, terminals: usize, rules: usize) -> Self {
        let problem = (self.states.renumbered("states", states).err())
            .or_else(|| self.terminals.renumbered("terminals", terminals).err())
            .or_else(|| self.rules.renumbered("rules", rules).err());
        let Some(problem) = problem else { return self };
        println!("cargo::warning={problem}");
        Self::default()
    }
}

impl Frequent {
    fn add(&mut self, number: u16) {
        let place = usize::from(number);
        self.ranks.resize(self.ranks.len().max(place + 1), usize::MAX);
        self.ranks[place] = self.numbers.len();
        self.numbers.push(i32::from(number));
    }

    /// Returns the rank of a number; `usize::MAX` if it is not listed.
    pub fn rank(&self, number: i32) -> usize {
        self.ranks.get(number as usize).copied().unwrap_or(usize::MAX)
    }

    /// Returns the numbers from the file, most frequent first.
    pub fn most_frequent(&self) -> impl Iterator<Item = i32> + '_ {
        self.numbers.iter().copied()
    }

    /// Assigns new numbers to the old numbers `0..count`, most frequent first. Number 0 stays 0, because the parser
    /// needs it: state 0 is the first state, terminal 0 is the end of the input, and rule 0 is reserved.
    pub fn renumbered(&self, kind: &str, count: usize) -> Result<Numbers, String> {
        if !self.numbers.is_empty() && self.of != count {
            return Err(format!(
                "{FILE} is of another grammar: {count} {kind}, not {}. The parser is slower until {COMMAND} has run",
                self.of
            ));
        }
        let mut new = vec![None; count];
        let mut old = Vec::with_capacity(count);
        let first = std::iter::once(0).chain(self.numbers.iter().copied().filter(|number| *number != 0));
        for number in first {
            let place = usize::try_from(number).ok().and_then(|number| new.get_mut(number));
            match place {
                Some(place @ None) => *place = Some(old.len() as i32),
                Some(_) => return Err(format!("{FILE}: {kind}: {number} twice")),
                None => return Err(format!("{FILE}: {kind}: {number} is not below {count}")),
            }
            old.push(number);
        }
        for (number, place) in (0..).zip(&mut new) {
            if place.is_none() {
                *place = Some(old.len() as i32);
                old.push(number);
            }
        }
        Ok(Numbers { new: new.into_iter().flatten().collect(), old })
    }
}

/// A permutation of the numbers from 0.
pub struct Numbers {
    new: Vec<i32>,
    old: Vec<i32>,
}

impl Numbers {
    pub fn of(&self, old: i32) -> i32 {
        self.new[old as usize]
    }

    /// Returns the old numbers in the new order.
    pub fn old(&self) -> impl Iterator<Item = i32> + '_ {
        self.old.iter().copied()
    }
}
