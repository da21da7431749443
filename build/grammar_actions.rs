//! The actions of PostgreSQL's grammar as cases of the parser's switch (src/sys/grammar.c). Each rule has its own case,
//! in which the rule's number and length are constants. If they were in a table, the processor would have to wait for a
//! load before it could apply the rule.

use std::collections::HashMap;
use std::fmt::Write;

/// The action for an omitted GROUP BY. One shared node suffices for all statements, because later actions only read it.
const NO_GROUP_CLAUSE: &str = "{ GroupClause *n = (GroupClause *) palloc(sizeof(GroupClause)); n->distinct = false; \
                               n->list = NIL; (yyval.groupclause) = n; ;}";

/// The source lines of the actions, by rule. Rules without an action are omitted.
pub struct Actions<'a>(HashMap<i32, Vec<&'a str>>);

impl<'a> Actions<'a> {
    /// Reads the cases of Bison's switch. Omits actions that only copy the first symbol's value, because that is the
    /// default.
    pub fn read(cases: &'a str) -> Result<Self, String> {
        let mut actions: Vec<(i32, Vec<&str>)> = Vec::new();
        for line in cases.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("#line")) {
            let rule = line.trim().strip_prefix("case ").and_then(|rest| rest.strip_suffix(':')?.parse().ok());
            match (rule, actions.last_mut()) {
                (Some(rule), last) if last.as_ref().is_none_or(|(before, _)| *before < rule) => {
                    actions.push((rule, Vec::new()));
                }
                (None, Some((_, action))) => action.push(line),
                _ => return Err(format!("an action that starts with {line:?}")),
            }
        }
        for (rule, action) in &mut actions {
            if action.pop().map(str::trim) != Some("break;") {
                return Err(format!("the action of rule {rule} goes on behind it"));
            }
        }
        Ok(Self(actions.into_iter().filter(|(_, action)| !is_copy(action)).collect()))
    }

    pub fn has(&self, rule: i32) -> bool {
        self.0.contains_key(&rule)
    }

    /// Returns the C initializer for the value of an empty rule. Returns `None` if the value is not constant.
    pub fn constant(&self, rule: i32) -> Option<String> {
        let Some(action) = self.0.get(&rule) else { return Some(".ival = 0".into()) }; // the value is never read
        let text = words(action);
        if text == NO_GROUP_CLAUSE {
            return Some(".groupclause = (GroupClause *) &no_group_clause".into());
        }
        let (member, value) = text.strip_prefix("{ (yyval.")?.strip_suffix("; ;}")?.split_once(") = ")?;
        // A constant value is `true`, `false`, a number, or a name in capitals. Any other value is computed.
        let is_constant = matches!(value, "true" | "false")
            || value.bytes().all(|byte| is_of_name(byte) && !byte.is_ascii_lowercase());
        (member.bytes().all(is_of_name) && is_constant).then(|| format!(".{member} = {value}"))
    }

    /// Returns the case for a rule. `number` is the rule's number in the tables, and `length` is the number of its
    /// symbols.
    pub fn case(&self, rule: i32, number: i32, length: i32) -> String {
        let mut case = format!("case {number}:\nvalue = top[1 - {length}].value;\n");
        for line in self.0.get(&rule).into_iter().flatten() {
            writeln!(case, "{line}").expect("writing to a string");
        }
        case + &format!("reduced({number}, {length});\nbreak;\n")
    }
}

/// Returns whether an action is `{ (yyval.x) = (top[(1) - (1)].value.x); ;}`, ignoring pointer casts.
fn is_copy(action: &[&str]) -> bool {
    let text = words(action);
    let sides = text
        .strip_prefix("{ (yyval.")
        .and_then(|rest| rest.strip_suffix("); ;}"))
        .and_then(|rest| rest.split_once(") = "));
    let Some((to, from)) = sides else { return false };
    let pointer = from.strip_prefix("(Node *) ");
    let member = pointer.unwrap_or(from).strip_prefix("(top[(1) - (1)].value.");
    member.is_some_and(|member| if pointer.is_some() { member.bytes().all(is_of_name) } else { member == to })
}

/// Returns the words of an action, separated by single spaces.
fn words(action: &[&str]) -> String {
    let words: Vec<&str> = action.iter().flat_map(|line| line.split_whitespace()).collect();
    words.join(" ")
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
