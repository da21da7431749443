//! Operations with their numbers and names.

/// Operation of a request. Frames contain the number of the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // docs/protocol.md has the table
pub enum Operation {
    Hello = 0,
    Options = 1,
    Drop = 2,
    Fingerprint = 16,
    Normalize = 17,
    Both = 18,
    Tree = 19,
    TreeProtobuf = 20,
    Deparse = 21,
    DeparseProtobuf = 22,
    Reformat = 23,
    Scan = 24,
    Split = 25,
    Summary = 26,
    Warnings = 27,
    Connect = 64,
    Prepare = 65,
    Execute = 66,
    Cancel = 67,
}

/// Kind of handle that an operation requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandleKind {
    /// No handle. The handle must be 0.
    None,
    /// Options. The handle 0 means the default options.
    Options,
    /// A PostgreSQL session.
    Session,
    /// A prepared statement.
    Statement,
    /// A handle of any kind.
    Any,
}

impl Operation {
    /// All operations, ordered by number.
    pub const ALL: [Self; 19] = [
        Self::Hello,
        Self::Options,
        Self::Drop,
        Self::Fingerprint,
        Self::Normalize,
        Self::Both,
        Self::Tree,
        Self::TreeProtobuf,
        Self::Deparse,
        Self::DeparseProtobuf,
        Self::Reformat,
        Self::Scan,
        Self::Split,
        Self::Summary,
        Self::Warnings,
        Self::Connect,
        Self::Prepare,
        Self::Execute,
        Self::Cancel,
    ];

    /// Returns the operation with this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| *operation as u8 == number)
    }

    /// Returns the operation with this name in JSON lines.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Returns the operation's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hello => "hello",
            Self::Options => "options",
            Self::Drop => "drop",
            Self::Fingerprint => "fingerprint",
            Self::Normalize => "normalize",
            Self::Both => "both",
            Self::Tree => "tree",
            Self::TreeProtobuf => "tree_protobuf",
            Self::Deparse => "deparse",
            Self::DeparseProtobuf => "deparse_protobuf",
            Self::Reformat => "reformat",
            Self::Scan => "scan",
            Self::Split => "split",
            Self::Summary => "summary",
            Self::Warnings => "warnings",
            Self::Connect => "connect",
            Self::Prepare => "prepare",
            Self::Execute => "execute",
            Self::Cancel => "cancel",
        }
    }

    /// Returns whether the operation processes texts. Such an operation also accepts batches, which contain several
    /// texts.
    #[must_use]
    pub fn is_about_text(self) -> bool {
        (Self::Fingerprint as u8..Self::Connect as u8).contains(&(self as u8))
    }

    /// Returns the kind of handle that the operation requires.
    #[must_use]
    pub fn handle_kind(self) -> HandleKind {
        match self {
            Self::Hello | Self::Options | Self::Connect | Self::Cancel => HandleKind::None,
            Self::Drop => HandleKind::Any,
            Self::Prepare => HandleKind::Session,
            Self::Execute => HandleKind::Statement,
            _ => HandleKind::Options,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Operation;

    #[test]
    fn numbers_and_names_lead_back_to_their_operation() {
        for operation in Operation::ALL {
            assert_eq!(Operation::from_number(operation as u8), Some(operation));
            assert_eq!(Operation::from_name(operation.name()), Some(operation));
        }
        assert_eq!((Operation::from_number(3), Operation::from_name("Hello")), (None, None));
    }
}
