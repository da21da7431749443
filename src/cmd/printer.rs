//! The end of the line: results to standard output, what is told to stderr, in order. It
//! makes nothing itself.

use anyhow::Result;

use crate::input::Flow;
use crate::output::{Messages, Output};
use crate::pipeline::{Asked, Event, Outlet, Told};
use pgq_log::Stats;

/// Prints bytes as they come.
pub struct Printer<'a> {
    output: Output,
    listener: Listener<'a>,
}

impl<'a> Printer<'a> {
    /// `stats` asks for the counts of logs.
    pub fn new(stats: bool, messages: &'a Messages) -> Self {
        Self { output: Output::new(), listener: Listener::new(stats, messages) }
    }
}

impl Outlet<Vec<u8>> for Printer<'_> {
    fn take(&mut self, event: Event<Vec<u8>>) -> Result<Flow> {
        let mut flow = Flow::Continue;
        if let Some((made, next)) = self.listener.hear(event) {
            self.output.record(|out| out.extend_from_slice(&made))?;
            flow = next;
        }
        Ok(flow)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.output.flush()?)
    }

    fn finish(&mut self) -> Result<()> {
        self.listener.finish();
        Ok(self.output.flush()?)
    }
}

/// For workers that keep what they make: only what is told is printed.
pub struct Quiet<'a>(Listener<'a>);

impl<'a> Quiet<'a> {
    /// `stats` asks for the counts of logs.
    pub fn new(stats: bool, messages: &'a Messages) -> Self {
        Self(Listener::new(stats, messages))
    }
}

impl Outlet<()> for Quiet<'_> {
    fn take(&mut self, event: Event<()>) -> Result<Flow> {
        Ok(self.0.hear(event).map_or(Flow::Continue, |((), flow)| flow))
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.0.finish();
        Ok(())
    }
}

/// Prints what is told beside the results.
pub struct Listener<'a> {
    messages: &'a Messages,
    stats: bool,
    asked: Asked,
    /// Counts of the log that is being read.
    log: Option<(String, Stats)>,
}

impl<'a> Listener<'a> {
    pub fn new(stats: bool, messages: &'a Messages) -> Self {
        Self { messages, stats, asked: Asked::default(), log: None }
    }

    /// Prints what an event tells; gives the result in it, and whether more is wanted.
    pub fn hear<D>(&mut self, event: Event<D>) -> Option<(D, Flow)> {
        match event {
            Event::Made { file, made, told, .. } => {
                let Told { report, log, asked, stop } = told;
                self.asked.add(asked);
                self.messages.report(&report);
                if log != Stats::default() {
                    let (_, sum) = self.log.get_or_insert_with(|| (file.to_string(), Stats::default()));
                    sum.add(&log);
                }
                return Some((made, if stop { Flow::Stop } else { Flow::Continue }));
            }
            Event::Remark { file, text } => self.messages.remark(&format!("{file}: {text}")),
            Event::Unreadable { file, problem } => self.messages.unreadable(&file, &problem),
            Event::End => self.end(),
        }
        None
    }

    /// All has ended.
    pub fn finish(&mut self) {
        self.end();
        let Asked { statements, known, by_shape } = self.asked;
        if self.stats && statements > 0 {
            let share = |count: u64| count as f64 * 100.0 / statements as f64;
            self.messages.remark(&format!(
                "of {statements} statements, {known} ({:.1} %) had a text that was seen before, {by_shape} ({:.1} %) \
                 differed from one in literals and layout alone",
                share(known),
                share(by_shape)
            ));
        }
    }

    /// A file has ended: what there is to say of a log is said.
    fn end(&mut self) {
        let Some((file, stats)) = self.log.take() else { return };
        if self.stats {
            self.messages.remark(&format!("{file}: {}", stats.summary()));
        }
        if stats.messages == 0 && stats.unreadable > 0 {
            let lines = stats.unreadable;
            self.messages.remark(&format!(
                "{file}: none of its {lines} lines begins as a message of the log (see --from and --log-line-prefix)"
            ));
        } else if !self.stats && stats.unreadable + stats.cut + stats.truncated > 0 {
            self.messages.remark(&format!(
                "{file}: {} lines not understood, {} messages cut by another, {} truncated statements (see --stats)",
                stats.unreadable, stats.cut, stats.truncated
            ));
        }
    }
}
