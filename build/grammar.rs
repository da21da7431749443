//! Extracts from PostgreSQL's generated grammar the parts that pgq's own parser loop (src/sys/grammar.c) includes: the
//! actions, the code before and after them, and the tables (grammar_tables.rs).
//!
//! Writes the parts to OUT_DIR. Unexpected code fails the build.

use std::fmt::Write;
use std::path::Path;

use crate::fixes::GRAMMAR;
use crate::grammar_actions::Actions;
use crate::grammar_order::Order;
use crate::grammar_tables::Tables;

/// Writes the parts of the grammar into the folder `out`.
///
/// # Errors
/// Returns an error if the grammar contains unexpected code.
pub fn generate(out: &Path) -> Result<(), String> {
    let in_grammar = |problem| format!("{}: {problem}", GRAMMAR.path);
    // Read the grammar with its fixes (build/compile.rs).
    let text = std::fs::read_to_string(out.join(GRAMMAR.name())).map_err(|error| in_grammar(error.to_string()))?;
    crate::syntax::generate(&text, out).map_err(in_grammar)?;
    let pieces = pieces(&text, Order::read()?).map_err(in_grammar)?;
    for (name, piece) in [
        ("grammar_before.c", pieces.before),
        ("grammar_actions.c", pieces.actions),
        ("grammar_after.c", pieces.after),
        ("grammar_tables.c", pieces.tables),
    ] {
        std::fs::write(out.join(name), piece).expect("OUT_DIR is writable");
    }
    Ok(())
}

/// Writes the parts that Rust code includes. They come from the grammar without fixes.
///
/// # Errors
/// Same as for [`generate`].
pub fn generate_for_rust(library: &Path, out: &Path) -> Result<(), String> {
    let in_grammar = |problem| format!("{}: {problem}", GRAMMAR.path);
    let text = std::fs::read_to_string(library.join("src").join(GRAMMAR.path));
    crate::syntax::generate(&text.map_err(|error| in_grammar(error.to_string()))?, out).map_err(in_grammar)
}

struct Pieces {
    /// The code before the parsing function: types, declarations and Bison's tables.
    before: String,
    /// The cases of the parsing function's switch.
    actions: String,
    /// The functions after the parsing function, which the grammar's actions call.
    after: String,
    /// The tables of the parsing function, laid out for locality.
    tables: String,
}

fn pieces(text: &str, order: Order) -> Result<Pieces, String> {
    let (before, rest) = cut(text, "\n| yyparse.  |\n")?;
    let before = before.rsplit_once("/*").ok_or("no comment before the parsing function")?.0;
    let (_, rest) = cut(rest, "\n  switch (yyn)\n    {\n")?;
    let (actions, rest) = cut(rest, "\n/* Line 1267 of yacc.c.  */\n")?;
    let (_, rest) = cut(rest, "\n  return YYID (yyresult);\n}\n")?;
    let on_slots = on_slots(actions)?;
    let actions = Actions::read(&on_slots)?;
    let mut tables = Tables::read(text, &actions)?;
    tables.settle();
    let order = order.or_identity(tables.states.len(), tables.terminals as usize, tables.rules.len() + 1);
    let (tables, actions) = tables.write(&order, &actions)?;
    Ok(Pieces { before: before.into(), actions, after: rest.into(), tables })
}

pub fn cut<'a>(text: &'a str, at: &str) -> Result<(&'a str, &'a str), String> {
    text.split_once(at).ok_or_else(|| format!("no {at:?}"))
}

/// Rewrites the actions for pgq's parser, which keeps values and locations on one stack instead of two.
/// `yyvsp[(1) - (3)]` becomes `top[(1) - (3)].value`, and `yylsp[(1) - (3)]` becomes `top[(1) - (3)].location`.
fn on_slots(actions: &str) -> Result<String, String> {
    // Reject names that pgq's parser loop does not define.
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
