//! Sentences of PostgreSQL's grammar, made from the parser's own tables: whatever can be said
//! at all is said here at some time.
//!
//! The tables of the pinned gram.c hold no rules, only the automaton. The rules come back by
//! walking it: where a rule ends, its symbols are those of the last states, backwards.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The grammar: symbols are numbers, terminals first.
pub struct Grammar {
    names: Vec<String>,
    terminals: usize,
    /// Left side and right side; a right side that could not be found is left out.
    pub rules: Vec<Option<(usize, Vec<usize>)>>,
    /// The rules of each symbol.
    by_left: HashMap<usize, Vec<usize>>,
    /// The fewest terminals that a symbol can become.
    cost: Vec<u32>,
}

/// No way to end.
const NEVER: u32 = u32::MAX / 4;

impl Grammar {
    /// Reads the tables of the pinned sources.
    pub fn read() -> Self {
        let path = Path::new(env!("PGQ_LIBPG_QUERY")).join("src/postgres/src_backend_parser_gram.c");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let tables = Tables::read(&text);
        let rules = tables.rules();
        let mut by_left: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, rule) in rules.iter().enumerate() {
            if let Some((left, _)) = rule {
                by_left.entry(*left).or_default().push(number);
            }
        }
        let mut grammar = Self {
            cost: vec![NEVER; tables.names.len()],
            names: tables.names,
            terminals: tables.terminals,
            rules,
            by_left,
        };
        grammar.find_costs();
        grammar
    }

    fn find_costs(&mut self) {
        for symbol in 0..self.terminals {
            self.cost[symbol] = if self.text_of(symbol).is_some() { 1 } else { NEVER };
        }
        loop {
            let mut changed = false;
            for rule in self.rules.iter().flatten() {
                let sum = rule.1.iter().fold(0u32, |sum, symbol| (sum + self.cost[*symbol]).min(NEVER));
                if sum < self.cost[rule.0] {
                    self.cost[rule.0] = sum;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The symbol of a name.
    pub fn symbol(&self, name: &str) -> usize {
        self.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("the grammar has no {name}"))
    }

    /// A rule in words, for messages.
    pub fn rule(&self, number: usize) -> String {
        match &self.rules[number] {
            Some((left, right)) => {
                let right: Vec<&str> = right.iter().map(|symbol| self.names[*symbol].as_str()).collect();
                format!("{}: {}", self.names[*left], right.join(" "))
            }
            None => format!("rule {number}"),
        }
    }

    /// How many rules each symbol is away from `start`, and the rules that hold it.
    fn ways(&self, start: usize) -> (HashMap<usize, usize>, HashMap<usize, Vec<usize>>) {
        let mut distance = HashMap::from([(start, 0)]);
        let mut holders: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(left) = queue.pop_front() {
            for number in self.by_left.get(&left).into_iter().flatten() {
                let (_, right) = self.rules[*number].as_ref().expect("listed");
                if right.iter().any(|symbol| self.cost[*symbol] >= NEVER) {
                    continue;
                }
                for symbol in right.iter().copied().filter(|symbol| *symbol >= self.terminals) {
                    let holders = holders.entry(symbol).or_default();
                    if holders.last() != Some(number) {
                        holders.push(*number);
                    }
                    if !distance.contains_key(&symbol) {
                        distance.insert(symbol, distance[&left] + 1);
                        queue.push_back(symbol);
                    }
                }
            }
        }
        (distance, holders)
    }

    /// The text of a terminal; `None` for those that no statement holds. Names and constants
    /// are chosen when a sentence is made.
    fn text_of(&self, symbol: usize) -> Option<String> {
        let name = self.names[symbol].as_str();
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
            _ => return None, // precedence only
        })
    }
}

/// Makes sentences. The same numbers give the same sentences.
pub struct Maker<'g> {
    grammar: &'g Grammar,
    start: usize,
    distance: HashMap<usize, usize>,
    holders: HashMap<usize, Vec<usize>>,
    used: Vec<u32>,
    random: u64,
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

impl<'g> Maker<'g> {
    pub fn new(grammar: &'g Grammar, start: &str) -> Self {
        let start = grammar.symbol(start);
        let (distance, holders) = grammar.ways(start);
        Self { grammar, start, distance, holders, used: vec![0; grammar.rules.len()], random: 0x9E37_79B9_7F4A_7C15 }
    }

    fn next(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as usize % below
    }

    /// Whether some sentence could use the rule, as far as the grammar goes.
    pub fn reaches(&self, number: usize) -> bool {
        let Some((left, right)) = &self.grammar.rules[number] else { return false };
        self.distance.contains_key(left) && right.iter().all(|symbol| self.grammar.cost[*symbol] < NEVER)
    }

    /// A sentence that uses the rule `number`, of about `size` tokens; and the rules it used.
    /// `None` where no statement uses the rule.
    pub fn sentence(&mut self, number: usize, size: u32) -> Option<(String, BTreeSet<usize>)> {
        if !self.reaches(number) {
            return None;
        }
        let way = self.way(number)?;
        let mut out = Sentence { text: String::new(), rules: BTreeSet::new(), budget: size };
        self.along(&way, &mut out);
        Some((out.text, out.rules))
    }

    /// A way from the start down to a rule, the rule first: by detours, but not for long.
    fn way(&mut self, number: usize) -> Option<Vec<usize>> {
        let left_of = |rule: usize| self.grammar.rules[rule].as_ref().map(|(left, _)| *left);
        let mut way = vec![number];
        let mut at = left_of(number)?;
        while at != self.start {
            let distance = *self.distance.get(&at)?;
            let detour = usize::from(way.len() < 12) * (self.next(3) / 2 + 1);
            let near = |rule: &usize| left_of(*rule).is_some_and(|left| self.distance[&left] < distance + detour);
            let holders: Vec<usize> = self.holders.get(&at)?.iter().copied().filter(near).collect();
            let parent = holders[self.next(holders.len())];
            way.push(parent);
            at = left_of(parent)?;
        }
        Some(way)
    }

    /// Follows `way`, its last rule first; the other symbols become what they may.
    fn along(&mut self, way: &[usize], out: &mut Sentence) {
        let (rule, rest) = way.split_last().expect("a way has a rule");
        out.rules.insert(*rule);
        self.used[*rule] += 1;
        let (_, right) = self.grammar.rules[*rule].clone().expect("a rule on the way");
        let next_left = rest.last().map(|next| self.grammar.rules[*next].as_ref().expect("a rule on the way").0);
        let mut followed = false;
        for symbol in right {
            if !followed && next_left == Some(symbol) {
                followed = true;
                self.along(rest, out);
            } else {
                self.expand_in(*rule, symbol, out);
            }
        }
    }

    /// What the grammar does not say and the parser looks at all the same.
    fn meant(&self, rule: usize, symbol: usize) -> Option<&'static str> {
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
        match self.meant(rule, symbol) {
            Some(text) => out.text.push_str(text),
            None => self.expand(symbol, out),
        }
    }

    fn expand(&mut self, symbol: usize, out: &mut Sentence) {
        if symbol < self.grammar.terminals {
            return self.terminal(symbol, out);
        }
        let rules = &self.grammar.by_left[&symbol];
        let cost = |number: usize| {
            let (_, right) = self.grammar.rules[number].as_ref().expect("listed");
            right.iter().fold(0u32, |sum, symbol| (sum + self.grammar.cost[*symbol]).min(NEVER))
        };
        let affordable: Vec<usize> = rules.iter().copied().filter(|rule| cost(*rule) <= out.budget).collect();
        let chosen = if affordable.is_empty() {
            *rules.iter().min_by_key(|rule| cost(**rule)).expect("a symbol has rules")
        } else {
            // Mostly one of those that were used least, so that every corner is seen.
            let some: Vec<usize> = (0..3).map(|_| affordable[self.next(affordable.len())]).collect();
            *some.iter().min_by_key(|rule| self.used[**rule]).expect("three")
        };
        self.used[chosen] += 1;
        out.rules.insert(chosen);
        let (_, right) = self.grammar.rules[chosen].clone().expect("listed");
        for symbol in right {
            self.expand_in(chosen, symbol, out);
        }
    }

    /// Any keyword as a name, which is where quotes are easily missed.
    fn keyword_as_name(&mut self) -> String {
        loop {
            let symbol = self.next(self.grammar.terminals);
            let text = self.grammar.text_of(symbol).unwrap_or_default();
            if text.len() > 1 && text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') {
                return format!("\"{}\"", text.to_lowercase());
            }
        }
    }

    fn terminal(&mut self, symbol: usize, out: &mut Sentence) {
        let name = self.grammar.names[symbol].clone();
        let any_of = |maker: &mut Self, texts: &[&str]| texts[maker.next(texts.len())].to_string();
        let text = match name.as_str() {
            "IDENT" if self.next(3) == 0 => self.keyword_as_name(),
            "IDENT" => any_of(self, NAMES),
            "SCONST" => any_of(self, STRINGS),
            "ICONST" => any_of(self, INTEGERS),
            "FCONST" => any_of(self, FLOATS),
            "Op" => any_of(self, OPERATORS),
            "BCONST" => "b'01'".into(),
            "XCONST" => "x'1F'".into(),
            "PARAM" => "$1".into(),
            _ => self.grammar.text_of(symbol).unwrap_or_default(),
        };
        out.text.push_str(&text);
        out.text.push(' ');
        out.budget = out.budget.saturating_sub(1);
    }
}

struct Sentence {
    text: String,
    rules: BTreeSet<usize>,
    budget: u32,
}

/// Bison's tables, as gram.c holds them.
struct Tables {
    names: Vec<String>,
    terminals: usize,
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
    fn read(text: &str) -> Self {
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

    /// Where a state goes on a nonterminal, given that it does; nowhere from the very end.
    fn goto(&self, state: usize, symbol: usize) -> Option<usize> {
        let number = symbol - self.terminals;
        usize::try_from(self.entry(self.pgoto[number], state as i32).unwrap_or(self.defgoto[number])).ok()
    }

    /// The rules' left and right sides.
    fn rules(&self) -> Vec<Option<(usize, Vec<usize>)>> {
        let states = self.pact.len();
        let mut before: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); states];
        let mut ends: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new(); // rule -> states where it ends
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
        // A state goes on a nonterminal where a rule of that can start: found by going back
        // from where rules end, over and over, until nothing new is found.
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

/// What stands between the braces of the array `name`.
fn body<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text.find(&format!(" {name}[] =\n{{")).or_else(|| text.find(&format!("*const {name}[] =\n{{")));
    let start = start.unwrap_or_else(|| panic!("gram.c has no {name}"));
    let open = start + text[start..].find('{').expect("found") + 1;
    &text[open..open + text[open..].find("};").expect("an array ends")]
}

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
