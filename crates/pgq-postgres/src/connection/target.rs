//! Checks whether a server meets the condition in `target_session_attrs`.

use super::Connection;
use super::address::Until;
use crate::error::Error;
use crate::protocol::ServerEvent;
use crate::settings::TargetSessionAttrs;

/// Returns the reason why the server does not match `target`, or `None` if it matches.
pub fn mismatch(
    connection: &mut Connection,
    target: TargetSessionAttrs,
    until: Until<'_>,
) -> Result<Option<&'static str>, Error> {
    Ok(match target {
        TargetSessionAttrs::Any => None,
        TargetSessionAttrs::ReadWrite => is_read_only(connection, until)?.then_some("its sessions cannot write"),
        TargetSessionAttrs::ReadOnly => (!is_read_only(connection, until)?).then_some("its sessions can write"),
        TargetSessionAttrs::Primary => is_standby(connection, until)?.then_some("it is a standby"),
        TargetSessionAttrs::Standby | TargetSessionAttrs::PreferStandby => {
            (!is_standby(connection, until)?).then_some("it is no standby")
        }
    })
}

/// Returns whether the server is a standby. Servers from version 14 on report this in `in_hot_standby`. Older servers
/// are queried.
fn is_standby(connection: &mut Connection, until: Until<'_>) -> Result<bool, Error> {
    match connection.session.parameter("in_hot_standby") {
        Some(value) => Ok(value == "on"),
        None => Ok(ask(connection, "SELECT pg_catalog.pg_is_in_recovery()", until)? == "t"),
    }
}

fn is_read_only(connection: &mut Connection, until: Until<'_>) -> Result<bool, Error> {
    let session = &connection.session;
    match (session.parameter("default_transaction_read_only"), session.parameter("in_hot_standby")) {
        (Some(default), Some(standby)) => Ok(default == "on" || standby == "on"),
        _ => Ok(ask(connection, "SHOW transaction_read_only", until)? == "on"),
    }
}

/// Returns the first value of a query's result.
fn ask(connection: &mut Connection, sql: &str, until: Until<'_>) -> Result<String, Error> {
    connection.session.query(sql)?;
    let mut found = Ok(String::new());
    let ready = connection.run(until, |event| {
        match event {
            ServerEvent::Row(row) => {
                found = row.values().map(|values| {
                    let value = values.first().copied().flatten().unwrap_or_default();
                    String::from_utf8_lossy(value).into_owned()
                });
            }
            ServerEvent::Failed(error) => found = Err(Error::Refused(error)),
            ServerEvent::Ready(_) => return Some(()),
            _ => {}
        }
        None
    })?;
    match ready {
        Some(()) => found,
        None => Err(Error::Io(std::io::ErrorKind::TimedOut.into())),
    }
}
