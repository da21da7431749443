//! Tests that the library's comparison of trees, `Tree::verify`, finds every difference and reports its position in the
//! tree.

use pgq::{ErrorKind, ParseOptions, Tree};
use pgq_corpus::all_statements;

use crate::common::counts::Counts;
use crate::common::tally::{Tally, tally};
use crate::meaning::meaning;
use crate::outcomes::parsed;
use crate::replace::{with_names, with_strings};

#[derive(Default)]
struct Compared {
    same: usize,
    different: usize,
}

impl Tally for Compared {
    fn merge(&mut self, following: Self) {
        self.same += following.same;
        self.different += following.different;
    }
}

/// Compares each statement of the corpus with copies that have other strings or names. The library's comparison must
/// agree with the test's own comparison.
#[test]
fn every_difference_is_found() {
    let Compared { same, different } = tally(&all_statements(), |sql: &String, compared: &mut Compared| {
        let Some(tree) = parsed(sql) else { return };
        tree.verify(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
        let changed = [with_strings(sql, "''"), with_strings(sql, "'b'"), with_names(sql, "zz")];
        for changed in changed.into_iter().flatten().filter(|changed| parsed(changed).is_some()) {
            let is_same = meaning(sql, true) == meaning(&changed, true);
            let result = tree.verify(&changed);
            assert_eq!(result.is_ok(), is_same, "{sql}\nagainst {changed}\n{result:?}");
            if is_same {
                compared.same += 1;
            } else {
                compared.different += 1;
            }
        }
    });
    let mut counts = Counts::new("deparse/verify");
    counts.add(format!("changed statements: {same} with the same meaning, {different} with another one"));
    assert!(different > 50_000, "too few changed statements");
    counts.check();
}

#[test]
fn an_error_names_the_difference() {
    let difference =
        |sql: &str, other: &str| Tree::parse(sql, &ParseOptions::default()).unwrap().verify(other).unwrap_err();
    for (sql, other, expected) in [
        (
            "SELECT a",
            "SELECT b",
            "SelectStmt.targetList[0].ResTarget.val.ColumnRef.fields[0].String is \"b\" instead of \"a\"",
        ),
        ("COPY t FROM ''", "COPY t FROM STDIN", "CopyStmt.filename is none instead of \"\""),
        ("SELECT 1, 2", "SELECT 1", "SelectStmt.targetList is a list of 1 instead of a list of 2"),
        ("SELECT 1", "SELECT 1.0", "SelectStmt.targetList[0].ResTarget.val.A_Const is Float instead of Integer"),
        ("SELECT NULL", "SELECT 1", "SelectStmt.targetList[0].ResTarget.val.A_Const is a value instead of NULL"),
        ("SELECT 1 UNION SELECT 2", "SELECT 1 EXCEPT SELECT 2", "SelectStmt.op is SETOP_EXCEPT instead of SETOP_UNION"),
        ("SELECT 1 WHERE a", "SELECT 1", "SelectStmt.whereClause is none instead of ColumnRef"),
        ("DROP TABLE IF EXISTS t", "DROP TABLE t", "DropStmt.missing_ok is false instead of true"),
        ("SELECT FROM t", "SELECT FROM ONLY t", "SelectStmt.fromClause[0].RangeVar.inh is false instead of true"),
    ] {
        let error = difference(sql, other);
        assert_eq!(error.message, format!("the SQL does not say the same: {expected}"));
        assert_eq!(error.kind, ErrorKind::RoundTripMismatch);
    }
    assert_eq!(difference("SELECT 1", "SELECT 1; SELECT 2").message, "the SQL has 2 statements instead of 1");
    assert_eq!(difference("SELECT 1", "SELEC 1").message, "the SQL does not parse: syntax error at or near \"SELEC\"");
}

#[test]
fn the_path_to_a_deep_difference_is_shortened() {
    let sql = |last: &str| format!("SELECT {last}{}", " + a".repeat(100_000));
    let error = Tree::parse(&sql("1"), &ParseOptions::default()).unwrap().verify(&sql("2")).unwrap_err();
    let (start, end) = ("SelectStmt.targetList[0].ResTarget.val.A_Expr.lexpr.", ".A_Const.Integer is 2 instead of 1");
    assert!(error.message.contains(start) && error.message.contains(".…."), "{error}");
    assert!(error.message.ends_with(end) && error.message.len() < 500, "{error}");
}

#[test]
fn positions_and_spelling_do_not_count() {
    let tree =
        Tree::parse("select  a , b from T where X in (1,2) and array[1] = '{1}'", &ParseOptions::default()).unwrap();
    tree.verify("SELECT a, b FROM t /* c */ WHERE (x IN (1, 2)) AND (ARRAY[1] = '{1}')").unwrap();
}
