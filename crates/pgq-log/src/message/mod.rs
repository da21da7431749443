//! Interprets messages in any language of lc_messages, independent of the log's format. Finds the severity, the label,
//! the statement, the duration, the plan and the parameters.

pub(crate) mod event;
pub(crate) mod field;
pub(crate) mod kinds;
pub(crate) mod label;
#[allow(missing_docs)] // not public: `internals` exports it for tests
pub mod language;
pub(crate) mod parameters;
pub(crate) mod parts;
pub(crate) mod plan;
pub(crate) mod portal;
pub(crate) mod prepared;
pub(crate) mod severity;
pub(crate) mod startup;
pub(crate) mod text;
