//! Fields of a log message, independent of the log's format.

/// A field of a message. A field that the message lacks is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Time at which the message was logged, as written in the log.
    Time,
    /// Name of the user.
    User,
    /// Name of the database.
    Database,
    /// The client's application_name.
    Application,
    /// Session ID (`%c`): start time and process ID in hexadecimal.
    Session,
    /// Text of the message, without its severity.
    Message,
    /// The DETAIL.
    Detail,
    /// The CONTEXT.
    Context,
    /// The HINT.
    Hint,
    /// The STATEMENT of an error, which is the SQL that caused the error.
    Statement,
    /// The SQL, from the message or from [`Field::Statement`].
    Sql,
    /// Text before the SQL in the message, such as `statement: ` or `duration: 1.5 ms  execute s1/p1: `. Empty if the
    /// SQL is from [`Field::Statement`].
    Heading,
    /// Duration in milliseconds, as decimal digits. The server may log it in a later message.
    Duration,
    /// Parameters from the DETAIL or the CONTEXT: `$1 = '…', $2 = NULL`.
    Params,
    /// Plan of auto_explain: the text after `plan:`, verbatim. Empty unless the caller's selection includes events.
    Plan,
    /// The client's host name or address without its port, or `[local]`.
    RemoteHost,
    /// Virtual transaction ID (`%v`).
    VirtualXid,
    /// Number of the message within its session (`%l`).
    SessionLine,
    /// Start time of the session (`%s`), as written in the log.
    SessionStart,
    /// Tag of the session's current command (`%i`), such as `SELECT` or `idle in transaction`.
    CommandTag,
    /// The SQLSTATE (`%e`).
    SqlState,
    /// Transaction ID (`%x`), 0 if the transaction has no ID.
    Txid,
    /// Query ID (`%Q`), 0 if the server computed no ID.
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
        Self::VirtualXid,
        Self::SessionLine,
        Self::SessionStart,
        Self::CommandTag,
        Self::SqlState,
        Self::Txid,
        Self::QueryId,
        Self::BackendType,
    ];
}
