//! Assigns the server's messages to requests. A message without a matching request ends the session with an error.

use bytes::BytesMut;
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;

use crate::error::{CopyDirection, Error};
use crate::protocol::input::Frame;
use crate::protocol::row::{columns, parameter_types};
use crate::protocol::{Column, DataRow, Pending, ProtocolState, TransactionStatus};
use crate::server_error::ServerError;

/// Maximum number of settings that a server may report. PostgreSQL reports 15 settings.
const MAX_SETTINGS: usize = 256;
/// Maximum length of the value of such a setting, in bytes.
const MAX_SETTING: usize = 64 << 10;

/// A message of the server, with the number of its request. A message that answers no request (a notice, a parameter or
/// a notification) has the number of the oldest unanswered request.
#[derive(Debug)]
pub struct Answer<'a> {
    /// Number of the request to which this message belongs. The method that wrote the request returned this number.
    /// Messages at the start of the session have the number 0.
    pub request: u64,
    /// The content of the message.
    pub event: ServerEvent<'a>,
}

/// The content of a server's message.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerEvent<'a> {
    /// A statement was prepared.
    Parsed,
    /// The OIDs of a prepared statement's parameter types.
    ParameterTypes(Vec<u32>),
    /// The columns of a prepared statement or of a simple query's result.
    Columns(Vec<Column>),
    /// A prepared statement returns no rows, so it has no columns.
    NoColumns,
    /// A result row.
    Row(DataRow<'a>),
    /// A statement was executed, with this command tag (`""` for an empty statement). This is the last answer to
    /// Execute and Fetch.
    Completed(&'a str),
    /// The row limit was reached, and the portal has more rows. This is the last answer to Execute or Fetch, in place
    /// of `Completed`.
    Suspended,
    /// A statement or a portal was closed.
    Closed,
    /// The request failed. The server skips all requests up to the next Sync. After a failed simple query, `Ready`
    /// follows.
    Failed(Box<ServerError>),
    /// The server skipped the request, because an earlier request of the same implicit transaction failed.
    Skipped,
    /// The session is ready for requests. This is the last answer to a Sync, to a simple query and
    /// to the start of the session.
    Ready(TransactionStatus),
    /// A COPY over the connection. For `FromStdin`, no data is sent, and `Failed` follows unless
    /// [`ProtocolState::send_empty_copies`] was called with true. For `ToStdout`, the data is dropped, and `Completed`
    /// follows.
    Copy(CopyDirection),
    /// A warning or a notice.
    Notice(Box<ServerError>),
    /// A new value of a setting that the server reports.
    Parameter {
        /// Name of the setting.
        name: String,
        /// Value of the setting.
        value: String,
    },
    /// A NOTIFY from any session.
    Notification {
        /// Process ID of the notifying server process.
        process_id: i32,
        /// The channel.
        channel: String,
        /// The payload.
        payload: String,
    },
}

/// A [`ServerEvent`] that borrows nothing: ranges of the input buffer replace the borrowed data.
enum Taken {
    ServerEvent(ServerEvent<'static>),
    Row(std::ops::Range<usize>),
    Tag(std::ops::Range<usize>),
    Nothing,
}

impl ProtocolState {
    /// Returns the next answer, or `None` if no answer has arrived. An `Err` ends the session, and outstanding requests
    /// get no answers.
    ///
    /// Before you read more bytes, call this method until it returns `None`.
    pub fn next_answer(&mut self) -> Result<Option<Answer<'_>>, Error> {
        loop {
            if self.skipping {
                match self.pending.front() {
                    Some(Pending::Sync) => self.skipping = false,
                    Some(_) => return Ok(Some(Answer { request: self.pop(), event: ServerEvent::Skipped })),
                    None => {}
                }
            }
            let taken = self.input.take().and_then(|frame| match frame {
                Some(frame) => self.take_message(frame).map(Some),
                None => Ok(None),
            });
            let (request, taken) = match taken {
                Ok(Some(taken)) => taken,
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.ended = true;
                    return Err(error);
                }
            };
            let event = match taken {
                Taken::Nothing => continue,
                Taken::ServerEvent(event) => event,
                Taken::Row(range) => ServerEvent::Row(DataRow { body: self.input.bytes(range) }),
                Taken::Tag(range) => ServerEvent::Completed(tag_text(self.input.bytes(range))),
            };
            return Ok(Some(Answer { request, event }));
        }
    }

    fn pop(&mut self) -> u64 {
        self.pending.pop_front();
        self.first += 1;
        self.first - 1
    }

    fn take_message(&mut self, frame: Frame) -> Result<(u64, Taken), Error> {
        let Frame { tag, body } = frame;
        let front = self.pending.front().copied();
        let request = self.first;
        let taken = match (tag, front) {
            (b'D', Some(Pending::Execute | Pending::Fetch | Pending::Query)) => Taken::Row(body),
            (b'2', Some(Pending::Execute)) => Taken::Nothing,
            (b'C', Some(Pending::Execute | Pending::Fetch)) => {
                self.pop();
                Taken::Tag(body)
            }
            (b'C', Some(Pending::Query)) => Taken::Tag(body),
            (b'I', Some(Pending::Execute | Pending::Fetch)) => {
                self.pop();
                Taken::ServerEvent(ServerEvent::Completed(""))
            }
            (b'I', Some(Pending::Query)) => Taken::ServerEvent(ServerEvent::Completed("")),
            (b's', Some(Pending::Execute | Pending::Fetch)) => {
                self.pop();
                Taken::ServerEvent(ServerEvent::Suspended)
            }
            (b'1', Some(Pending::Parse)) => {
                self.pop();
                Taken::ServerEvent(ServerEvent::Parsed)
            }
            (b'3', Some(Pending::Close)) => {
                self.pop();
                Taken::ServerEvent(ServerEvent::Closed)
            }
            (b't', Some(Pending::Describe)) => {
                Taken::ServerEvent(ServerEvent::ParameterTypes(parameter_types(self.input.bytes(body))?))
            }
            (b'T', Some(Pending::Describe)) => {
                self.pop();
                Taken::ServerEvent(ServerEvent::Columns(columns(self.input.bytes(body))?))
            }
            (b'T', Some(Pending::Query)) => Taken::ServerEvent(ServerEvent::Columns(columns(self.input.bytes(body))?)),
            (b'n', Some(Pending::Describe)) => {
                self.pop();
                Taken::ServerEvent(ServerEvent::NoColumns)
            }
            (b'Z', Some(Pending::Sync | Pending::Query | Pending::Startup)) => {
                if front == Some(Pending::Startup) && !self.authenticator.is_done() {
                    return Err(Error::Authentication("the server began the session without authentication".into()));
                }
                self.status = status(self.input.bytes(body))?;
                self.pop();
                Taken::ServerEvent(ServerEvent::Ready(self.status))
            }
            (b'E', _) => Taken::ServerEvent(self.take_error(ServerError::from_body(self.input.bytes(body)), front)?),
            (b'G', Some(Pending::Execute | Pending::Query)) => {
                self.answer_copy_in(body)?;
                Taken::ServerEvent(ServerEvent::Copy(CopyDirection::FromStdin))
            }
            (b'H', Some(Pending::Execute | Pending::Query)) => {
                Taken::ServerEvent(ServerEvent::Copy(CopyDirection::ToStdout))
            }
            (b'd' | b'c', Some(Pending::Execute | Pending::Query)) => Taken::Nothing,
            (b'N', _) => {
                Taken::ServerEvent(ServerEvent::Notice(Box::new(ServerError::from_body(self.input.bytes(body)))))
            }
            // NegotiateProtocolVersion is irrelevant, because the session requests no optional feature.
            (b'v', Some(Pending::Startup)) => Taken::Nothing,
            _ => self.take_rare_message(tag, body, front)?,
        };
        Ok((request, taken))
    }

    fn take_error(&mut self, error: ServerError, front: Option<Pending>) -> Result<ServerEvent<'static>, Error> {
        let error = Box::new(error);
        match front {
            Some(Pending::Startup) => return Err(Error::Refused(error)),
            None => return Err(Error::Terminated(error)),
            _ if error.is_fatal() => return Err(Error::Terminated(error)),
            // `Ready` follows even after an error.
            Some(Pending::Query | Pending::Sync) => {}
            Some(_) => {
                self.pop();
                self.skipping = true;
            }
        }
        Ok(ServerEvent::Failed(error))
    }

    /// Ends a COPY FROM STDIN without sending data. Otherwise the server would read the next requests as data.
    fn answer_copy_in(&mut self, body: std::ops::Range<usize>) -> Result<(), Error> {
        let mut behind = self.pending.iter().skip(1);
        // During a COPY, the server ignores a Sync. If the Sync after this Execute was already sent, send another Sync
        // after the COPY.
        let again = match (self.pending.front(), behind.next(), behind.next()) {
            (_, None, _) => false,
            (Some(Pending::Execute), Some(Pending::Sync), None) => true,
            _ => {
                return Err(Error::Protocol(
                    "COPY FROM STDIN followed by requests, which the server reads as data".into(),
                ));
            }
        };
        if self.empty_copies {
            // Format 1 is binary. Even without rows, it needs a header and a trailer.
            if self.input.bytes(body).first() == Some(&1) {
                let empty = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0\xff\xff";
                frontend::CopyData::new(&empty[..])?.write(&mut self.output);
            }
            frontend::copy_done(&mut self.output);
        } else {
            frontend::copy_fail("this client sends no data for COPY", &mut self.output)?;
        }
        if again {
            frontend::sync(&mut self.output);
        }
        Ok(())
    }

    fn take_rare_message(
        &mut self,
        tag: u8,
        body: std::ops::Range<usize>,
        front: Option<Pending>,
    ) -> Result<Taken, Error> {
        let starting = front == Some(Pending::Startup);
        let mut message = BytesMut::with_capacity(body.len() + 5);
        message.extend_from_slice(&[tag]);
        message.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        message.extend_from_slice(self.input.bytes(body));
        let unexpected = || Error::Protocol(format!("a message of type {:?} that nothing awaits", tag as char));
        let message = Message::parse(&mut message).map_err(|error| Error::Protocol(error.to_string()))?;
        let text = |text: std::io::Result<&str>| {
            text.map(str::to_string).map_err(|_| Error::Protocol("a setting that is not UTF-8".into()))
        };
        Ok(match message.ok_or_else(unexpected)? {
            Message::ParameterStatus(body) => {
                let (name, value) = (text(body.name())?, text(body.value())?);
                self.parameters.insert(name.clone(), value.clone());
                if self.parameters.len() > MAX_SETTINGS || value.len() > MAX_SETTING {
                    return Err(Error::Protocol("the server reports too many or too long settings".into()));
                }
                self.check_encoding(&name, &value)?;
                Taken::ServerEvent(ServerEvent::Parameter { name, value })
            }
            Message::NotificationResponse(body) => Taken::ServerEvent(ServerEvent::Notification {
                process_id: body.process_id(),
                channel: text(body.channel())?,
                payload: text(body.message())?,
            }),
            Message::BackendKeyData(body) if starting => {
                self.key = Some((body.process_id(), body.secret_key()));
                Taken::Nothing
            }
            message if starting && tag == b'R' => {
                self.authenticator.answer(message, &mut self.output)?;
                Taken::Nothing
            }
            _ => return Err(unexpected()),
        })
    }
}

fn status(body: &[u8]) -> Result<TransactionStatus, Error> {
    match body {
        b"I" => Ok(TransactionStatus::Idle),
        b"T" => Ok(TransactionStatus::InTransaction),
        b"E" => Ok(TransactionStatus::Failed),
        _ => Err(Error::Protocol("an unknown status of the transaction".into())),
    }
}

/// Returns the command tag, which is ASCII. In `body`, a NUL follows the tag.
fn tag_text(body: &[u8]) -> &str {
    std::str::from_utf8(body.strip_suffix(b"\0").unwrap_or(body)).unwrap_or("?")
}
