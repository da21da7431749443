//! A diagnostic: an error or a warning about a statement.

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

pub struct Diagnostic<'a> {
    pub level: Level,
    pub message: &'a str,
    /// Pairs of a label and its text, such as the label `hint` and the text of a hint.
    pub notes: Vec<(&'static str, &'a str)>,
}

impl<'a> Diagnostic<'a> {
    pub fn from_error(error: &'a pgq::Error) -> Self {
        let notes = [("detail", error.detail.as_deref()), ("hint", error.hint.as_deref())];
        let notes = notes.into_iter().filter_map(|(label, text)| Some((label, text?))).collect();
        Self { level: Level::Error, message: &error.message, notes }
    }

    pub fn from_warning(warning: &'a pgq::Warning) -> Self {
        let level = if warning.severity == "NOTICE" { Level::Notice } else { Level::Warning };
        let notes = warning.hint.iter().map(|hint| ("hint", hint.as_str())).collect();
        Self { level, message: &warning.message, notes }
    }
}

/// The SQL around a location.
#[derive(Debug, Clone, Copy)]
pub struct SourceText<'a> {
    /// The statement, or a longer text that contains it.
    pub text: &'a [u8],
    /// Byte offset of the location in `text`.
    pub offset: usize,
}
