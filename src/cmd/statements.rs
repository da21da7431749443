//! What commands that read SQL have in common: a statement at a time, errors reported and
//! recorded, output in order. It knows nothing of what a command makes of a statement.

use anyhow::Result;
use pgq::{Error, ParseOptions, Tree, Warning};

use crate::cli::{FormatArgs, InputArgs, ParserArgs};
use crate::input::{Flow, Piece, Sink, Unit, for_each_piece};
use crate::output::{Messages, Output, Record};

/// A statement, or a record of the input, and its tree.
pub struct Statement<'a> {
    pub text: &'a str,
    pub unit: Unit,
    parsed: Option<(&'a Tree, usize)>,
}

impl Statement<'_> {
    /// The tree of the piece that the statement is in, and its index there. For records,
    /// all of the tree is the record's.
    pub fn tree(&self) -> (&Tree, usize) {
        self.parsed.expect("the command asked for trees")
    }

    fn warnings(&self) -> &[Warning] {
        match self.parsed {
            Some((tree, _)) => tree.warnings(),
            None => &[],
        }
    }
}

/// What a command makes of statements.
pub trait Answer {
    /// The record's key for the result.
    const KEY: &'static str;
    /// Whether statements come parsed, and a text that does not parse is an error.
    const PARSED: bool;
    /// Whether a statement's text begins with the comments before it.
    const WITH_COMMENTS: bool = false;

    /// Appends the result as a JSON value.
    ///
    /// # Errors
    /// The statement's own; `out` is then ignored.
    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Appends the result as text, with its newline.
    ///
    /// # Errors
    /// As for [`Answer::json`].
    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Takes a whole piece at once, whose text starts at byte `base` of the file. `None`
    /// leaves it to be taken statement by statement.
    fn whole_piece(&mut self, _text: &str, _tree: &Tree, _base: usize) -> Option<Result<(), Error>> {
        None
    }
}

/// Runs an [`Answer`] over pieces and writes what it makes of them.
pub struct Statements<'a, A> {
    pub answer: A,
    pub json: bool,
    pub indented: bool,
    pub fail_fast: bool,
    pub parse: ParseOptions,
    pub messages: &'a Messages,
    pub output: Output,
    scratch: Vec<u8>,
}

impl<'a, A: Answer> Statements<'a, A> {
    pub fn new(answer: A, messages: &'a Messages) -> Self {
        Self {
            answer,
            json: false,
            indented: false,
            fail_fast: false,
            parse: ParseOptions::default(),
            messages,
            output: Output::new(),
            scratch: Vec::new(),
        }
    }

    /// Takes over the options that commands share.
    pub fn configure(&mut self, input: &InputArgs, format: FormatArgs, parser: ParserArgs) {
        self.json = format.json();
        self.indented = format.indented();
        self.fail_fast = input.fail_fast;
        self.parse = parser.options();
    }

    /// A statement's result, or its error, on its way out.
    fn answer(&mut self, piece: &Piece<'_>, offset: usize, statement: &Statement<'_>) -> Result<Flow> {
        self.scratch.clear();
        let made = if self.json {
            self.answer.json(statement, &mut self.scratch)
        } else {
            self.answer.text(statement, &mut self.scratch)
        };
        if let Err(error) = made {
            return self.failed(piece, offset, &error);
        }
        if !self.json {
            let text = &self.scratch;
            self.output.record(|out| out.extend_from_slice(text))?;
            return Ok(Flow::Continue);
        }
        let start = piece.place(offset);
        let place = start.in_file(piece.file);
        let result = &self.scratch;
        let write = |out: &mut Vec<u8>| {
            Record::open(out, &place)
                .log(piece.log)
                .field(A::KEY, |out| out.extend_from_slice(result))
                .warnings(statement.warnings())
                .close();
        };
        write_json(&mut self.output, self.indented, write)?;
        Ok(Flow::Continue)
    }

    /// The error of the statement at byte `offset` of the piece. Its own position counts
    /// from there.
    fn failed(&mut self, piece: &Piece<'_>, offset: usize, error: &Error) -> Result<Flow> {
        let start = piece.place(offset);
        let at = error.position.map_or(start, |position| piece.place(offset + position.offset));
        let place = at.in_file(piece.file);
        self.messages.invalid(&place, error);
        if self.json {
            let own = start.in_file(piece.file);
            let write = |out: &mut Vec<u8>| Record::open(out, &own).log(piece.log).error(error, &place).close();
            write_json(&mut self.output, self.indented, write)?;
        }
        Ok(if self.fail_fast { Flow::Stop } else { Flow::Continue })
    }

    /// Statements one by one, after the whole piece was refused or where no trees are wanted.
    fn one_by_one(
        &mut self,
        piece: &Piece<'_>,
        mut f: impl FnMut(&mut Self, &Piece<'_>) -> Result<Flow>,
    ) -> Result<Flow> {
        for index in 0..piece.statements.len() {
            if f(self, &piece.alone(index, A::WITH_COMMENTS))? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    fn parsed(&mut self, piece: &Piece<'_>) -> Result<Flow> {
        // Errors are told of a statement alone, from its first word.
        let alone = piece.statements.len() == 1 && piece.statements[0].start == 0;
        let text = match pgq::check_utf8(&piece.bytes) {
            Ok(text) => text,
            Err(_) if !alone => return self.one_by_one(piece, Self::parsed),
            Err(error) => return self.failed(piece, 0, &error),
        };
        let tree = match Tree::parse_piece(text, &self.parse) {
            Ok(tree) => tree,
            Err(_) if !alone => return self.one_by_one(piece, Self::parsed),
            Err(error) => return self.failed(piece, 0, &error),
        };
        if !tree.warnings().is_empty() {
            // Some remarks have no place of their own: it is that of their statement.
            if !alone {
                return self.one_by_one(piece, Self::parsed);
            }
            self.remarks(piece, &tree);
        }
        match self.answer.whole_piece(text, &tree, piece.start.offset as usize) {
            Some(Ok(())) => return Ok(Flow::Continue),
            Some(Err(_)) if !alone => return self.one_by_one(piece, Self::parsed),
            Some(Err(error)) => return self.failed(piece, 0, &error),
            None => {}
        }
        if piece.unit == Unit::Record {
            let statement = Statement { text, unit: piece.unit, parsed: Some((&tree, 0)) };
            return self.answer(piece, 0, &statement);
        }
        for (index, range) in tree.ranges().into_iter().enumerate() {
            let statement = Statement { text: &text[range.clone()], unit: piece.unit, parsed: Some((&tree, index)) };
            if self.answer(piece, range.start, &statement)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    /// What PostgreSQL remarked, on stderr; JSON records carry it themselves.
    fn remarks(&self, piece: &Piece<'_>, tree: &Tree) {
        if self.json {
            return;
        }
        for warning in tree.warnings() {
            let at = piece.place(warning.position.map_or(0, |position| position.offset));
            self.messages.warning(&at.in_file(piece.file), warning);
        }
    }

    /// A statement that the log has lost an end of. What is left must not pass for another
    /// statement, so there is a record and no result.
    fn truncated(&mut self, piece: &Piece<'_>) -> Result<Flow> {
        if self.json {
            let place = piece.start.in_file(piece.file);
            let write = |out: &mut Vec<u8>| Record::open(out, &place).log(piece.log).close();
            write_json(&mut self.output, self.indented, write)?;
        }
        Ok(Flow::Continue)
    }

    fn unparsed(&mut self, piece: &Piece<'_>) -> Result<Flow> {
        match pgq::check_utf8(&piece.bytes) {
            Ok(text) => self.answer(piece, 0, &Statement { text, unit: piece.unit, parsed: None }),
            Err(error) => self.failed(piece, 0, &error),
        }
    }
}

impl<A: Answer> Sink for Statements<'_, A> {
    fn piece(&mut self, piece: &Piece<'_>) -> Result<Flow> {
        if piece.log.is_some_and(|entry| entry.truncated) {
            return self.truncated(piece);
        }
        if A::PARSED { self.parsed(piece) } else { self.one_by_one(piece, Self::unparsed) }
    }

    fn idle(&mut self) -> Result<()> {
        Ok(self.output.flush()?)
    }
}

/// Runs a command: makes `answer`s of everything that `input` names.
pub fn run<A: Answer>(
    answer: A,
    input: &InputArgs,
    format: FormatArgs,
    parser: ParserArgs,
    messages: &Messages,
) -> Result<()> {
    let mut sink = Statements::new(answer, messages);
    sink.configure(input, format, parser);
    for_each_piece(input, messages, &mut sink)?;
    Ok(sink.output.flush()?)
}

/// Writes a record, indented where that is wanted.
pub fn write_json(output: &mut Output, indented: bool, write: impl FnOnce(&mut Vec<u8>)) -> std::io::Result<()> {
    output.record(|out| {
        if indented {
            let mut compact = Vec::new();
            write(&mut compact);
            crate::output::indent(compact.trim_ascii_end(), out);
            out.push(b'\n');
        } else {
            write(out);
        }
    })
}
