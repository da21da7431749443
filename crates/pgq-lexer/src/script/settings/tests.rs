//! Tests of the settings after a sequence of statements.

use super::ScriptSettings;

/// Returns whether a backslash is an escape after these statements.
fn escapes_after(statements: &[&str]) -> bool {
    let mut settings = ScriptSettings::default();
    statements.iter().for_each(|statement| settings.run(statement.as_bytes()));
    settings.backslash_escapes()
}

#[test]
fn every_form_of_set_is_followed() {
    for set in [
        "SET standard_conforming_strings = off;",
        "set Standard_Conforming_Strings to 'OFF'",
        "SET SESSION /* c */ standard_conforming_strings TO false;",
        "SET \"standard_conforming_strings\" = 0;",
        "SET standard_conforming_strings = n;",
    ] {
        assert!(escapes_after(&[set]), "{set}");
        for reset in [
            "RESET standard_conforming_strings;",
            "reset all",
            "DISCARD ALL;",
            "SET standard_conforming_strings TO DEFAULT",
        ] {
            assert!(!escapes_after(&[set, reset]), "{set} {reset}");
        }
    }
    for other in
        ["SET standard_conforming_strings = o;", "SELECT 'SET standard_conforming_strings = off'", "SET x = off"]
    {
        assert!(!escapes_after(&[other]), "{other}");
    }
}

#[test]
fn transactions_end_what_is_local_and_roll_back_the_rest() {
    const OFF: &str = "SET standard_conforming_strings = off;";
    const LOCAL: &str = "SET LOCAL standard_conforming_strings = off;";
    assert!(!escapes_after(&[LOCAL]), "there is no transaction");
    assert!(escapes_after(&["BEGIN;", LOCAL]));
    assert!(!escapes_after(&["BEGIN;", LOCAL, "COMMIT;"]));
    let long = "START TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ WRITE, NOT DEFERRABLE;";
    assert!(escapes_after(&[long, LOCAL]) && !escapes_after(&[long, OFF, "ROLLBACK;"]));
    assert!(escapes_after(&["START TRANSACTION;", OFF, "END;"]));
    assert!(!escapes_after(&["BEGIN;", OFF, "ROLLBACK;"]));
    assert!(escapes_after(&["BEGIN;", OFF, "ROLLBACK TO SAVEPOINT a;"]), "there is no such savepoint");
    for back in ["ROLLBACK TO a;", "rollback work to savepoint A", "ROLLBACK TRANSACTION TO SAVEPOINT \"a\";"] {
        assert!(!escapes_after(&["BEGIN;", "SAVEPOINT a;", OFF, "SAVEPOINT b;", back]), "{back}");
        assert!(!escapes_after(&["BEGIN;", "SAVEPOINT a;", LOCAL, back]), "{back}");
        assert!(escapes_after(&["BEGIN;", OFF, "SAVEPOINT a;", back, "COMMIT;"]), "{back}");
        assert!(escapes_after(&["BEGIN;", "SAVEPOINT a;", "RELEASE a;", OFF, back]), "{back}");
        assert!(!escapes_after(&["BEGIN;", "SAVEPOINT a;", OFF, back, OFF, back]), "{back}");
    }
    assert!(escapes_after(&["SAVEPOINT a;", OFF, "ROLLBACK TO a;"]), "there is no transaction");
    let many = [&["BEGIN;", "SAVEPOINT a;", OFF][..], &["SAVEPOINT b;"; 100], &["ROLLBACK TO a;"]].concat();
    assert!(escapes_after(&many), "the oldest savepoints are forgotten");
    assert!(!escapes_after(&[&many[..], &["ROLLBACK;"]].concat()), "but not the start of the transaction");
    assert!(escapes_after(&["BEGIN;", "COMMIT AND CHAIN;", LOCAL]));
    assert!(!escapes_after(&["BEGIN;", "ROLLBACK AND NO CHAIN;", LOCAL]));
    assert!(!escapes_after(&["BEGIN;", OFF, "ROLLBACK WORK AND CHAIN;"]));
    assert!(escapes_after(&["BEGIN;", OFF, "COMMIT PREPARED 'x';"]));
    assert!(!escapes_after(&["BEGIN;", LOCAL, "PREPARE TRANSACTION 'x';"]));
    assert!(!escapes_after(&["BEGIN;", "PREPARE TRANSACTION 'x';", LOCAL]));
    assert!(escapes_after(&["BEGIN;", OFF, "PREPARE TRANSACTION 'x';", "ROLLBACK;"]));
}

#[test]
fn the_encoding_is_followed() {
    let mut settings = ScriptSettings::default();
    settings.run(b"SET client_encoding = 'LATIN1';");
    assert_eq!(settings.client_encoding(), Some("latin1"));
    settings.run(b"SET NAMES 'utf8';");
    assert_eq!(settings.client_encoding(), Some("utf8"));
    settings.run(format!("SET client_encoding = '{}';", "x".repeat(64)).as_bytes());
    assert_eq!(settings.client_encoding(), Some("utf8"));
    settings.run(b"RESET client_encoding;");
    assert_eq!(settings.client_encoding(), None);
}

#[test]
fn checks_of_bodies_are_followed() {
    let mut settings = ScriptSettings::default();
    for (statement, skips) in [
        ("SET check_function_bodies = false;", true),
        ("SET check_function_bodies TO on;", false),
        ("BEGIN;", false),
        ("SET LOCAL check_function_bodies TO 'off';", true),
        ("COMMIT;", false),
        ("SET check_function_bodies = 0;", true),
        ("RESET ALL;", false),
    ] {
        settings.run(statement.as_bytes());
        assert_eq!(settings.skips_bodies(), skips, "{statement}");
    }
}
