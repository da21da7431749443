//! Options for reading PostgreSQL's logs and selecting statements.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command};
use jiff::tz::TimeZone;
use pgq_digest::name_bytes;
use pgq_log::{LogKind, RecordFilter, RecordSelection, STATEMENT_WORDS, TimeLimit};

use super::units::{self, TimeArg};
use crate::run::input::{InputFormat, LogOptions};

/// Heading of the options of [`LogArgs`] in help. Each option sets the heading itself. If the struct set it, clap would
/// also apply the heading to the options that a command defines after this struct.
const HEADING: &str = "Logs";

#[derive(Args, Clone, Default)]
pub struct LogArgs {
    /// The server's log_line_prefix [default: recognized if it is a common one]
    #[arg(long, help_heading = HEADING, value_name = "PREFIX", allow_hyphen_values = true)]
    log_line_prefix: Option<String>,

    /// Only statements of this user; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME")]
    user: Vec<String>,

    /// Only statements in this database; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME")]
    database: Vec<String>,

    /// Only statements of this application_name; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME")]
    application: Vec<String>,

    /// Leave out the statements of this user; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME")]
    exclude_user: Vec<String>,

    /// Leave out the statements in this database; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME")]
    exclude_database: Vec<String>,

    /// Leave out the statements of this application_name; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME")]
    exclude_application: Vec<String>,

    /// Only from this time on: '2026-01-31 12:00', 09:27, -2h
    #[arg(long, help_heading = HEADING, value_name = "TIME", allow_hyphen_values = true, value_parser = units::time_limit)]
    since: Option<TimeArg>,

    /// Only up to this time, written as for --since
    #[arg(long, help_heading = HEADING, value_name = "TIME", allow_hyphen_values = true, value_parser = units::time_limit)]
    until: Option<TimeArg>,

    /// Time zone of --since and --until, and of log times without a zone: Europe/Berlin
    #[arg(long, help_heading = HEADING, value_name = "ZONE", value_parser = units::time_zone)]
    pub timezone: Option<TimeZone>,

    /// Only statements that took at least this long (250ms, 1s, 2min); digest also counts errors, whose duration is
    /// unknown
    #[arg(long, help_heading = HEADING, value_name = "TIME", value_parser = units::milliseconds)]
    min_duration: Option<f64>,

    /// Only statements of these kinds: select, insert, create, …
    #[arg(long, help_heading = HEADING, value_name = "KINDS", value_delimiter = ',', value_parser = KindParser, hide_possible_values = true)]
    kind: Vec<String>,

    /// Include statements that failed (digest and export always do)
    #[arg(long, help_heading = HEADING)]
    errors: bool,

    /// Include parse, bind and fetch messages as statements, in addition to executions
    #[arg(long, help_heading = HEADING)]
    parse_bind: bool,

    /// Add the durations of parse and bind to the execution that follows
    #[arg(long, help_heading = HEADING, conflicts_with = "parse_bind")]
    add_parse_bind: bool,

    /// Keep reading while the log grows and is rotated, even if its name contains a date or a weekday
    #[arg(long, help_heading = HEADING)]
    pub follow: bool,

    /// Exit with 0 even if more than 1 % of a log was not understood
    #[arg(long, help_heading = HEADING)]
    pub lenient: bool,

    /// Print counts of what was read, skipped and taken from caches
    #[arg(long, help_heading = HEADING)]
    pub stats: bool,
}

/// Parses a statement kind. Accepts any word; shell completions offer the usual kinds.
#[derive(Clone)]
struct KindParser;

impl TypedValueParser for KindParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(STATEMENT_WORDS.split_ascii_whitespace().map(PossibleValue::new)))
    }
}

/// Returns the names as bytes. Undoes escapes, because a user may copy a name from a report, and reports escape some
/// characters.
fn names(texts: &[String]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| name_bytes(text)).collect()
}

impl LogArgs {
    pub fn filter(&self) -> RecordFilter {
        RecordFilter {
            users: names(&self.user),
            databases: names(&self.database),
            applications: names(&self.application),
            excluded_users: names(&self.exclude_user),
            excluded_databases: names(&self.exclude_database),
            excluded_applications: names(&self.exclude_application),
            kinds: self.kind.iter().map(|kind| kind.trim().to_ascii_lowercase()).collect(),
            since: self.limit(self.since.as_ref()),
            until: self.limit(self.until.as_ref()),
            min_duration: self.min_duration,
            keeps_errors: false,
            zone: self.timezone.clone(),
        }
    }

    /// Returns a filter that accepts all statements of the selected users and databases, up to the time of `--until`.
    /// Unlike [`Self::filter`], it ignores options such as `--application`, which can reject single statements of a
    /// session. Returns `None` if neither such an option nor `--until` is given, because both filters would be equal.
    pub fn session_filter(&self) -> Option<RecordFilter> {
        let lists = [&self.application, &self.exclude_application, &self.kind];
        let is_given = lists.into_iter().any(|list| !list.is_empty())
            || self.min_duration.is_some()
            || self.since.is_some()
            || self.until.is_some();
        is_given.then(|| RecordFilter {
            users: names(&self.user),
            databases: names(&self.database),
            excluded_users: names(&self.exclude_user),
            excluded_databases: names(&self.exclude_database),
            until: self.limit(self.until.as_ref()).filter(|until| matches!(until, TimeLimit::At(_))),
            zone: self.timezone.clone(),
            ..RecordFilter::default()
        })
    }

    fn limit(&self, time: Option<&TimeArg>) -> Option<TimeLimit> {
        let limit = time?.limit.clone();
        Some(match &self.timezone {
            Some(zone) => limit.or_in_zone(zone),
            None => limit,
        })
    }

    /// Returns the given filters in words, such as `user alice or bob`.
    pub fn descriptions(&self) -> Vec<String> {
        let lists = [
            ("user", &self.user),
            ("database", &self.database),
            ("application", &self.application),
            ("without user", &self.exclude_user),
            ("without database", &self.exclude_database),
            ("without application", &self.exclude_application),
            ("kind", &self.kind),
        ];
        let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
        let lists = lists.map(|(what, names)| format!("{what} {}", names.join(" or ")));
        let times = [("since", &self.since), ("until", &self.until)];
        let times = times.into_iter().filter_map(|(what, time)| {
            let TimeArg { text, limit } = time.as_ref()?;
            let zone = self.timezone.as_ref().filter(|zone| limit.clone().or_in_zone(zone) != *limit);
            let zone = zone.and_then(TimeZone::iana_name).map(|name| format!(" {name}")).unwrap_or_default();
            Some(format!("{what} {text}{zone}"))
        });
        let shortest = self.min_duration.map(|ms| format!("at least {ms} ms"));
        lists.chain(times).chain(shortest).collect()
    }

    /// Returns the options for reading logs from an input of `format`.
    ///
    /// # Errors
    /// Returns an error if a given option does not fit the input or another option. For example, `--follow` does not
    /// fit a folder.
    pub fn options(&self, files: &[PathBuf], format: InputFormat) -> Result<LogOptions> {
        match (format, self.first_given()) {
            (format, _) if format.may_be_log() => {}
            (_, None) => {}
            (_, Some(option)) => bail!("{option} is for logs: add --from stderr, csvlog, jsonlog or auto"),
        }
        if let (InputFormat::Log(LogKind::Csvlog | LogKind::Jsonlog), Some(_)) = (format, &self.log_line_prefix) {
            bail!("--log-line-prefix is for --from stderr: csvlog and jsonlog have no prefix");
        }
        if let [Some(TimeLimit::Daily(_, since)), Some(TimeLimit::Daily(_, until))] =
            [self.limit(self.since.as_ref()), self.limit(self.until.as_ref())]
            && since != until
        {
            bail!("--since and --until are times of day in different zones: write both in one");
        }
        if self.follow && (files.len() != 1 || files[0] == Path::new("-")) {
            bail!("--follow needs exactly one FILE; a pipe is read without it (tail -F FILE | pgq …)");
        }
        if self.follow && files[0].is_dir() {
            bail!("--follow reads one FILE, and {} is a folder: name its newest log", files[0].display());
        }
        Ok(LogOptions {
            line_prefix: self.log_line_prefix.clone(),
            envelopes: Vec::new(),
            selection: RecordSelection {
                errors: self.errors,
                parse_bind: self.parse_bind,
                add_parse_bind: self.add_parse_bind,
                events: false,
                durations: self.min_duration.is_some(),
                messages: false,
                session_fields: self.since.is_some() || self.until.is_some(), // for the zone of the session
            },
            follow: self.follow,
            refuses_repeats: false,
            live: false,
            required_by: self.first_given(),
            refuses_forgeable: false,
        })
    }

    /// Returns the first given option that applies only to logs.
    pub fn first_given(&self) -> Option<&'static str> {
        [
            ("--log-line-prefix", self.log_line_prefix.is_some()),
            ("--user", !self.user.is_empty()),
            ("--database", !self.database.is_empty()),
            ("--application", !self.application.is_empty()),
            ("--exclude-user", !self.exclude_user.is_empty()),
            ("--exclude-database", !self.exclude_database.is_empty()),
            ("--exclude-application", !self.exclude_application.is_empty()),
            ("--since", self.since.is_some()),
            ("--until", self.until.is_some()),
            ("--timezone", self.timezone.is_some()),
            ("--min-duration", self.min_duration.is_some()),
            ("--kind", !self.kind.is_empty()),
            ("--errors", self.errors),
            ("--parse-bind", self.parse_bind),
            ("--add-parse-bind", self.add_parse_bind),
            ("--follow", self.follow),
        ]
        .into_iter()
        .find_map(|(option, given)| given.then_some(option))
    }
}
