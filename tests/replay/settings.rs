//! Tests that pgq's own SQL means the same under any settings of a database.

use std::ops::ControlFlow::Continue;

use pgq_postgres::{BatchAnswer, BatchOptions, Client};

use crate::common::program;
use crate::postgres::texts;
use crate::target::{refused, replay};
use crate::workload::shared;

/// Settings that change the meaning of SQL or the form of values.
const ODD_SETTINGS: [&str; 16] = [
    "standard_conforming_strings = off",
    "escape_string_warning = off",
    "search_path = odd, pg_catalog",
    "quote_all_identifiers = on",
    "transform_null_equals = on",
    "array_nulls = off",
    "client_encoding = LATIN1",
    "client_min_messages = error",
    "\"DateStyle\" = 'SQL, DMY'",
    "\"IntervalStyle\" = iso_8601",
    "\"TimeZone\" = 'Asia/Kolkata'",
    "bytea_output = escape",
    "extra_float_digits = -15",
    "row_security = off",
    "default_transaction_isolation = serializable",
    "plpgsql.variable_conflict = use_column",
];

/// Objects with the same names as objects of the system catalog. They hide the catalog's objects if their schema is
/// first in the search_path.
const ODD_OBJECTS: &str = "
    CREATE SCHEMA odd;
    CREATE DOMAIN odd.text AS pg_catalog.text CHECK (VALUE IS NULL);
    CREATE DOMAIN odd.int4 AS pg_catalog.int4 CHECK (VALUE IS NULL);
    CREATE FUNCTION odd.starts_with(name, pg_catalog.text) RETURNS bool LANGUAGE sql AS 'SELECT true';
    CREATE FUNCTION odd.name_is(name, name) RETURNS bool LANGUAGE sql AS 'SELECT false';
    CREATE OPERATOR odd.= (LEFTARG = name, RIGHTARG = name, FUNCTION = odd.name_is);
    CREATE VIEW odd.pg_roles AS SELECT * FROM pg_catalog.pg_roles LIMIT 0;
    CREATE SCHEMA pgq;
";

/// Executes a statement. Returns its warnings.
fn warnings(client: &mut Client, sql: &str) -> Vec<String> {
    let statement = client.prepare(sql, &[]).unwrap();
    let (mut rows, mut warnings) = (0..1, Vec::new());
    let take = |answer: BatchAnswer<'_>| {
        if let BatchAnswer::Notice { notice, .. } = answer {
            warnings.push(notice.message.clone());
        }
        Continue(())
    };
    client.execute(&statement, &BatchOptions::default(), |_| Ok(rows.next().is_some()), take).unwrap();
    warnings
}

#[test]
fn settings_of_the_database_do_not_change_the_checks() {
    let Some(workload) = shared() else { return };
    let mut client = workload.server.client("dbname=two");
    client.run(ODD_OBJECTS).unwrap();
    ODD_SETTINGS.iter().for_each(|setting| client.run(&format!("ALTER DATABASE two SET {setting}")).unwrap());
    let sql = program::stdout_of(&["replay", "--role-sql"]);
    let mut odd = workload.server.client("dbname=two");
    odd.run(&sql).unwrap();
    let allowed = replay(&workload.server, "pgq_replay", &[]);
    client.run("CREATE TABLE own (); ALTER TABLE own OWNER TO pgq_replay").unwrap();
    let warnings = warnings(&mut odd, &sql);
    let owner = replay(&workload.server, "pgq_replay", &[]);
    let may_use = texts(&mut client, "SELECT has_schema_privilege('pgq_replay', 'pgq', 'USAGE')");
    client.run("ALTER DATABASE two RESET ALL; DROP TABLE own; DROP SCHEMA odd CASCADE; DROP SCHEMA pgq").unwrap();
    assert!(allowed.status.success(), "{allowed:?}");
    refused(&owner, "owns table \"public\".\"own\"");
    assert_eq!(may_use, ["t"]);
    assert!(matches!(&warnings[..], [warning] if warning.contains("needs --writes")), "{warnings:?}");
}
