//! A step of a plan: a statement to execute, and what the log says of it. Steps are written as bytes, so that a
//! plan needs no memory.

use anyhow::{Result, bail};

use super::class::Class;

/// How a statement was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// As a text.
    Simple = 0,
    /// Prepared and bound.
    Extended = 1,
}

/// Why a statement cannot be executed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// The log has lost an end of it.
    Truncated = 1,
    /// A parameter ends in `...`: log_parameter_max_length has cut it.
    CutParameters = 2,
    /// It has parameters, and the log has not got their values.
    NoParameters = 3,
    /// It takes data that the log does not have.
    CopyData = 4,
    /// It is not UTF-8, or holds a NUL byte.
    NotText = 5,
    /// A further part of a cursor's rows: how many were fetched is not in the log, and its first execution fetches all.
    Fetch = 6,
    /// A function that was called by the protocol's fast path: the log has its name, and not its arguments.
    Fastpath = 7,
}

impl Skip {
    pub const ALL: [Self; 7] = [
        Self::Truncated,
        Self::CutParameters,
        Self::NoParameters,
        Self::CopyData,
        Self::NotText,
        Self::Fetch,
        Self::Fastpath,
    ];

    /// What it is, in the plural.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Truncated => "truncated in the log",
            Self::CutParameters => "with parameters that the log has cut (log_parameter_max_length)",
            Self::NoParameters => "with parameters whose values are not in the log",
            Self::CopyData => "COPY FROM STDIN, whose data is not in the log",
            Self::Fetch => "fetches from cursors of the protocol: all rows come with the first",
            Self::NotText => "not UTF-8",
            Self::Fastpath => "calls by the fast path, whose arguments are not in the log",
        }
    }
}

/// A statement to execute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// When it was started, in microseconds since 1970.
    pub start: i64,
    /// Its place in the log.
    pub sequence: u64,
    /// The number of its session, from 0.
    pub session: u32,
    /// Whether it is the session's last.
    pub is_last: bool,
    pub protocol: Protocol,
    pub class: Class,
    pub skip: Option<Skip>,
    /// `None` for a text that does not parse.
    pub fingerprint: Option<u64>,
    /// How long it took, in microseconds.
    pub duration: Option<u64>,
    /// The SQLSTATE with which it failed; empty if the log says only that it failed.
    pub error: Option<String>,
    pub user: String,
    pub database: String,
    pub application: String,
    /// The name of the prepared statement.
    pub statement: String,
    pub sql: String,
    pub params: Vec<Option<String>>,
}

const NONE: u64 = u64::MAX;

impl Step {
    /// Appends the step: its length (u32), and its fields in little-endian.
    pub fn write(&self, out: &mut Vec<u8>) {
        let begin = out.len();
        out.extend_from_slice(&[0; 4]);
        out.extend_from_slice(&self.start.to_le_bytes());
        out.extend_from_slice(&self.sequence.to_le_bytes());
        out.extend_from_slice(&self.session.to_le_bytes());
        let flags = [self.is_last, self.fingerprint.is_some(), self.error.is_some()];
        out.push(flags.iter().rev().fold(0, |bits, flag| bits << 1 | u8::from(*flag)));
        out.extend_from_slice(&[self.protocol as u8, self.class as u8, self.skip.map_or(0, |skip| skip as u8)]);
        out.extend_from_slice(&self.fingerprint.unwrap_or_default().to_le_bytes());
        out.extend_from_slice(&self.duration.unwrap_or(NONE).to_le_bytes());
        let error = self.error.as_deref().unwrap_or_default();
        for text in [error, &self.user, &self.database, &self.application, &self.statement, &self.sql] {
            write_text(text, out);
        }
        out.extend_from_slice(&(self.params.len() as u32).to_le_bytes());
        for param in &self.params {
            match param {
                Some(text) => write_text(text, out),
                None => out.extend_from_slice(&u32::MAX.to_le_bytes()),
            }
        }
        let length = (out.len() - begin - 4) as u32;
        out[begin..begin + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// Reads the fields, without the length before them.
    ///
    /// # Errors
    /// The bytes are not a step.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader(bytes);
        match reader.step() {
            Some(step) if reader.0.is_empty() => Ok(step),
            _ => bail!("is damaged"),
        }
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn step(&mut self) -> Option<Step> {
        let start = i64::from_le_bytes(self.array()?);
        let sequence = u64::from_le_bytes(self.array()?);
        let session = u32::from_le_bytes(self.array()?);
        let [flags, protocol, class, skip] = self.array()?;
        let fingerprint = u64::from_le_bytes(self.array()?);
        let duration = u64::from_le_bytes(self.array()?);
        let error = self.text()??;
        Some(Step {
            start,
            sequence,
            session,
            is_last: flags & 1 != 0,
            protocol: [Protocol::Simple, Protocol::Extended].into_iter().nth(protocol.into())?,
            class: *Class::ALL.get(usize::from(class))?,
            skip: if skip == 0 { None } else { Some(*Skip::ALL.get(usize::from(skip) - 1)?) },
            fingerprint: (flags & 2 != 0).then_some(fingerprint),
            duration: (duration != NONE).then_some(duration),
            error: (flags & 4 != 0).then_some(error),
            user: self.text()??,
            database: self.text()??,
            application: self.text()??,
            statement: self.text()??,
            sql: self.text()??,
            params: {
                let count = u32::from_le_bytes(self.array()?);
                (0..count).map(|_| self.text()).collect::<Option<_>>()?
            },
        })
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    /// A text; `Some(None)` for NULL.
    fn text(&mut self) -> Option<Option<String>> {
        let length = u32::from_le_bytes(self.array()?);
        if length == u32::MAX {
            return Some(None);
        }
        let (text, rest) = self.0.split_at_checked(length as usize)?;
        self.0 = rest;
        Some(Some(String::from_utf8(text.to_vec()).ok()?))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A step at a time, with this place in the log.
    pub fn step(start: i64, sequence: u64) -> Step {
        Step {
            start,
            sequence,
            session: 0,
            is_last: false,
            protocol: Protocol::Extended,
            class: Class::Read,
            skip: None,
            fingerprint: Some(7),
            duration: Some(1500),
            error: None,
            user: "ann".into(),
            database: "shop".into(),
            application: String::new(),
            statement: "s1".into(),
            sql: "SELECT $1, $2".into(),
            params: vec![Some("größe".into()), None],
        }
    }

    #[test]
    fn steps_are_read_as_they_were_written() {
        let other = Step {
            is_last: true,
            protocol: Protocol::Simple,
            class: Class::CopyFromStdin,
            skip: Some(Skip::NotText),
            fingerprint: None,
            duration: None,
            error: Some(String::new()),
            params: Vec::new(),
            ..step(-1, 2)
        };
        for step in [step(i64::MAX, 1), other] {
            let mut bytes = Vec::new();
            step.write(&mut bytes);
            assert_eq!(Step::read(&bytes[4..]).unwrap(), step);
            for end in 4..bytes.len() {
                assert!(Step::read(&bytes[4..end]).is_err());
            }
        }
        for skip in Skip::ALL {
            assert_eq!(Skip::ALL[skip as usize - 1], skip);
        }
    }
}
