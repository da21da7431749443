//! The header that syslog writes before each line of PostgreSQL's text, and its escapes. Knows no
//! messages.

/// A line of syslog: `TIME HOST IDENT[PID]: [7-2] text`, in which `[7-2]` is the second piece of
/// message 7.
#[derive(Debug, PartialEq, Eq)]
pub struct SyslogHeader<'a> {
    pub time: &'a [u8],
    pub pid: u32,
    /// Number of the message and of the piece (setting syslog_sequence_numbers).
    pub piece: Option<(u64, u64)>,
    /// The rest of the line, in which control characters are escaped.
    pub text: &'a [u8],
}

/// Parses a line of syslog; `None` if it does not have the form of one.
pub fn parse_header(line: &[u8]) -> Option<SyslogHeader<'_>> {
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u64>().ok();
    let time = match line {
        // `Jan  1 12:00:00`
        [b'A'..=b'Z', b'a'..=b'z', b'a'..=b'z', b' ', _, _, b' ', ..] if line.len() > 16 && line[9] == b':' => 15,
        // `2026-01-31T12:00:00.123456+01:00`
        [b'0'..=b'9', .., b'T'] | [b'0'..=b'9', _, _, _, b'-', _, _, b'-', _, _, b'T', ..] => {
            memchr::memchr(b' ', &line[..line.len().min(40)])?
        }
        _ => return None,
    };
    let head = &line[..line.len().min(time + 256)];
    let close = memchr::memmem::find(&head[time..], b"]: ")? + time;
    let open = memchr::memrchr(b'[', &line[time..close])? + time;
    let pid = number(&line[open + 1..close])?.try_into().ok()?;
    // Between the time and the process are a host and a program name, so one space.
    if line[time + 1..open].iter().filter(|b| **b == b' ').count() != 1 {
        return None;
    }
    let text = &line[close + 3..];
    let piece = text.strip_prefix(b"[").and_then(|rest| {
        let end = memchr::memchr(b']', &rest[..rest.len().min(24)])?;
        let dash = memchr::memchr(b'-', &rest[..end])?;
        Some(((number(&rest[..dash])?, number(&rest[dash + 1..end])?), &rest[end + 1..]))
    });
    let (piece, text) = match piece {
        Some((piece, rest)) => (Some(piece), rest.strip_prefix(b" ").unwrap_or(rest)),
        None => (None, text),
    };
    Some(SyslogHeader { time: &line[..time], pid, piece, text })
}

/// Decodes syslog's octal escapes of control characters (`#011`) into `decoded`. Only white space:
/// other sequences may be part of the SQL.
pub fn decode_escapes(text: &[u8], decoded: &mut Vec<u8>) {
    decoded.clear();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'#', rest) {
        decoded.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let byte = match rest.get(..4) {
            Some(b"#011") => b'\t',
            Some(b"#012") => b'\n',
            Some(b"#015") => b'\r',
            _ => {
                decoded.push(b'#');
                rest = &rest[1..];
                continue;
            }
        };
        decoded.push(byte);
        rest = &rest[4..];
    }
    decoded.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::{decode_escapes, parse_header};

    #[test]
    fn headers_are_parsed() {
        for time in ["Jan  1 12:00:00", "2026-01-31T12:00:00.123456+01:00"] {
            let line = format!("{time} db1 postgres[42]: [7-2] #011FROM t");
            let header = parse_header(line.as_bytes()).unwrap();
            assert_eq!((header.time, header.pid, header.piece), (time.as_bytes(), 42, Some((7, 2))));
            let mut decoded = Vec::new();
            decode_escapes(header.text, &mut decoded);
            assert_eq!(decoded, b"\tFROM t");
        }
        let header = parse_header(b"Jan 31 12:00:00 db1 postgres[42]: LOG:  x").unwrap();
        assert_eq!((header.piece, header.text), (None, &b"LOG:  x"[..]));
        for line in ["2026-01-31 12:00:00 UTC [42]: LOG:  x", "", "J", "Jan  1 12:00:00 a b c[1]: x"] {
            assert_eq!(parse_header(line.as_bytes()), None, "{line}");
        }
    }
}
