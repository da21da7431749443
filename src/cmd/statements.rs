//! What commands that read SQL have in common: a statement at a time, errors reported and
//! recorded. It knows nothing of what a command makes of a statement.

use std::sync::Arc;

use anyhow::Result;
use pgq::shape::{Extent, Found, Known, ShapeCache};
use pgq::{Error, ErrorKind, FingerprintOptions, ParseOptions, PlaceholderStyle, Replaced, Tree, Warning};

use super::printer::Printer;
use super::seen::{self, Seen};
use crate::cli::{FormatArgs, InputArgs, ParserArgs};
use crate::input::{Flow, Input, Piece, Unit, Wish};
use crate::output::{Messages, Place, Record, Source, indent};
use crate::pipeline::{self, Asked, Outlet, Told, Work, Worker};
use pgq_log::{RecordFilter, Verdict};

/// A statement, or a record of the input, and its tree.
pub struct Statement<'a> {
    /// Its text, with `$n` for placeholders where a style of them was named.
    pub text: &'a str,
    pub unit: Unit,
    parsed: Option<(&'a Tree, usize)>,
    replaced: Option<&'a Replaced<'a>>,
}

impl Statement<'_> {
    /// The tree of the piece that the statement is in, and its index there. For records,
    /// all of the tree is the record's.
    pub fn tree(&self) -> (&Tree, usize) {
        self.parsed.expect("the command asked for trees")
    }

    /// The byte of the statement as it was written that byte `offset` of its text stands for.
    pub fn original(&self, offset: usize) -> usize {
        self.replaced.map_or(offset, |replaced| replaced.original(offset))
    }

    fn warnings(&self) -> &[Warning] {
        match self.parsed {
            Some((tree, _)) => tree.warnings(),
            None => &[],
        }
    }
}

/// What a command makes of statements. Each job has one of its own.
pub trait Answer: Send {
    /// The record's key for the result.
    const KEY: &'static str;
    /// Whether statements come parsed, and a text that does not parse is an error.
    const PARSED: bool;
    /// Whether a statement's text begins with the comments before it.
    const WITH_COMMENTS: bool = false;
    /// Whether the answer speaks of places, which must be those of the original text.
    const WITH_PLACES: bool = false;

    /// Whether the answer for a statement depends on its text alone.
    fn is_by_text(&self) -> bool {
        true
    }

    /// With which fingerprints answers may be given by the shape of a statement, if they may.
    fn shapes(&self) -> Option<FingerprintOptions> {
        None
    }

    /// Appends the result for a statement of a known shape, as a JSON value or as text; nothing
    /// where the shape does not tell.
    fn by_shape(&mut self, _known: &Known<'_>, _json: bool, _out: &mut Vec<u8>) {
        unreachable!("the command did not ask for shapes")
    }

    /// Appends the result as a JSON value. Further keys of the record may follow it, each
    /// behind a comma.
    ///
    /// # Errors
    /// The statement's own; `out` is then ignored.
    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Appends the result as text, with its newline.
    ///
    /// # Errors
    /// As for [`Answer::json`].
    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Takes a whole piece at once, whose text starts at byte `base` of the file, and appends
    /// what it gives. `None` leaves it to be taken statement by statement.
    fn whole_piece(
        &mut self,
        _text: &str,
        _tree: &Tree,
        _base: usize,
        _out: &mut Vec<u8>,
    ) -> Option<Result<(), Error>> {
        None
    }
}

/// How results are made and written, for all jobs alike.
#[derive(Clone)]
pub struct Manner {
    pub json: bool,
    pub indented: bool,
    pub fail_fast: bool,
    pub parse: ParseOptions,
    placeholders: Option<PlaceholderStyle>,
    /// Bytes that a statement may have.
    longest: usize,
    filter: Arc<RecordFilter>,
}

impl Manner {
    pub fn new(input: &InputArgs, format: FormatArgs, parser: ParserArgs) -> Self {
        Self {
            json: format.json(),
            indented: format.indented(),
            fail_fast: input.fail_fast,
            parse: parser.options(),
            placeholders: input.placeholders,
            longest: input.jobs.longest_statement(),
            filter: Arc::new(input.log.filter()),
        }
    }
}

/// A job that makes [`Answer`]s.
pub struct Statements<A> {
    answer: A,
    manner: Manner,
    /// Answers by text, where they depend on nothing else.
    seen: Option<Seen>,
    /// Answers by shape.
    shapes: Option<ShapeCache>,
    out: Vec<u8>,
    /// The answer that is on its way out.
    result: Vec<u8>,
    /// Keys of statements without an answer, for their parsing together.
    keys: Vec<Keys>,
}

/// By what the answer for a statement is to be kept, once there is one.
#[derive(Clone, Copy, Default)]
struct Keys {
    text: Option<u64>,
    shape: bool,
}

/// One piece, and what is told of it.
struct Visit<'a, 't> {
    piece: &'a Piece<'a>,
    told: &'t mut Told,
    /// What to keep the answers by, for each of its statements, or none.
    keys: &'a [Keys],
}

impl<A: Answer> Statements<A> {
    fn new(answer: A, manner: Manner, input: &InputArgs, jobs: usize) -> Self {
        let seen = (A::PARSED && answer.is_by_text() && !input.no_cache).then(|| Seen::new(jobs));
        let shapes = answer.shapes().filter(|options| {
            // The answers are for texts that are parsed as by default.
            input.shapes() && options.parse == ParseOptions::default() && manner.parse == ParseOptions::default()
        });
        let shapes = shapes.map(|options| seen::shapes(jobs, options));
        Self { answer, manner, seen, shapes, out: Vec::new(), result: Vec::new(), keys: Vec::new() }
    }

    /// A record on its way out, indented where that is wanted.
    fn record(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write_json(&mut self.out, self.manner.indented, write);
    }

    /// The answer for a statement, or its error, on its way out.
    fn answer(&mut self, visit: &mut Visit<'_, '_>, index: usize, offset: usize, statement: &Statement<'_>) -> Flow {
        self.result.clear();
        let made = if self.manner.json {
            self.answer.json(statement, &mut self.result)
        } else {
            self.answer.text(statement, &mut self.result)
        };
        if let Err(error) = made {
            return self.failed(visit, offset, &error_of(error, statement.replaced));
        }
        if let (Some(keys), []) = (visit.keys.get(index), statement.warnings()) {
            self.keep(*keys, &visit.piece.bytes[visit.piece.range(index)], Some(statement));
        }
        self.hand_out(visit.piece, offset, Some(statement));
        Flow::Continue
    }

    /// Keeps the answer that is on its way out, by the text as it was written and by the shape
    /// of the statement.
    fn keep(&mut self, keys: Keys, written: &[u8], statement: Option<&Statement<'_>>) {
        if let (Some(seen), Some(key)) = (&mut self.seen, keys.text) {
            seen.keep(key, written, &self.result);
        }
        if let (Some(shapes), true, Some(statement)) = (&mut self.shapes, keys.shape, statement) {
            let (tree, index) = statement.tree();
            let index = (statement.unit == Unit::Statement).then_some(index);
            // What goes wrong would have gone wrong with the answer.
            let _ = shapes.keep(statement.text, tree, index);
        }
    }

    /// Writes the answer for the statement at byte `offset` of the piece; `statement` is that
    /// one, where it was parsed.
    fn hand_out(&mut self, piece: &Piece<'_>, offset: usize, statement: Option<&Statement<'_>>) {
        if !self.manner.json {
            return self.out.extend_from_slice(&self.result);
        }
        let result = std::mem::take(&mut self.result);
        let start = piece.place(offset);
        let warnings = statement.map_or(&[][..], Statement::warnings);
        let replaced = statement.and_then(|statement| statement.replaced);
        let remarked = |warning: &Warning| piece.place(remarked_at(warning, replaced).unwrap_or(offset));
        self.record(|out| {
            Record::open(out, &Place::new(piece.file, start))
                .log(piece.log)
                .field(A::KEY, |out| out.extend_from_slice(&result))
                .warnings(warnings, |warning| Place::new(piece.file, remarked(warning)))
                .close();
        });
        self.result = result;
    }

    /// The error of the statement at byte `offset` of the piece. Its own position counts
    /// from there.
    fn failed(&mut self, visit: &mut Visit<'_, '_>, offset: usize, error: &Error) -> Flow {
        if error.kind == ErrorKind::OutOfMemory {
            pgq::memory::out_of_memory(); // no statement's own error: the next would fail, too
        }
        let piece = visit.piece;
        let start = piece.place(offset);
        let at = error.position.map_or(start, |position| piece.place(offset + position.offset));
        let place = Place::new(piece.file, at);
        let offset = error.position.map_or(offset, |position| offset + position.offset);
        visit.told.report.invalid(&place, error, Source { text: piece.bytes, offset });
        if self.manner.json {
            let own = Place::new(piece.file, start);
            self.record(|out| Record::open(out, &own).log(piece.log).error(error, &place).close());
        }
        visit.told.stop |= self.manner.fail_fast;
        if visit.told.stop { Flow::Stop } else { Flow::Continue }
    }

    /// Statements one by one, after the whole piece was refused or where no trees are wanted.
    fn one_by_one(&mut self, visit: &mut Visit<'_, '_>, f: fn(&mut Self, &mut Visit<'_, '_>) -> Flow) -> Flow {
        for index in 0..visit.piece.len() {
            let alone = visit.piece.alone(index, A::WITH_COMMENTS);
            let keys = visit.keys.get(index..=index).unwrap_or_default();
            if f(self, &mut Visit { piece: &alone, told: visit.told, keys }) == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Continue
    }

    fn parsed(&mut self, visit: &mut Visit<'_, '_>) -> Flow {
        let piece = visit.piece;
        // Errors are told of a statement alone, from its first word.
        let alone = piece.is_alone();
        if let Err(error) = self.check_length(piece) {
            return if alone { self.failed(visit, 0, &error) } else { self.one_by_one(visit, Self::parsed) };
        }
        let text = match pgq::check_utf8(piece.bytes) {
            Ok(text) => text,
            Err(_) if !alone => return self.one_by_one(visit, Self::parsed),
            Err(error) => return self.failed(visit, 0, &error),
        };
        let replaced = match self.manner.placeholders {
            Some(_) if !alone => return self.one_by_one(visit, Self::parsed),
            style => style.map(|style| pgq::placeholders(text, style)),
        };
        let sql = replaced.as_ref().map_or(text, |replaced| &replaced.sql);
        let mut tree = match Tree::parse_piece(sql, &self.manner.parse) {
            Ok(tree) => tree,
            Err(_) if !alone => return self.one_by_one(visit, Self::parsed),
            Err(error) => return self.failed(visit, 0, &error_of(error, replaced.as_ref())),
        };
        let ranges = tree.ranges();
        if let (true, Some(replaced)) = (A::WITH_PLACES, &replaced)
            && let Err(error) = tree.relocate(replaced)
        {
            return self.failed(visit, 0, &error);
        }
        if !tree.warnings().is_empty() {
            // Some remarks have no place of their own: it is that of their statement.
            if !alone {
                return self.one_by_one(visit, Self::parsed);
            }
            self.remarks(visit, &tree, replaced.as_ref());
        }
        match self.answer.whole_piece(text, &tree, piece.start().offset as usize, &mut self.out) {
            Some(Ok(())) => return Flow::Continue,
            Some(Err(_)) if !alone => return self.one_by_one(visit, Self::parsed),
            Some(Err(error)) => return self.failed(visit, 0, &error),
            None => {}
        }
        let replaced = replaced.as_ref();
        if piece.unit == Unit::Record {
            let statement = Statement { text: sql, unit: piece.unit, parsed: Some((&tree, 0)), replaced };
            return self.answer(visit, 0, 0, &statement);
        }
        if tree.len() != piece.len() {
            visit.keys = &[]; // whose answer is whose is not certain
        }
        for (index, range) in ranges.into_iter().enumerate() {
            let parsed = Some((&tree, index));
            let statement = Statement { text: &sql[range.clone()], unit: piece.unit, parsed, replaced };
            if self.answer(visit, index, statement.original(range.start), &statement) == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Continue
    }

    /// What PostgreSQL remarked, on stderr; JSON records carry it themselves.
    fn remarks(&self, visit: &mut Visit<'_, '_>, tree: &Tree, replaced: Option<&Replaced<'_>>) {
        if self.manner.json {
            return;
        }
        for warning in tree.warnings() {
            let offset = remarked_at(warning, replaced).unwrap_or(0);
            let source = Source { text: visit.piece.bytes, offset };
            visit.told.report.warning(&Place::new(visit.piece.file, visit.piece.place(offset)), warning, source);
        }
    }

    fn check_length(&self, piece: &Piece<'_>) -> Result<(), Error> {
        let (bytes, allowed) = (piece.bytes.len(), self.manner.longest);
        if bytes <= allowed { Ok(()) } else { Err(Error::too_long(bytes, allowed)) }
    }

    fn unparsed(&mut self, visit: &mut Visit<'_, '_>) -> Flow {
        if let Err(error) = self.check_length(visit.piece) {
            return self.failed(visit, 0, &error);
        }
        let text = match pgq::check_utf8(visit.piece.bytes) {
            Ok(text) => text,
            Err(error) => return self.failed(visit, 0, &error),
        };
        let replaced = self.manner.placeholders.map(|style| pgq::placeholders(text, style));
        let replaced = replaced.as_ref();
        let sql = replaced.map_or(text, |replaced| &replaced.sql);
        self.answer(visit, 0, 0, &Statement { text: sql, unit: visit.piece.unit, parsed: None, replaced })
    }

    fn piece(&mut self, piece: &Piece<'_>, told: &mut Told) -> Flow {
        if self.seen.is_some() || self.shapes.is_some() {
            return self.known_or_parsed(piece, told);
        }
        let mut visit = Visit { piece, told, keys: &[] };
        if A::PARSED { self.parsed(&mut visit) } else { self.one_by_one(&mut visit, Self::unparsed) }
    }

    /// Hands out the answers that are known, and parses what stands between them.
    fn known_or_parsed(&mut self, piece: &Piece<'_>, told: &mut Told) -> Flow {
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        let mut flow = Flow::Continue;
        for index in 0..piece.len() {
            let range = piece.range(index);
            match self.look_up(&piece.bytes[range.clone()], piece.unit, &mut told.asked) {
                Ok(()) => {
                    flow = self.unknown(piece, index, &mut keys, told);
                    if flow == Flow::Stop {
                        break;
                    }
                    self.hand_out(piece, range.start, None);
                }
                Err(unknown) => keys.push(unknown),
            }
        }
        if flow == Flow::Continue {
            flow = self.unknown(piece, piece.len(), &mut keys, told);
        }
        self.keys = keys;
        flow
    }

    /// Finds the answer for a text, or what to keep it by.
    fn look_up(&mut self, text: &[u8], unit: Unit, asked: &mut Asked) -> Result<(), Keys> {
        asked.statements += 1;
        self.result.clear();
        let key = self.seen.as_mut().and_then(|seen| seen.key(text));
        if let (Some(seen), Some(key)) = (&mut self.seen, key)
            && let Some(answer) = seen.answer(key, text)
        {
            self.result.extend_from_slice(answer);
            asked.known += 1;
            return Ok(());
        }
        let extent = if unit == Unit::Record { Extent::Text } else { Extent::Statement };
        let found = match (&mut self.shapes, std::str::from_utf8(text)) {
            (Some(shapes), Ok(sql)) if text.len() <= self.manner.longest => shapes.find(sql, extent),
            _ => Found::Nothing,
        };
        let mut keys = Keys { text: key, shape: false };
        match found {
            Found::Known(known) => self.answer.by_shape(&known, self.manner.json, &mut self.result),
            Found::New => keys.shape = true,
            Found::Nothing => {}
        }
        if self.result.is_empty() {
            return Err(keys);
        }
        asked.by_shape += 1;
        self.keep(keys, text, None);
        Ok(())
    }

    /// Parses the statements before `end` whose keys there are, which had no answer.
    fn unknown(&mut self, piece: &Piece<'_>, end: usize, keys: &mut Vec<Keys>, told: &mut Told) -> Flow {
        if keys.is_empty() {
            return Flow::Continue;
        }
        let result = std::mem::take(&mut self.result);
        let part = if keys.len() == piece.len() { None } else { Some(piece.part(end - keys.len()..end)) };
        let flow = self.parsed(&mut Visit { piece: part.as_ref().unwrap_or(piece), told, keys });
        keys.clear();
        self.result = result;
        flow
    }

    /// A record of a log, if it is wanted.
    fn logged(&mut self, piece: &Piece<'_>, told: &mut Told) -> Flow {
        let Some(entry) = piece.log else { return Flow::Continue };
        match self.manner.filter.verdict(entry) {
            Verdict::Selected => {}
            Verdict::Rejected => {
                told.log.filtered += 1;
                return Flow::Continue;
            }
            Verdict::MissingField => {
                told.log.unknown += 1;
                return Flow::Continue;
            }
        }
        told.log.count(entry);
        if !entry.is_truncated() {
            return self.piece(piece, told);
        }
        // The log has lost an end of it. What is left must not pass for another statement,
        // so there is a record and no result.
        if self.manner.json {
            let start = piece.start();
            let place = Place::new(piece.file, start);
            self.record(|out| Record::open(out, &place).log(piece.log).close());
        }
        Flow::Continue
    }
}

impl<A: Answer> Worker for Statements<A> {
    type Made = Vec<u8>;

    fn work(&mut self, file: &str, work: &Work, told: &mut Told) -> Vec<u8> {
        match work {
            Work::Statements(s) => {
                self.piece(&Piece::of_script(file, &s.bytes, s.start, &s.ranges), told);
            }
            Work::Records(records) => {
                let mut pieces = records.iter().map(|(bytes, start)| Piece::of_record(file, bytes, start));
                let _ = pieces.all(|piece| self.piece(&piece, told) == Flow::Continue);
            }
            Work::Log(records) => {
                let mut pieces = records.iter().map(|entry| Piece::of_log(file, entry));
                let _ = pieces.all(|piece| self.logged(&piece, told) == Flow::Continue);
            }
            Work::Documents(_) => unreachable!("only deparse reads trees"),
        }
        std::mem::take(&mut self.out)
    }

    fn weight(made: &Vec<u8>) -> usize {
        made.capacity()
    }
}

/// An error as one of the text as it was written.
pub fn error_of(error: Error, replaced: Option<&Replaced<'_>>) -> Error {
    match replaced {
        Some(replaced) => replaced.error(error),
        None => error,
    }
}

/// The byte of the text as it was written that a remark is about, where it has a place.
fn remarked_at(warning: &Warning, replaced: Option<&Replaced<'_>>) -> Option<usize> {
    let offset = warning.position?.offset;
    Some(replaced.map_or(offset, |replaced| replaced.original(offset)))
}

/// Runs a command: makes answers of everything that `input` names.
///
/// # Errors
/// What ends the run: usage, and output that cannot be written.
pub fn run<A: Answer + Clone>(answer: &A, input: &InputArgs, manner: &Manner, messages: &Messages) -> Result<()> {
    run_into(answer, input, manner, &mut Printer::new(input.log.stats, messages))
}

/// [`run`] into another outlet than standard output as it is.
///
/// # Errors
/// As for [`run`].
pub fn run_into<A: Answer + Clone>(
    answer: &A,
    input: &InputArgs,
    manner: &Manner,
    outlet: &mut dyn Outlet<Vec<u8>>,
) -> Result<()> {
    let reading = Input::new(&Wish::sql(input)?)?;
    let jobs = input.jobs();
    let workers = (0..jobs).map(|_| Statements::new(answer.clone(), manner.clone(), input, jobs));
    pipeline::run(reading, workers.collect(), outlet)?;
    Ok(())
}

/// Appends a record, indented where that is wanted.
pub fn write_json(out: &mut Vec<u8>, indented: bool, write: impl FnOnce(&mut Vec<u8>)) {
    if indented {
        let mut compact = Vec::new();
        write(&mut compact);
        indent(compact.trim_ascii_end(), out);
        out.push(b'\n');
    } else {
        write(out);
    }
}
