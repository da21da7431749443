//! Compares the JSON of PL/pgSQL functions with the output of `pg_query_parse_plpgsql`, byte for byte. Checks that the
//! SQL in the functions parses.

use pgq::reference;
use pgq::{Error, ParseOptions, Tree};
use pgq_corpus::sets;

use crate::outcomes::compare_sets;

fn defines_function(sql: &str) -> bool {
    Tree::parse(sql, &ParseOptions::default()).is_ok_and(|tree| {
        tree.statements().any(|statement| matches!(statement.kind(), "CreateFunctionStmt" | "DoStmt"))
    })
}

#[test]
fn functions_equal_the_c_library() {
    let sets = sets().into_iter().map(|mut set| {
        set.statements.retain(|sql| defines_function(sql));
        set
    });
    compare_sets("equality/plpgsql", sets, ["PL/pgSQL"], |sql, [functions]| {
        // Ignore positions, because libpg_query does not report the position of an error in the body.
        let unplaced = |result: Result<String, Error>| {
            result.map_err(|mut error| {
                error.position = None;
                error
            })
        };
        let (ours, reference) = (unplaced(pgq::parse_plpgsql(sql)), unplaced(reference::parse_plpgsql(sql)));
        if let Ok(json) = &ours {
            serde_json::from_str::<serde::de::IgnoredAny>(json).unwrap_or_else(|e| panic!("{sql}: {e}: {json}"));
        }
        // A function whose body is in SQL's own syntax needs no LANGUAGE, but libpg_query treats such a function as
        // PL/pgSQL and rejects it.
        let inline = "inline SQL function body only valid for language SQL";
        if ours.is_ok() && reference.as_ref().is_err_and(|error| error.message == inline) {
            functions.corrected += 1;
        } else {
            functions.compare(sql, ours, reference);
        }
    });
}

#[test]
fn the_sql_of_functions_parses() {
    let (mut functions, mut expressions) = (0, 0);
    for sql in sets().iter().flat_map(|set| &set.statements).filter(|sql| defines_function(sql)) {
        let tree = Tree::parse(sql, &ParseOptions::default()).expect("it parsed before");
        for function in tree.statements().filter_map(|statement| statement.plpgsql()?.ok()) {
            functions += 1;
            let dumped = function.json().matches("\"PLpgSQL_expr\"").count();
            let found: Vec<_> = function.expressions().collect();
            assert!(found.len() >= dumped, "{sql}");
            expressions += found.len();
            for expression in found {
                expression.parse().unwrap_or_else(|error| panic!("{}: {error}\n{sql}", expression.query));
            }
        }
    }
    assert!(functions > 500 && expressions > 1500, "{functions} functions with {expressions} pieces of SQL");
}
