//! Reads a whole log through the public interface, for the tests of this folder.
#![allow(dead_code, reason = "each test uses a part")]

use pgq_log::{
    Assembler, Batch, BeforeWait, ByteSource, Chunks, Entry, Field, LogKind, LogReaderConfig, LogStats,
    RecordSelection, Records, StreamState, Unwrapper,
};

/// Result of reading a log: its records, and the counts and the notice that the log reader returns.
pub struct Reading {
    pub records: Vec<String>,
    pub stats: LogStats,
    pub notice: Option<String>,
}

pub const SELECTION: RecordSelection = RecordSelection {
    errors: true,
    events: true,
    session_fields: true,
    durations: true,
    messages: false,
    parse_bind: false,
    add_parse_bind: false,
};

/// Reads a log. Formats each record with `word`.
pub fn read(kind: LogKind, prefix: Option<&str>, log: &[u8], word: impl Fn(Entry<'_>) -> String) -> Reading {
    read_selected(SELECTION, kind, prefix, log, word)
}

/// Like [`read`], but reads only the messages that `selection` includes.
pub fn read_selected(
    selection: RecordSelection,
    kind: LogKind,
    prefix: Option<&str>,
    log: &[u8],
    word: impl Fn(Entry<'_>) -> String,
) -> Reading {
    read_source(selection, kind, prefix, (log, log), word)
}

/// A log that is read in pieces of `size` bytes, so that chunks end at many places.
pub struct Pieces<'a> {
    pub log: &'a [u8],
    pub read: usize,
    pub size: usize,
}

impl ByteSource for Pieces<'_> {
    fn bytes(&self) -> &[u8] {
        &self.log[..self.read]
    }

    fn is_complete(&self) -> bool {
        self.read == self.log.len()
    }

    fn fill(&mut self, _before_wait: BeforeWait<'_>) -> std::io::Result<()> {
        self.read = self.log.len().min(self.read + self.size);
        Ok(())
    }

    fn consume(&mut self, count: usize) {
        (self.log, self.read) = (&self.log[count..], self.read - count);
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let taken = self.log[..count].to_vec();
        self.consume(count);
        taken
    }

    fn take_rotated(&mut self) -> bool {
        false
    }

    fn mark_complete(&mut self) {}
}

/// Reads a log from a source. `sample` is its start.
pub fn read_source(
    selection: RecordSelection,
    kind: LogKind,
    prefix: Option<&str>,
    (sample, mut log): (&[u8], impl ByteSource),
    word: impl Fn(Entry<'_>) -> String,
) -> Reading {
    let (config, notice) = LogReaderConfig::new(kind, selection, prefix, sample);
    let mut parser = config.parser();
    let mut chunks = Chunks::new(config);
    let mut known = None;
    let mut assembler = Assembler::default();
    let mut reading = Reading { records: Vec::new(), stats: LogStats::default(), notice };
    while let Some(step) = chunks.next_chunk(&mut log, &|| {}).expect("a slice has no read errors") {
        if !known.as_ref().is_some_and(|known| std::sync::Arc::ptr_eq(known, &step.config)) {
            parser = step.config.parser();
            known = Some(std::sync::Arc::clone(&step.config));
        }
        reading.notice = [reading.notice.take(), step.notice].into_iter().flatten().reduce(|a, b| a + "; " + &b);
        let mut batch = Batch::parse(step.chunk, step.config.selection, parser.as_mut());
        if step.state == StreamState::End {
            parser.flush(&mut batch);
        }
        let records: Records = match step.state {
            StreamState::More => assembler.assemble(batch),
            StreamState::Idle => assembler.assemble_idle(batch),
            StreamState::End => assembler.finish(batch),
        };
        reading.records.extend(records.iter().map(&word));
        reading.stats.add(records.stats());
    }
    let LogStats { lines, messages, parts, interrupted, empty, foreign, unreadable, .. } = reading.stats;
    assert_eq!(lines, messages + parts + interrupted + empty + foreign + unreadable, "every line: {:?}", reading.stats);
    reading
}

/// Removes the envelopes of a log, that is, the text that other programs added to its lines. Returns the log inside,
/// and the title of the envelopes. Returns a log without envelopes unchanged.
pub fn unwrap(log: &[u8]) -> (Vec<u8>, Option<String>) {
    let Some(mut unwrapper) = Unwrapper::detect(log, &[], None) else { return (log.to_vec(), None) };
    let mut lines = Vec::new();
    // Feeds small pieces, like a slow pipe.
    log.chunks(1000).for_each(|part| unwrapper.feed(part, &mut lines).expect("little is held"));
    unwrapper.finish(&mut lines).expect("the document is JSON");
    (lines, Some(unwrapper.title()))
}

/// Formats a record as a line: `PID SEVERITY | user | duration ms | SQL | parameters`. Omits missing fields.
pub fn summary(entry: Entry<'_>) -> String {
    let text = |field: Field| String::from_utf8_lossy(entry.get(field)).replace('\n', "\\n").replace('\t', "\\t");
    let mut line = format!("{} {}", entry.pid(), entry.severity().name());
    for field in [Field::User, Field::Duration, Field::Sql, Field::Params] {
        if !entry.get(field).is_empty() {
            line += " | ";
            line += &text(field);
        }
    }
    if let Some(event) = entry.event() {
        line += &format!(" | {event:?}");
    }
    if entry.is_truncated() {
        line += " | truncated";
    }
    line
}
