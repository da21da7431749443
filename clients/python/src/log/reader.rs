//! Reads the chunks of a log into rows. Independent of Python and Arrow.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use pgq_log::{
    Assembler, Batch, ByteSource, Chunks, LineParser, LogKind, LogReaderConfig, LogStats, RecordSelection, StreamState,
    Unwrapper, detect_format, runs_newest_first,
};

use super::rows::Row;
use super::source::Source;

/// Number of bytes for detecting the format and the prefix.
const SAMPLE_BYTES: usize = 256 << 10;

/// Reads a log chunk by chunk.
pub struct Reader {
    source: Source,
    chunks: Chunks,
    assembler: Assembler,
    parser: Option<(Arc<LogReaderConfig>, Box<dyn LineParser>)>,
    stats: LogStats,
    rows: VecDeque<Row>,
    is_done: bool,
}

impl Reader {
    /// Opens a reader. Returns it with a message about the detected format.
    pub fn open(
        name: &str,
        mut source: Source,
        kind: Option<LogKind>,
        line_prefix: Option<&str>,
        selection: RecordSelection,
    ) -> io::Result<(Self, Option<String>)> {
        let refused = |problem: &str| io::Error::new(io::ErrorKind::InvalidData, problem.to_string());
        while !source.is_complete() && source.bytes().len() < SAMPLE_BYTES {
            source.fill(&|| {})?;
        }
        if Unwrapper::needs_all(source.bytes()) {
            while !source.is_complete() {
                source.fill(&|| {})?;
            }
        }
        let mut notices = Vec::new();
        let unwrapper = Unwrapper::detect(source.bytes(), &[], line_prefix);
        let is_wrapped = match unwrapper.filter(|found| kind.is_none_or(|kind| found.holds(source.bytes(), kind))) {
            Some(unwrapper) => {
                notices.push(format!("taken to be {}", unwrapper.title()));
                source.unwrap_lines(unwrapper)?;
                true
            }
            None => false,
        };
        // A log with a prefix is a stderr log, because the other formats have no prefix. Do not detect the format of
        // such a log in an envelope: a client may have sent SQL whose lines look like JSON or CSV.
        let detected = || match is_wrapped && line_prefix.is_some() {
            true => Some(LogKind::Stderr),
            false => detect_format(if is_wrapped { "-" } else { name }, source.bytes()),
        };
        let kind = kind.or_else(detected);
        let kind = kind.ok_or_else(|| refused("is not a log of PostgreSQL, or name its format"))?;
        if runs_newest_first(source.bytes()) {
            return Err(refused(
                "runs from its newest lines to its oldest: reverse it, so that the oldest lines come first",
            ));
        }
        let (config, notice) = LogReaderConfig::new(kind, selection, line_prefix, source.bytes());
        if config.refuses(source.bytes()) {
            return Err(refused(&notice.unwrap_or_default()));
        }
        notices.extend(notice);
        let reader = Self {
            source,
            chunks: Chunks::new(config),
            assembler: Assembler::default(),
            parser: None,
            stats: LogStats::default(),
            rows: VecDeque::new(),
            is_done: false,
        };
        Ok((reader, (!notices.is_empty()).then(|| notices.join("; "))))
    }

    /// Returns the counts so far.
    pub fn stats(&self) -> &LogStats {
        &self.stats
    }

    /// Whether all rows of the chunks read so far were returned.
    pub fn needs_chunk(&self) -> bool {
        self.rows.is_empty() && !self.is_done
    }

    /// Returns the next row of the chunks read so far.
    pub fn pop(&mut self) -> Option<Row> {
        self.rows.pop_front()
    }

    /// Reads until there are rows or the log ends.
    pub fn next_rows(&mut self) -> io::Result<()> {
        while self.needs_chunk() {
            let Some(step) = self.chunks.next_chunk(&mut self.source, &|| {})? else {
                self.is_done = true;
                break;
            };
            let (config, mut parser) = match self.parser.take() {
                Some(last) if Arc::ptr_eq(&last.0, &step.config) => last,
                _ => (Arc::clone(&step.config), step.config.parser()),
            };
            let mut batch = Batch::parse(step.chunk, config.selection, parser.as_mut());
            if step.state == StreamState::End {
                parser.flush(&mut batch);
            }
            self.parser = Some((config, parser));
            let records = match step.state {
                StreamState::More => self.assembler.assemble(batch),
                StreamState::Idle => self.assembler.assemble_idle(batch),
                StreamState::End => self.assembler.finish(batch),
            };
            self.stats.add(records.stats());
            for entry in records.iter() {
                self.stats.count_record(entry);
                self.rows.push_back(Row::of(entry));
            }
        }
        Ok(())
    }
}
