//! Reads and writes the binary frames of `pgq serve` (docs/protocol.md). Does no I/O, reads no SQL and calls no C.
//!
//! ```
//! use pgq_frames::{Answer, Operation, Request, answer, flag, request};
//!
//! let mut bytes = Vec::new();
//! request::write(&mut bytes, &Request { id: 1, operation: Operation::Fingerprint as u8, flags: 0, handle: 0, body: b"SELECT 1" });
//! let (read, used) = request::read(&bytes, 1 << 20)?.expect("the frame is complete");
//! assert_eq!((read.id, read.body, used), (1, &b"SELECT 1"[..], bytes.len()));
//!
//! let mut bytes = Vec::new();
//! let frame = answer::begin(&mut bytes, read.id);
//! bytes.extend_from_slice(&0x50fd_e206_2600_9aba_u64.to_le_bytes());
//! frame.finish(&mut bytes, answer::Outcome::done(flag::NONE));
//! let (answer, _) = Answer::read(&bytes, 1 << 20)?.expect("the frame is complete");
//! assert_eq!(answer.body.len(), 8);
//! # Ok::<(), pgq_frames::FrameError>(())
//! ```
#![forbid(unsafe_code)]

pub mod answer;
pub mod batch;
mod code;
mod fault;
pub mod flag;
mod operation;
pub mod postgres;
mod read;
pub mod request;

pub use answer::{Answer, Item};
pub use code::ErrorCode;
pub use fault::{Fault, Place};
pub use operation::{HandleKind, Operation};
pub use read::{BodyError, BodyReader, FrameError};
pub use request::Request;

/// First bytes that a client sends: the name and version of the protocol.
pub const MAGIC: [u8; 4] = *b"PGQ\x01";

/// Version of the protocol.
pub const VERSION: u8 = MAGIC[3];

/// Size of a frame's header in bytes, including the length field.
pub const HEADER_BYTES: usize = 12;

/// Number of header bytes that the length field counts: all bytes except the field itself.
const COUNTED: usize = HEADER_BYTES - 4;
