//! Meaning of a message's text: its severity and label, in any language of lc_messages, and the statement, duration,
//! plan or parameters in it. Independent of the format.

pub(crate) mod event;
pub(crate) mod field;
pub(crate) mod label;
pub(crate) mod language;
pub(crate) mod parameters;
pub(crate) mod parts;
pub(crate) mod plan;
pub(crate) mod prepared;
pub(crate) mod severity;
pub(crate) mod text;
