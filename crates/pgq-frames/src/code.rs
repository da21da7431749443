//! Error codes with their numbers and names.

/// Class of an error. Frames contain the number of the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum ErrorCode {
    /// PostgreSQL's parser or scanner rejects the text.
    Syntax = 1,
    /// The text is not UTF-8.
    Encoding = 2,
    /// The text has a NUL byte.
    Nul = 3,
    /// The text is longer than the server allows.
    TooLong = 4,
    /// The tree is deeper than the stack allows.
    TooDeep = 5,
    /// PostgreSQL's scanner would take too long.
    TooCostly = 6,
    /// The document is not a parse tree in libpg_query's JSON.
    Json = 7,
    /// The tree cannot be written as SQL.
    Tree = 8,
    /// The deparsed SQL does not parse back to the tree.
    RoundTrip = 9,
    /// The bytes are not a parse tree in Protobuf.
    Protobuf = 10,
    /// Out of memory.
    OutOfMemory = 11,
    /// The body of a frame, or a JSON line, is malformed.
    Malformed = 32,
    /// The operation is unknown.
    UnknownOperation = 33,
    /// The operation does not support the flags.
    BadFlags = 34,
    /// The options are malformed.
    BadOptions = 35,
    /// The handle is unknown or has the wrong kind.
    BadHandle = 36,
    /// The frame or line exceeds the size limit. The connection ends.
    FrameTooLong = 37,
    /// The frame's length is invalid. The connection ends.
    BrokenFrame = 38,
    /// The protocol version is unknown. The connection ends.
    UnknownVersion = 39,
    /// The server has reached its limit of connections. The connection ends.
    TooManyConnections = 40,
    /// The connection has reached its limit of handles.
    TooManyHandles = 41,
    /// The client was idle for too long. The connection ends.
    Idle = 42,
    /// The server is shutting down. The connection ends.
    ShuttingDown = 43,
    /// The answer to one text exceeds the size limit.
    AnswerTooLong = 44,
    /// PostgreSQL answered with an error.
    Server = 64,
    /// The settings are invalid, the server is unreachable, or authentication failed.
    CannotConnect = 65,
    /// The PostgreSQL session ended.
    ConnectionLost = 66,
    /// PostgreSQL did not answer within the client's timeout, and did not react to the cancel request.
    Timeout = 67,
    /// The parameters do not match the statement.
    BadParameters = 68,
}

impl ErrorCode {
    /// All codes, ordered by number.
    pub const ALL: [Self; 29] = [
        Self::Syntax,
        Self::Encoding,
        Self::Nul,
        Self::TooLong,
        Self::TooDeep,
        Self::TooCostly,
        Self::Json,
        Self::Tree,
        Self::RoundTrip,
        Self::Protobuf,
        Self::OutOfMemory,
        Self::Malformed,
        Self::UnknownOperation,
        Self::BadFlags,
        Self::BadOptions,
        Self::BadHandle,
        Self::FrameTooLong,
        Self::BrokenFrame,
        Self::UnknownVersion,
        Self::TooManyConnections,
        Self::TooManyHandles,
        Self::Idle,
        Self::ShuttingDown,
        Self::AnswerTooLong,
        Self::Server,
        Self::CannotConnect,
        Self::ConnectionLost,
        Self::Timeout,
        Self::BadParameters,
    ];

    /// Returns the code with this number.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|code| *code as u16 == number)
    }

    /// Returns the code's name in JSON lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Encoding => "encoding",
            Self::Nul => "nul",
            Self::TooLong => "too_long",
            Self::TooDeep => "too_deep",
            Self::TooCostly => "too_costly",
            Self::Json => "json",
            Self::Tree => "tree",
            Self::RoundTrip => "round_trip",
            Self::Protobuf => "protobuf",
            Self::OutOfMemory => "out_of_memory",
            Self::Malformed => "malformed",
            Self::UnknownOperation => "unknown_operation",
            Self::BadFlags => "bad_flags",
            Self::BadOptions => "bad_options",
            Self::BadHandle => "bad_handle",
            Self::FrameTooLong => "frame_too_long",
            Self::BrokenFrame => "broken_frame",
            Self::UnknownVersion => "unknown_version",
            Self::TooManyConnections => "too_many_connections",
            Self::TooManyHandles => "too_many_handles",
            Self::Idle => "idle",
            Self::ShuttingDown => "shutting_down",
            Self::AnswerTooLong => "answer_too_long",
            Self::Server => "server",
            Self::CannotConnect => "cannot_connect",
            Self::ConnectionLost => "connection_lost",
            Self::Timeout => "timeout",
            Self::BadParameters => "bad_parameters",
        }
    }

    /// Returns whether the server closes the connection after this error.
    #[must_use]
    pub fn ends_connection(self) -> bool {
        matches!(
            self,
            Self::FrameTooLong
                | Self::BrokenFrame
                | Self::UnknownVersion
                | Self::TooManyConnections
                | Self::Idle
                | Self::ShuttingDown
        )
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn the_page_of_the_protocol_has_every_code() {
        let page = include_str!("../../../docs/protocol.md");
        for code in ErrorCode::ALL {
            assert_eq!(ErrorCode::from_number(code as u16), Some(code));
            let row = format!("| {} | {} |", code as u16, code.name());
            assert!(page.contains(&row), "docs/protocol.md lacks {row}");
        }
    }
}
