//! Converts errors of pgq-postgres and of servers to errors of pgq's protocol (docs/protocol.md).

use pgq::Position;
use pgq_frames::{ErrorCode, Fault, Place};
use pgq_postgres::{Error, ServerError, Severity};

/// Converts an error. Positions of server errors are offsets in `sql`.
pub fn fault(error: &Error, sql: Option<&str>) -> Fault {
    let code = match error {
        Error::Server(server) => return server_fault(server, sql),
        Error::Settings(_) | Error::NoServer(_) | Error::Refused(_) | Error::Authentication(_) | Error::Tls(_) => {
            ErrorCode::CannotConnect
        }
        Error::Timeout(_) => ErrorCode::Timeout,
        Error::ParameterCount { .. } | Error::Encoding(_) | Error::TooLong(_) | Error::Nul => ErrorCode::BadParameters,
        Error::Copy(_) => ErrorCode::Server,
        _ => ErrorCode::ConnectionLost,
    };
    let sqlstate = match error {
        Error::Copy(_) => Some("0A000"), // feature_not_supported
        _ => error.code(),
    };
    let fault = Fault::new(code, error.to_string()).with(b'C', sqlstate);
    match error.server_error() {
        Some(server) => fault.with(b'D', server.detail.as_deref()).with(b'H', server.hint.as_deref()),
        None => fault,
    }
}

/// Converts a server's error with all its fields.
pub fn server_fault(error: &ServerError, sql: Option<&str>) -> Fault {
    let place = match (error.position, sql) {
        (Some(character), Some(sql)) => {
            let index = (character as usize).saturating_sub(1);
            let offset = sql.char_indices().nth(index).map_or(sql.len(), |(offset, _)| offset);
            let Position { offset, line, column, .. } = Position::at(sql, offset);
            Place { offset: offset as u32, line: line as u32, column: column as u32 }
        }
        (_, Some(_)) => Place::START,
        (_, None) => Place::NONE,
    };
    let mut fault = Fault::new(ErrorCode::Server, &*error.message).at(place);
    for (tag, text) in fields(error) {
        fault = fault.with(tag, text);
    }
    fault
        .with(b'P', error.position.map(|position| position.to_string()).as_deref())
        .with(b'p', error.internal_position.map(|position| position.to_string()).as_deref())
}

/// Returns the notice as the body of a NoticeResponse message of PostgreSQL's protocol.
pub fn notice_body(notice: &ServerError) -> Vec<u8> {
    let mut body = Vec::new();
    for (tag, text) in fields(notice).into_iter().chain([(b'M', Some(notice.message.as_str()))]) {
        if let Some(text) = text {
            body.push(tag);
            body.extend_from_slice(text.as_bytes());
            body.push(0);
        }
    }
    body.push(0);
    body
}

/// Returns all fields of a server's error or notice except the message and the position. Each field has its one-byte
/// type in PostgreSQL's protocol, such as `C` for the SQLSTATE.
fn fields(error: &ServerError) -> [(u8, Option<&str>); 12] {
    let severity = severity(error.severity);
    [
        (b'S', Some(severity)),
        (b'V', Some(severity)),
        (b'C', Some(error.code.as_str())),
        (b'D', error.detail.as_deref()),
        (b'H', error.hint.as_deref()),
        (b'q', error.internal_query.as_deref()),
        (b'W', error.context.as_deref()),
        (b's', error.schema.as_deref()),
        (b't', error.table.as_deref()),
        (b'c', error.column.as_deref()),
        (b'd', error.data_type.as_deref()),
        (b'n', error.constraint.as_deref()),
    ]
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Debug => "DEBUG",
        Severity::Log => "LOG",
        Severity::Info => "INFO",
        Severity::Notice => "NOTICE",
        Severity::Warning => "WARNING",
        Severity::Error => "ERROR",
        Severity::Fatal => "FATAL",
        Severity::Panic => "PANIC",
    }
}
