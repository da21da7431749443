//! Checks whether a run may use a server. The server must not be the server that wrote the log. Without `--writes`, the
//! role must have no privileges except reading tables.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pgq_log::counted;
use pgq_postgres::{Client, Error, QueryAnswer};

const REACH: &str = include_str!("reach.sql");
/// SQL that replaces `{parameters}` in the query `REACH` if the server supports privileges on configuration parameters
/// (PostgreSQL 15 and later). These privileges matter, because some parameters make the server write files.
const PARAMETERS: &str = "UNION ALL SELECT 'PARAMETER', parname, paracl FROM pg_parameter_acl";

/// SQL expression for a string that identifies the server process, the database and the role. The string contains no
/// address, because a pooler may reach one server at several addresses. Settings do not change the string. Different
/// names give different strings, because a row as text has quotes.
pub const IDENTITY: &str = "ROW(\
    pg_catalog.to_char(pg_catalog.pg_postmaster_start_time() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), \
    pg_catalog.inet_server_port(), pg_catalog.current_database(), session_user, current_user, \
    pg_catalog.pg_is_in_recovery())::pg_catalog.text";

/// Changes the role back to that of the login for the current transaction. A pooler may have changed the role after the
/// login, and statements of the log could change it back, so the checks must see the role of the login.
pub const LOGIN_ROLE: &str = "SET LOCAL SESSION AUTHORIZATION DEFAULT";

/// Query for the number of readable tables in which row-level security may hide rows from the role.
const HIDDEN_ROWS: &str = "SELECT count(*) FROM pg_class WHERE relrowsecurity AND row_security_active(oid) \
    AND has_any_column_privilege(oid, 'SELECT')";

/// Maximum size in bytes of the server's answer to one query of the check.
const MAX_ANSWER_BYTES: usize = 16 << 20;

/// Maximum time of a query of a check.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(60);

/// Maximum number of reasons in a refusal.
const MAX_REASONS: usize = 5;

/// Whether a server was certainly created after a log's last statement. Such a server cannot have written the log.
/// `end` is the time of the statement in microseconds, and `now` is the server's time in seconds, both since 1970.
fn is_younger(identifier: u64, end: i64, now: i64) -> bool {
    // initdb puts the time of creation into the upper 32 bits of the system identifier. Another tool may set the
    // identifier to a different value. Then these bits are probably not a time between `end` and `now`, and the result
    // is false.
    let created = (identifier >> 32) as i64;
    end / 1_000_000 < created && created <= now
}

/// Checks the server and the role of a new connection before statements are sent.
#[derive(Default)]
pub struct TargetCheck {
    /// Time of the log's last statement in microseconds since 1970. If the time is unknown, the value is `i64::MAX`.
    /// With `--same-server`, it is `None`.
    pub log_end: Option<i64>,
    /// Whether `--writes` is given. If so, any role is allowed.
    pub writes: bool,
    /// The results of earlier checks, by the identity of the server, the database and the role. A result is the reason
    /// why no statements may be sent, or `None` if they may be sent.
    pub checked: Mutex<HashMap<String, Option<String>>>,
    /// Number of tables in which row-level security may hide rows from a checked role. If the run uses several
    /// databases, this is the maximum over the databases.
    pub tables_with_hidden_rows: AtomicU64,
}

impl TargetCheck {
    /// Checks the server of `client`. Returns the identity of the server, the database and the role. If no statement
    /// may be sent to the server, also returns the reason.
    ///
    /// # Errors
    /// A query of the check fails.
    pub fn check(&self, client: &mut Client) -> Result<(String, Option<String>), Error> {
        if self.writes && self.log_end.is_none() {
            return Ok((String::new(), None));
        }
        client.set_answer_limit(MAX_ANSWER_BYTES, MAX_ANSWER_TIME);
        client.set_answer_timeout(Some(MAX_ANSWER_TIME));
        // Overrides settings of the role and of the database, because they must not change the meaning of the check's
        // queries.
        client.run("BEGIN READ ONLY; SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL jit = off")?;
        client.run(LOGIN_ROLE)?;
        let identity = rows(client, &format!("SELECT {IDENTITY}"))?.concat().concat();
        let checked = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let known = checked().get(&identity).cloned();
        let refusal = known.map_or_else(|| self.refusal(client), Ok)?;
        client.run("ROLLBACK")?;
        checked().insert(identity.clone(), refusal.clone());
        Ok((identity, refusal))
    }

    fn refusal(&self, client: &mut Client) -> Result<Option<String>, Error> {
        if let Some(end) = self.log_end {
            let sql = "SELECT system_identifier::text, extract(epoch FROM now())::int8::text FROM pg_control_system()";
            let row = rows(client, sql)?.pop().unwrap_or_default();
            let [identifier, now] = &row[..] else { return Ok(Some("the server has no identifier".into())) };
            let is_younger = identifier.parse().ok().zip(now.parse().ok()).is_some_and(|(a, b)| is_younger(a, end, b));
            if !is_younger {
                return Ok(Some(format!(
                    "the server (system identifier {identifier}) may be the one that wrote the log: it is provably \
                     another if it was made after the last statement of the run; --same-server runs it there nevertheless"
                )));
            }
        }
        if !self.writes {
            let has_rights = rows(client, "SELECT WHERE to_regclass('pg_parameter_acl') IS NOT NULL")?.len() == 1;
            let reach = REACH.replace("{parameters}", if has_rights { PARAMETERS } else { "" });
            let found = rows(client, &reach.replace("{role}", "session_user"))?;
            let reasons: Vec<&str> = found.iter().filter_map(|row| row.get(1).map(String::as_str)).collect();
            if !reasons.is_empty() {
                return Ok(Some(format!(
                    "statements could do more than read tables, for {}: {} (pgq replay --role-sql takes away what \
                     REVOKE can; --writes takes any role)",
                    counted(reasons.len() as u64, "reasons"),
                    reasons[..reasons.len().min(MAX_REASONS)].join("; ")
                )));
            }
            let tables = rows(client, HIDDEN_ROWS)?.concat().concat().parse().unwrap_or(0);
            self.tables_with_hidden_rows.fetch_max(tables, Ordering::Relaxed);
        }
        Ok(None)
    }
}

/// Returns the SQL that creates a role for replays without `--writes`.
pub fn role_sql() -> String {
    include_str!("role.sql").replace("{acl}", PARAMETERS).replace("{reach}\n", &REACH.replace("{role}", "'pgq_replay'"))
}

/// Returns the rows of a query as text. NULL becomes an empty string.
fn rows(client: &mut Client, sql: &str) -> Result<Vec<Vec<String>>, Error> {
    let text = |value: Option<&[u8]>| String::from_utf8_lossy(value.unwrap_or_default()).into_owned();
    let mut rows = Vec::new();
    client.query(sql, |answer| {
        if let QueryAnswer::Row(row) = answer {
            rows.push(row.values().map(|values| values.into_iter().map(text).collect()));
        }
    })?;
    rows.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sql_depends_on_standard_conforming_strings() {
        let role_sql = role_sql();
        let role_sql = role_sql.lines().filter(|line| !line.starts_with("--"));
        assert!(role_sql.chain([REACH, PARAMETERS, IDENTITY, HIDDEN_ROWS]).all(|sql| !sql.contains('\\')));
    }

    #[test]
    fn a_server_is_younger_if_it_was_made_after_the_log() {
        let (identifier, now) = (1_769_860_800_u64 << 32 | 7, 1_769_860_900);
        assert!(is_younger(identifier, 1_769_860_799_000_000, now));
        assert!(!is_younger(identifier, 1_769_860_800_000_000, now));
        assert!(!is_younger(identifier, i64::MAX, now));
        assert!(!is_younger(u64::MAX, 1_769_860_799_000_000, now));
    }
}
