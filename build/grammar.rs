//! Takes PostgreSQL's generated grammar apart for src/sys/grammar.c: its actions, what stands
//! around them, and its tables in a layout of ours. The loop that drives them is our own.
//!
//! The pieces go to OUT_DIR. What is not found as expected fails the build.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::path::Path;

/// The generated grammar, below the library's folder.
const GRAMMAR: &str = "src/postgres/src_backend_parser_gram.c";

pub fn generate(library: &Path, out: &Path) {
    let text = std::fs::read_to_string(library.join(GRAMMAR)).expect("the grammar is readable");
    let pieces = pieces(&text).unwrap_or_else(|problem| panic!("{GRAMMAR}: {problem}"));
    for (name, piece) in [
        ("grammar_before.c", pieces.before),
        ("grammar_actions.c", pieces.actions),
        ("grammar_after.c", pieces.after),
        ("grammar_tables.c", pieces.tables),
    ] {
        std::fs::write(out.join(name), piece).expect("OUT_DIR is writable");
    }
}

/// The number of the first action that is the grammar's (src/sys/grammar.c has those before).
const FIRST_ACTION: usize = 3;

/// The terminal behind a text's last.
const END: i32 = 0;

struct Pieces {
    /// Everything up to the parsing function: types, declarations, the tables as they are.
    before: String,
    /// The cases of its switch, numbered from 1 without gaps.
    actions: String,
    /// The functions behind it, which the actions call.
    after: String,
    /// What the parsing function looks up, laid out so that it looks in few places.
    tables: String,
}

fn pieces(text: &str) -> Result<Pieces, String> {
    let (before, rest) = cut(text, "\n| yyparse.  |\n")?;
    let before = before.rsplit_once("/*").ok_or("no comment before the parsing function")?.0;
    let (_, rest) = cut(rest, "\n  switch (yyn)\n    {\n")?;
    let (actions, rest) = cut(rest, "\n/* Line 1267 of yacc.c.  */\n")?;
    let (_, rest) = cut(rest, "\n  return YYID (yyresult);\n}\n")?;
    let on_slots = on_slots(actions)?;
    let (actions, of_rules) = actions_of_rules(&on_slots)?;
    let mut tables = Tables::read(text, of_rules)?;
    tables.settle();
    Ok(Pieces { before: before.into(), actions, after: rest.into(), tables: tables.write() })
}

fn cut<'a>(text: &'a str, at: &str) -> Result<(&'a str, &'a str), String> {
    text.split_once(at).ok_or_else(|| format!("no {at:?}"))
}

/// The actions with values and locations in one stack: `yyvsp[(1) - (3)]` is
/// `top[(1) - (3)].value` and `yylsp[(1) - (3)]` is `top[(1) - (3)].location`.
fn on_slots(actions: &str) -> Result<String, String> {
    // The driver knows nothing of these.
    for name in ["yychar", "yyloc)", "yylval", "yylloc", "YYACCEPT", "YYABORT", "YYERROR", "yyerrok", "yyclearin"] {
        if actions.contains(name) {
            return Err(format!("an action uses {name}"));
        }
    }
    let mut text = String::with_capacity(actions.len());
    let mut rest = actions;
    while let Some(at) = rest.find("sp[(") {
        let (head, tail) = rest.split_at(at);
        let (index, tail) = tail.split_once(']').ok_or("an index that does not end")?;
        let (name, member) = match head.split_at(head.len() - 3) {
            (name, "yyv") => (name, "value"),
            (name, "yyl") => (name, "location"),
            _ => return Err(format!("not a stack: {}", &head[head.len() - 3..])),
        };
        write!(text, "{name}top{}].{member}", &index[2..]).expect("writing to a string");
        rest = tail;
    }
    text.push_str(rest);
    if text.contains("yyvsp") || text.contains("yylsp") {
        return Err("a stack used in another way".into());
    }
    Ok(text)
}

/// Bison's tables: what it looks up to parse.
struct Tables {
    /// The symbol that a rule makes, and of how many.
    rules: Vec<(i32, i32)>,
    /// Where the entries of a state are, and the rule that applies without one.
    states: Vec<(i32, i32)>,
    /// Where the entries of a nonterminal are, and the state to go to without one.
    symbols: Vec<(i32, i32)>,
    /// What an entry is for (a terminal or, of nonterminals, the state below), and what to do.
    entries: Vec<(i32, i32)>,
    terminals: i32,
    /// No state has this for its entries.
    no_entries: i32,
    /// An entry that does this is an error.
    error: i32,
    /// An entry that leads to this state ends the text.
    accepting: i32,
    /// The number of each rule's action, of those that have one.
    actions: HashMap<i32, usize>,
}

impl Tables {
    fn read(text: &str, actions: HashMap<i32, usize>) -> Result<Self, String> {
        let both = |one, other| {
            let (one, other) = (numbers(text, one)?, numbers(text, other)?);
            let same = one.len() == other.len();
            same.then(|| one.into_iter().zip(other).collect()).ok_or("tables of different lengths".to_string())
        };
        Ok(Self {
            rules: both("yyr1", "yyr2")?,
            states: both("yypact", "yydefact")?,
            symbols: both("yypgoto", "yydefgoto")?,
            entries: both("yycheck", "yytable")?,
            terminals: define(text, "YYNTOKENS")?,
            no_entries: define(text, "YYPACT_NINF")?,
            error: define(text, "YYTABLE_NINF")?,
            accepting: define(text, "YYFINAL")?,
            actions,
        })
    }

    /// The place of the entry for `key` among those at `entries`.
    fn entry(&self, entries: i32, key: i32) -> Option<usize> {
        let at = usize::try_from(entries + key).ok()?;
        self.entries.get(at).is_some_and(|(check, _)| *check == key).then_some(at)
    }

    /// What the symbol that a rule makes has in `symbols`.
    fn made_by(&self, rule: i32) -> (i32, i32) {
        self.symbols[(self.rules[rule as usize].0 - self.terminals) as usize]
    }

    /// Whether a rule makes one symbol of one, with the same value at the same place.
    fn renames(&self, rule: i32) -> bool {
        self.rules[rule as usize].1 == 1 && !self.actions.contains_key(&rule)
    }

    /// The rule that a state applies whatever comes next, if that renames.
    fn renamed_by(&self, state: i32) -> Option<i32> {
        let (entries, rule) = self.states[state as usize];
        (entries == self.no_entries && rule > 0 && self.renames(rule)).then_some(rule)
    }

    /// The state that `state` ends up in above `below`, once all that renames has done so.
    fn settled(&self, mut state: i32, below: i32) -> i32 {
        while let Some(rule) = self.renamed_by(state) {
            let (entries, default) = self.made_by(rule);
            state = self.entry(entries, below).map_or(default, |at| self.entries[at].1);
        }
        state
    }

    /// Lets entries lead to where renaming would end. That is known where an entry belongs to
    /// one state, or where it is the same for all that share it.
    fn settle(&mut self) {
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

    /// As arrays of structs: what is looked up together stands together.
    fn write(&self) -> String {
        // With entries for nobody at both ends, a place need not be checked before it is looked at.
        let first = self.states.iter().chain(&self.symbols).map(|(entries, _)| *entries).min().unwrap_or(0);
        let nobodys = |count: usize| std::iter::repeat_n("{-1,0},\n", count).collect::<String>();
        let mut entries = nobodys(-first as usize);
        let accept = self.rules.len() as i32;
        for (key, action) in &self.entries {
            let action = match *action {
                action if action == self.error => 0,
                action if action == self.accepting && *key == END => -accept,
                action => action,
            };
            entries.push_str(&format!("{{{key},{action}}},\n"));
        }
        entries.push_str(&nobodys(self.states.len()));
        let state = |(entries, rule): &(i32, i32)| {
            let entries = if *entries == self.no_entries { -1 } else { entries - first };
            format!("{{{entries},{rule}}},\n")
        };
        let symbol = |(entries, state): &(i32, i32)| {
            // Without an entry, the symbol may be renamed at once.
            let renamed = (*state >= 0).then(|| self.renamed_by(*state)).flatten();
            let otherwise = renamed.map_or(*state, |rule| self.terminals - self.rules[rule as usize].0);
            format!("{{{},{otherwise}}}", entries - first)
        };
        let rule = |(number, (made, len)): (i32, &(i32, i32))| {
            if number == 0 {
                return "{{0,0},REFUSE_TEXT,0},\n".into(); // nobody's: where there is nothing to do
            }
            let made = symbol(&self.symbols[(made - self.terminals) as usize]);
            let action = self.actions.get(&number).copied().unwrap_or(0);
            format!("{{{made},{action},(1 - {len}) * (int) sizeof(Slot)}},\n")
        };
        let rules = (0..).zip(&self.rules).map(rule).chain(["{{0,0},ACCEPT_TEXT,0},\n".into()]);
        [
            array("Entry entries", entries),
            array("State states", self.states.iter().map(state).collect()),
            array("Symbol symbols", self.symbols.iter().map(|s| symbol(s) + ",\n").collect()),
            array("Rule rules", rules.collect()),
        ]
        .concat()
    }
}

fn array(name: &str, rows: String) -> String {
    format!("static const {name}[] = {{\n{rows}}};\n\n")
}

/// The actions as cases numbered from 1, and the number of each rule's. Rules whose actions
/// are the same share one. Without an action, a rule's value is that of its first symbol; some
/// actions say just that.
fn actions_of_rules(actions: &str) -> Result<(String, HashMap<i32, usize>), String> {
    let mut cases: Vec<(i32, Vec<&str>)> = Vec::new();
    for line in actions.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("#line")) {
        let rule = line.trim().strip_prefix("case ").and_then(|rest| rest.strip_suffix(':')?.parse().ok());
        match (rule, cases.last_mut()) {
            (Some(rule), last) if last.as_ref().is_none_or(|(before, _)| *before < rule) => {
                cases.push((rule, Vec::new()));
            }
            (None, Some((_, body))) => body.push(line),
            _ => return Err(format!("an action that starts with {line:?}")),
        }
    }
    let mut text = String::new();
    let mut numbers: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut of_rules = HashMap::new();
    for (rule, body) in cases {
        if matches!(body[..], [copy, end] if is_copy(copy.trim()) && end.trim() == "break;") {
            continue;
        }
        let next = numbers.len() + FIRST_ACTION;
        let number = *numbers.entry(body).or_insert_with_key(|body| {
            writeln!(text, "case {next}:\n{}", body.join("\n")).expect("writing to a string");
            next
        });
        of_rules.insert(rule, number);
    }
    Ok((text, of_rules))
}

/// `{ (yyval.x) = (top[(1) - (1)].value.x); ;}`.
fn is_copy(action: &str) -> bool {
    let members = action
        .strip_prefix("{ (yyval.")
        .and_then(|rest| rest.strip_suffix("); ;}"))
        .and_then(|rest| rest.split_once(") = (top[(1) - (1)].value."));
    members.is_some_and(|(to, from)| to == from)
}

/// The numbers of `static const TYPE name[] = { … };`.
fn numbers(text: &str, name: &str) -> Result<Vec<i32>, String> {
    let (_, rest) = cut(text, &format!(" {name}[] =\n{{\n"))?;
    let (body, _) = cut(rest, "};")?;
    let parsed = body.split(',').map(|number| number.trim().parse()).collect::<Result<Vec<i32>, _>>();
    parsed.map_err(|problem| format!("{name}: {problem}"))
}

/// The number of `#define name NUMBER`.
fn define(text: &str, name: &str) -> Result<i32, String> {
    let (_, rest) = cut(text, &format!("\n#define {name} "))?;
    let number = rest.lines().next().unwrap_or_default().trim();
    number.parse().map_err(|_| format!("{name} is {number:?}"))
}
