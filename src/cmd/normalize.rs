//! `pgq normalize`: replaces the constants of SQL by `$n`.

use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use pgq::cache::KnownShape;
use pgq::secrets::{anonymize_sql, mask_sql};
use pgq::{Error, FingerprintOptions, Normalized};

use super::args::{CacheArgs, FormatArgs, KeepArgs, ParserArgs, StatementArgs};
use super::results::{self, ResultArgs};
use crate::run::input::Granularity;
use crate::run::report::{Diagnostics, one_line, quote, trim_line_ends};
use crate::run::statements::{OutputOptions, RunOptions, Statement, StatementHandler};

pub const EXAMPLES: &str = "\
Examples:
  echo \"SELECT a FROM t WHERE b = 1 AND c = 'x'\" | pgq normalize
  printf 'SELECT 1\\nSELECT 2\\n' | pgq normalize --from lines | sort | uniq -c
  echo \"CREATE USER u PASSWORD 'secret'\" | pgq normalize --utility";

#[derive(clap::Args)]
pub struct Args {
    /// Print each distinct line once, preceded by its number of statements, most frequent first
    #[arg(long, conflicts_with = "verbatim")]
    count: bool,

    /// Keep layout and comments
    ///
    /// By default a statement is one line: each run of white space and comments becomes a space, and
    /// line breaks in literals become escapes.
    #[arg(long)]
    verbatim: bool,

    /// Normalize only utility statements (passwords, connection strings)
    #[arg(long)]
    utility: bool,

    /// Leave out every literal and comment, even where $n does not parse, and replace names by pseudonyms
    #[arg(long, conflicts_with_all = ["verbatim", "show_secrets", "keep_columns"])]
    pub anonymize: bool,

    /// Show passwords and other secrets in kept literals; by default, they are masked
    #[arg(long)]
    show_secrets: bool,

    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    parser: ParserArgs,
    #[command(flatten)]
    caches: CacheArgs,
}

#[derive(Clone)]
struct Normalizer {
    verbatim: bool,
    utility: bool,
    anonymize: bool,
    show_secrets: bool,
    /// Scratch buffer for the normalized SQL of a [`KnownShape`].
    scratch: String,
    /// Number of literals that all jobs together have kept, because `$n` cannot replace them.
    kept: Arc<AtomicU64>,
    /// Whether a literal of the most recent statement was kept, because `$n` cannot replace it.
    last_kept: bool,
}

impl Normalizer {
    fn normalize(&mut self, statement: &Statement<'_>) -> Result<Normalized, Error> {
        let (tree, index) = statement.tree();
        let mut normalized = match statement.granularity {
            Granularity::Record => tree.normalize(self.utility),
            Granularity::Statement => tree.statement(index).normalize(self.utility),
        }?;
        if self.anonymize {
            (normalized.text, normalized.kept) = (anonymize_sql(&normalized.text), 0);
        } else if let Cow::Owned(masked) = self.without_secrets(&normalized.text) {
            normalized.text = masked;
        }
        self.last_kept = normalized.kept > 0;
        if self.last_kept {
            self.kept.fetch_add(normalized.kept as u64, Ordering::Relaxed);
        }
        Ok(normalized)
    }

    /// Masks secrets unless `--show-secrets` is given.
    fn without_secrets<'a>(&self, normalized: &'a str) -> Cow<'a, str> {
        if self.show_secrets { normalized.into() } else { mask_sql(normalized) }
    }

    /// Applies the chosen layout. `interrupted` is true if a psql meta-command inside of the statement was replaced
    /// with spaces. In this case, spaces at the ends of lines are removed.
    fn layout<'a>(&self, normalized: &'a str, interrupted: bool) -> Cow<'a, str> {
        match self.verbatim {
            true if interrupted => trim_line_ends(normalized).into(),
            true => normalized.into(),
            false => one_line(normalized).into(),
        }
    }

    fn write_line(&self, normalized: &str, interrupted: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(self.layout(normalized, interrupted).as_bytes());
        out.push(b'\n');
    }
}

impl StatementHandler for Normalizer {
    type Output = Vec<u8>;

    const KEY: &'static str = "normalized";
    const FURTHER_KEYS: &'static [&'static str] = &["kept", "quoted"];
    const NEEDS_TREE: bool = true;

    fn shape_options(&self) -> Option<FingerprintOptions> {
        // A statement's shape is its tokens without the values of literals. Two options disable the
        // cache by shape: --utility, because few utility statements share a shape, and --anonymize,
        // because the cached SQL is not anonymized.
        (!self.utility && !self.anonymize).then(FingerprintOptions::default)
    }

    fn known_shape(&mut self, shape: &KnownShape<'_>, json: bool, out: &mut Vec<u8>) {
        let mut normalized = std::mem::take(&mut self.scratch);
        normalized.clear();
        if shape.normalize(&mut normalized) {
            let masked = self.without_secrets(&normalized);
            match json {
                true => quote(&self.layout(&masked, false), out),
                false => self.write_line(&masked, false, out),
            }
        }
        self.scratch = normalized;
    }

    fn may_reuse_result(&self) -> bool {
        !self.last_kept // a reused result would not count its kept literals
    }

    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let normalized = self.normalize(statement)?;
        if !json {
            self.write_line(&normalized.text, statement.interrupted, out);
            return Ok(());
        }
        quote(&self.layout(&normalized.text, statement.interrupted), out);
        for (key, count) in [("kept", normalized.kept), ("quoted", normalized.quoted)] {
            if count > 0 {
                let _ = write!(out, ",\"{key}\":{count}");
            }
        }
        Ok(())
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let kept = Arc::new(AtomicU64::new(0));
    let Args { verbatim, utility, anonymize, show_secrets, .. } = *args;
    let scratch = String::new();
    let handler =
        Normalizer { verbatim, utility, anonymize, show_secrets, scratch, kept: Arc::clone(&kept), last_kept: false };
    let (output, caches) = (args.format.answers(args.keep.keep_columns)?, args.caches.options());
    let output = OutputOptions { anonymize, masks_secrets: !show_secrets, ..output };
    let parse = args.parser.options();
    let options = RunOptions { output, caches, parse, reads_tokens: true, ..args.statements.run_options() };
    let Args { count, format, statements, .. } = args;
    let results = ResultArgs { count: *count, format, statements };
    results::run(&handler, &results, &options, diagnostics)?;
    match kept.load(Ordering::Relaxed) {
        0 => {}
        1 => diagnostics.notice("1 literal was kept, where $n does not parse (see --anonymize)"),
        kept => diagnostics.notice(&format!("{kept} literals were kept, where $n does not parse (see --anonymize)")),
    }
    Ok(())
}
