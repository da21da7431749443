//! Fields of a log message, independent of the format. Types only.

/// A field of a message. The text of a field is empty if the message does not have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// When the message was logged, as written in the log.
    Time,
    /// Name of the user.
    User,
    /// Name of the database.
    Database,
    /// The client's application_name.
    Application,
    /// Session ID (`%c`): start time and process ID in hexadecimal.
    Session,
    /// The text of the message, without its severity.
    Message,
    /// The DETAIL.
    Detail,
    /// The CONTEXT.
    Context,
    /// The HINT.
    Hint,
    /// The STATEMENT of an error: the SQL that caused it.
    Statement,
    /// The SQL, found in the message or taken from [`Field::Statement`].
    Sql,
    /// Text before the SQL in the message: `statement: `, `duration: 1.5 ms  execute s1/p1: `. Empty for the statement
    /// of an error.
    Heading,
    /// The duration in milliseconds as decimal digits, from this message or a later one.
    Duration,
    /// The parameters, from the detail or the context: `$1 = '…', $2 = NULL`.
    Params,
    /// The plan of auto_explain, verbatim, after `plan:`; only if events are selected.
    Plan,
    /// The client's host name or address, or `[local]`; without its port.
    RemoteHost,
    /// Number of the message within its session (`%l`).
    SessionLine,
    /// When the session started (`%s`), as written in the log.
    SessionStart,
    /// Tag of the session's current command (`%i`), such as `SELECT` or `idle in transaction`.
    CommandTag,
    /// The SQLSTATE (`%e`).
    SqlState,
    /// Virtual transaction ID (`%v`).
    VirtualXid,
    /// Transaction ID (`%x`); 0 if none is assigned.
    Txid,
    /// Query ID (`%Q`); 0 if none was computed.
    QueryId,
    /// Type of the process (`%b`), such as `client backend` or `parallel worker`.
    BackendType,
}

impl Field {
    pub(crate) const COUNT: usize = Self::ALL.len();

    pub(crate) const ALL: [Self; 24] = [
        Self::Time,
        Self::User,
        Self::Database,
        Self::Application,
        Self::Session,
        Self::Message,
        Self::Detail,
        Self::Context,
        Self::Hint,
        Self::Statement,
        Self::Sql,
        Self::Heading,
        Self::Duration,
        Self::Params,
        Self::Plan,
        Self::RemoteHost,
        Self::SessionLine,
        Self::SessionStart,
        Self::CommandTag,
        Self::SqlState,
        Self::VirtualXid,
        Self::Txid,
        Self::QueryId,
        Self::BackendType,
    ];
}
