//! Parses batches of statements, and passes the trees to the handler (the part of a command that processes one
//! statement). If a batch does not parse, its statements are parsed one by one. Therefore an error affects only one
//! statement.

use std::ops::ControlFlow;

use pgq::cache::{AnswerCache, CacheKeys};
use pgq::{Error, ErrorKind, Replaced, Tree};

use super::comments::{Before, CommentsBetween, SurroundingComments};
use super::errors::{check_statement_length, original_error, warning_offset};
use super::event::ChunkReport;
use super::handler::{Statement, StatementHandler};
use super::options::RunOptions;
use super::writer::ResultWriter;
use crate::run::input::{Granularity, StatementBatch};
use crate::run::report::{Location, SourceText, exit_out_of_memory, quote};

/// A batch of statements, with the report of its chunk and the cache keys of the statements.
pub struct BatchContext<'a, 'r> {
    pub batch: &'a StatementBatch<'a>,
    pub report: &'r mut ChunkReport,
    /// The cache key for the result of each statement. Empty if results are not cached.
    pub keys: &'r mut [CacheKeys],
}

/// Parses batches for one job.
pub struct BatchParser<H> {
    pub handler: H,
    pub options: RunOptions,
    pub cache: AnswerCache,
    pub writer: ResultWriter,
    /// The current result.
    result: Vec<u8>,
    /// Comments around the current statement, if the handler uses comments.
    comments: SurroundingComments,
}

/// A function that processes a batch of one statement.
type ProcessSingle<H> = fn(&mut BatchParser<H>, &mut BatchContext<'_, '_>) -> ControlFlow<()>;

impl<H: StatementHandler> BatchParser<H> {
    pub fn new(handler: H, options: RunOptions, cache: AnswerCache) -> Self {
        let writer = ResultWriter::new(options.output, H::KEY);
        Self { handler, options, cache, writer, result: Vec::new(), comments: SurroundingComments::default() }
    }

    /// Processes a batch. Parses the batch if the handler needs trees.
    pub fn process(&mut self, context: &mut BatchContext<'_, '_>) -> ControlFlow<()> {
        if self.handler.keeps_comments() && context.batch.granularity != Granularity::Record {
            return self.with_comments(context);
        }
        if H::NEEDS_TREE { self.parse(context) } else { self.one_by_one(context, Self::without_tree) }
    }

    /// Processes the statements of a batch one by one.
    fn one_by_one(&mut self, context: &mut BatchContext<'_, '_>, process: ProcessSingle<H>) -> ControlFlow<()> {
        for index in 0..context.batch.len() {
            let single = context.batch.single(index, H::WITH_COMMENTS);
            let keys = context.keys.get_mut(index..=index).unwrap_or_default();
            process(self, &mut BatchContext { batch: &single, report: context.report, keys })?;
        }
        if H::WITH_COMMENTS
            && let Some(rest) = context.batch.after_statements()
        {
            process(self, &mut BatchContext { batch: &rest, report: context.report, keys: &mut [] })?;
        }
        ControlFlow::Continue(())
    }

    /// Processes the statements of a script one by one. Also passes the comments around each statement to the handler.
    fn with_comments(&mut self, context: &mut BatchContext<'_, '_>) -> ControlFlow<()> {
        let batch = context.batch;
        let (count, mut end) = (batch.len(), 0);
        let (mut before, mut before_at) = (String::new(), 0);
        for index in 0..=count {
            let start = if index < count { batch.range(index).start } else { batch.bytes.len() };
            let before_gap = if index > 0 { Before::Statement } else { Before::Chunk(batch.line_breaks) };
            let between = CommentsBetween::new(&batch.bytes[end..start], before_gap, index < count);
            if let Some(previous) = index.checked_sub(1) {
                let comments = SurroundingComments { before, after: between.same_line };
                let single = batch.single(previous, false);
                self.comments.clone_from(&comments);
                self.handler.surround(comments);
                self.parse(&mut BatchContext { batch: &single, report: context.report, keys: &mut [] })?;
            }
            (before, before_at) = (between.others, end + between.others_at);
            if index < count {
                end = batch.range(index).end;
            }
        }
        self.write_comments(&before, batch, before_at);
        ControlFlow::Continue(())
    }

    /// Writes comments that do not belong to a statement. The comments begin at byte `offset` of the batch.
    fn write_comments(&mut self, comments: &str, batch: &StatementBatch<'_>, offset: usize) {
        if comments.is_empty() {
            return;
        }
        let mut result = Vec::new();
        if self.options.output.json {
            quote(comments.trim(), &mut result);
        } else {
            result.extend_from_slice(comments.trim_end_matches([' ', '\n']).as_bytes());
            result.push(b'\n');
        }
        self.writer.result(H::KEY, &result, batch, offset, None);
    }

    fn without_tree(&mut self, context: &mut BatchContext<'_, '_>) -> ControlFlow<()> {
        let batch = context.batch;
        let checked = check_statement_length(batch.bytes.len(), self.options.max_statement_bytes);
        let text = match checked.and_then(|()| pgq::check_utf8(batch.bytes)) {
            Ok(text) => text,
            Err(error) => return self.fail(context, 0, &error),
        };
        let replaced = self.options.placeholders_of(batch).map(|style| pgq::placeholders(text, style));
        let replaced = replaced.as_ref();
        let sql = replaced.map_or(text, |replaced| &replaced.sql);
        let (granularity, interrupted) = (batch.granularity, batch.interrupted);
        let statement = Statement { text: sql, granularity, interrupted, parsed: None, batch, start: 0, replaced };
        self.handle(context, 0, &statement)
    }

    fn parse(&mut self, context: &mut BatchContext<'_, '_>) -> ControlFlow<()> {
        let batch = context.batch;
        // If a batch of several statements has an error, its statements are parsed again, one at a time. The reason is
        // that the error must belong to one statement, and its position must be relative to the first word of that
        // statement.
        let single = batch.is_single();
        let checked = check_statement_length(batch.bytes.len(), self.options.max_statement_bytes);
        let text = match checked.and_then(|()| pgq::check_utf8(batch.bytes)) {
            Ok(text) => text,
            Err(_) if !single => return self.one_by_one(context, Self::parse),
            Err(error) => return self.fail(context, 0, &error),
        };
        let replaced = match self.options.placeholders_of(batch) {
            Some(_) if !single => return self.one_by_one(context, Self::parse),
            style => style.map(|style| pgq::placeholders(text, style)),
        };
        let sql = replaced.as_ref().map_or(text, |replaced| &replaced.sql);
        let parse = self.options.parse_of(batch);
        let mut tree = if single {
            match Tree::parse_piece(sql, &parse) {
                Ok(tree) => tree,
                Err(error) => return self.fail(context, 0, &original_error(error, replaced.as_ref())),
            }
        } else {
            match Tree::parse_batch(sql, &parse) {
                Some(tree) if tree.len() == batch.len() => tree,
                _ => return self.one_by_one(context, Self::parse),
            }
        };
        let ranges: Vec<_> = tree.statements().map(pgq::Statement::range).collect();
        if let (true, Some(replaced)) = (H::WITH_LOCATIONS, &replaced)
            && let Err(error) = replaced.relocate(&mut tree)
        {
            return self.fail(context, 0, &error);
        }
        // `Tree::parse_batch` refuses statements with warnings. Therefore, if there are warnings, the batch has only
        // one statement. A warning without a position is reported at the start of this statement.
        if !tree.warnings().is_empty() {
            self.report_warnings(context, &tree, replaced.as_ref());
        }
        let handled = match self.handler.batch(batch, text, &tree, self.writer.buffer()) {
            Some(Err(_)) if !single => return self.one_by_one(context, Self::parse),
            Some(Err(error)) => return self.fail(context, 0, &original_error(error, replaced.as_ref())),
            Some(Ok(())) => true,
            None => false,
        };
        (0..batch.len()).for_each(|index| context.report.warn_of_placeholders(batch, batch.range(index)));
        if handled {
            return ControlFlow::Continue(());
        }
        let (granularity, interrupted, replaced) = (batch.granularity, batch.interrupted, replaced.as_ref());
        if granularity == Granularity::Record {
            let parsed = Some((&tree, 0));
            let statement = Statement { text: sql, granularity, interrupted, parsed, batch, start: 0, replaced };
            return self.handle(context, 0, &statement);
        }
        if tree.len() != batch.len() {
            context.keys = &mut []; // the keys may belong to other statements
        }
        for (index, range) in ranges.into_iter().enumerate() {
            let parsed = Some((&tree, index));
            let start = replaced.map_or(range.start, |replaced| replaced.original(range.start));
            let text = &sql[range];
            let statement = Statement { text, granularity, interrupted, parsed, batch, start, replaced };
            self.handle(context, index, &statement)?;
        }
        ControlFlow::Continue(())
    }

    /// Reports PostgreSQL's warnings on stderr. JSON records already contain the warnings.
    fn report_warnings(&self, context: &mut BatchContext<'_, '_>, tree: &Tree, replaced: Option<&Replaced<'_>>) {
        if self.options.output.json {
            return;
        }
        let batch = context.batch;
        for warning in tree.warnings() {
            let offset = warning_offset(warning, replaced).unwrap_or(0);
            let location = Location::new(batch.file, batch.position(offset));
            context.report.diagnostics.warning(&location, warning, SourceText { text: batch.bytes, offset });
        }
    }

    /// Writes the result of statement `index`, or its error.
    fn handle(
        &mut self,
        context: &mut BatchContext<'_, '_>,
        index: usize,
        statement: &Statement<'_>,
    ) -> ControlFlow<()> {
        let offset = statement.start;
        self.result.clear();
        if let Err(error) = self.handler.statement(statement, self.options.output.json, &mut self.result) {
            let mut error = original_error(error, statement.replaced);
            if let Some(position) = &mut error.position {
                position.offset = position.offset.saturating_sub(offset);
            }
            return self.fail(context, offset, &error);
        }
        let batch = context.batch;
        if let (Some(keys), Some((tree, index_in_tree)), []) =
            (context.keys.get_mut(index), statement.parsed, statement.warnings())
            && self.handler.may_reuse_result()
        {
            let (keys, text) = (std::mem::take(keys), &batch.bytes[batch.range(index)]);
            let parsed = (statement.granularity == Granularity::Statement).then(|| tree.statement(index_in_tree));
            self.cache.keep(keys, text, &self.result, tree, parsed, None);
        }
        self.writer.result(H::KEY, &self.result, batch, offset, Some(statement));
        ControlFlow::Continue(())
    }

    /// Reports an error, and writes it instead of a result. The statement is at byte `offset` of the batch. The
    /// position of the error is relative to `offset`.
    fn fail(&mut self, context: &mut BatchContext<'_, '_>, offset: usize, error: &Error) -> ControlFlow<()> {
        if error.kind == ErrorKind::OutOfMemory {
            exit_out_of_memory();
        }
        let batch = context.batch;
        let start = batch.position(offset);
        let at = offset + error.position.map_or(0, |position| position.offset);
        let location = Location::new(batch.file, batch.position(at));
        let source = SourceText { text: batch.bytes, offset: at };
        let inner = if self.handler.keeps_comments() { inner_comments(batch.bytes) } else { Vec::new() };
        context.report.diagnostics.error(&location, error, &inner, source);
        let SurroundingComments { before, after } = std::mem::take(&mut self.comments);
        self.write_comments(&before, batch, 0);
        self.writer.error(error, &location, batch, start, &inner);
        self.write_comments(after.trim_start(), batch, 0);
        context.report.stop |= self.options.fail_fast;
        context.report.flow()
    }
}

/// Returns the comments inside a statement.
fn inner_comments(statement: &[u8]) -> Vec<String> {
    let text = |range| String::from_utf8_lossy(&statement[range]).into_owned();
    pgq::script::comments(statement).into_iter().map(text).collect()
}
