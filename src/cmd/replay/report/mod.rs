//! Reports of a replay. A report shows the events of the run, and the figures of each query in the log and in the
//! replay.

pub(super) mod fail_if;
mod json;
mod query;
mod text;

use pgq_digest::baseline::Baseline;
use pgq_digest::report::{Report, ReportOptions, Sort};
use pgq_log::counted;

use self::fail_if::Condition;
use self::query::{ComparedQuery, compare};
pub use self::text::not_executed;
use super::args::ReportFormat;
use super::run::Results;
use crate::cmd::digest::{PageSource, QueryDescriber, write_page};

/// A run compared with its log.
pub struct Comparison<'a> {
    pub results: &'a Results,
    /// Sorted by the additional time that they took in the replay.
    pub queries: Vec<ComparedQuery>,
    /// Lines about violated `--fail-if` conditions.
    pub failed: Vec<String>,
    /// Lines about `--fail-if` conditions that cannot be judged for some queries.
    pub unjudged: Vec<String>,
    /// Whether a condition cannot be judged for any query.
    pub is_unjudged: bool,
}

impl<'a> Comparison<'a> {
    /// Compares each query's figures in the log with those in the replay.
    pub fn new(results: &'a Results, conditions: &[Condition]) -> Self {
        let queries = compare(&results.times.before, &results.times.after);
        let failed = conditions.iter().flat_map(|condition| condition.violations(&queries)).collect();
        let (mut unjudged, mut is_unjudged) = (Vec::new(), false);
        for condition in conditions {
            let (judged, unknown) = condition.judged(&queries);
            if queries.is_empty() {
                unjudged.push(format!("{condition}: no statement was compared"));
                is_unjudged = true;
            } else if unknown > 0 {
                let unknown = counted(unknown as u64, "queries");
                unjudged.push(format!("{condition}: not judged for {unknown}, because the log lacks their durations"));
                is_unjudged |= judged == 0;
            }
        }
        Self { results, queries, failed, unjudged, is_unjudged }
    }

    /// Appends the report.
    pub fn write(&self, format: ReportFormat, top: usize, out: &mut Vec<u8>) {
        match format {
            ReportFormat::Text => text::write(self, top, out),
            ReportFormat::Json => json::write(self, out),
            ReportFormat::Html => {
                let baseline = Baseline::new(&self.results.times.before, &QueryDescriber);
                let options = ReportOptions {
                    sort: Sort::Total,
                    top: Some(200),
                    of_each: 20,
                    short_rest: false,
                    baseline: Some(&baseline),
                };
                let mut report = Report::new(self.results.times.after.clone(), &options, &QueryDescriber);
                let failed = self.failed.iter().map(|line| format!("failed: {line}"));
                let unjudged = self.unjudged.iter().cloned();
                report.notes = text::events(self.results).into_iter().chain(failed).chain(unjudged).collect();
                write_page(&report, &PageSource::default(), out);
            }
        }
    }
}
