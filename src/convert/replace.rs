//! Parameters into a text, in place of its constants.
//!
//! libpg_query puts `$n` wherever the tree has a constant, also where the grammar takes none,
//! and does not always see where one ends. Nearly all texts have none of that and are written
//! as it writes them ([`plain`]). For others that text ([`as_library`]) must be looked at: where
//! it does not mean the same there is another ([`careful`]), and it is said in what it differs
//! ([`Departure`]).

use std::ops::Range;

use super::constants::{Form, constant, name_end};
use crate::sys::Located;

/// A text without its constants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Normalized {
    /// The text with `$n` in place of its constants.
    pub text: String,
    /// Constants that are left as they were, where PostgreSQL takes no parameter and no
    /// string that could stand for them: `SET a = 5`.
    pub kept: usize,
    /// Strings that are now `'$n'`, in quotes, where PostgreSQL takes a string but no
    /// parameter: `PASSWORD '$1'`.
    pub quoted: usize,
    /// In what the text differs from that of libpg_query, each once and in order.
    pub departures: Vec<Departure>,
}

/// Why a normalized text is not that of libpg_query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Departure {
    /// A number with several signs or parentheses, `- (- 1)`, is one constant.
    Sign,
    /// `U&'…' UESCAPE '!'` is one constant.
    Escape,
    /// `date '2020-01-01'` is `$1::date`.
    Type,
    /// A word of the grammar is no constant: `extract(year FROM a)`. (libpg_query's own changes
    /// to the grammar let `extract($1 FROM a)` parse; PostgreSQL does not.)
    Word,
    /// A string where only a string may stand is `'$1'`.
    Quoted,
    /// A constant where no parameter may stand is left.
    Kept,
    /// A parameter would have run into the word beside it.
    Space,
    /// No text could be made that means the same: the statement is left as it was.
    Statement,
}

/// Where a constant stands that does not just stand in an expression. In order of what wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Site {
    /// Where the grammar has a literal, and no expression.
    Literal,
    /// Behind the name of its type, which starts at this place.
    Typed(i32),
}

/// The constants of a text, by place.
pub(crate) struct Constants {
    /// Numbers below 0 are the walk's own, to follow those that the text has.
    pub located: Vec<Located>,
    pub(super) sites: Vec<(i32, Site)>,
    /// The highest parameter of the text.
    pub highest_param: i64,
    /// All statements are queries.
    pub in_query: bool,
}

impl Constants {
    /// The number of the parameter.
    fn number(&self, param: i32) -> i64 {
        if param < 0 { self.highest_param - i64::from(param) } else { i64::from(param) }
    }

    /// Each place once: a constant that the tree holds more than once is replaced once.
    fn each(&self) -> impl Iterator<Item = Located> + '_ {
        let mut last = -1;
        self.located
            .iter()
            .copied()
            .filter(move |constant| std::mem::replace(&mut last, constant.location) != constant.location)
    }

    /// Whether all of them stand where libpg_query's grammar takes parameters: in expressions,
    /// and behind the name of a type, by a change of its own.
    fn are_plain(&self) -> bool {
        let typed = || self.sites.iter().all(|(_, site)| matches!(site, Site::Typed(_)));
        self.located.is_empty() || (self.in_query && typed())
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.each().count()
    }

    fn site(&self, location: i32) -> Option<Site> {
        let at = self.sites.partition_point(|(place, _)| *place < location);
        self.sites.get(at).filter(|(place, _)| *place == location).map(|(_, site)| *site)
    }
}

/// Whether a byte goes on a word, a number or a parameter.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// A constant in a text, and the number of the parameter that takes its place.
pub(crate) struct Constant {
    pub range: Range<usize>,
    pub number: u32,
}

/// The text as libpg_query writes it, which is right; `None` where it may not be.
pub(crate) fn plain(text: &[u8], constants: &Constants, escapes: bool) -> Option<Vec<u8>> {
    constants.are_plain().then(|| write(text, constants, escapes, &Any::Plain))?
}

/// The same but for words of the grammar, which stay as they are; `None` where there are none.
pub(crate) fn with_words(text: &[u8], constants: &Constants, escapes: bool) -> Option<Vec<u8>> {
    write(text, constants, escapes, &Any::PlainBeside(words(text, constants, escapes)?))
}

/// What [`plain`] or [`with_words`] replaces.
pub(crate) fn plain_constants(text: &[u8], constants: &Constants, escapes: bool) -> Option<Vec<Constant>> {
    if !constants.are_plain() {
        return None;
    }
    let list = |any: &Any| {
        let mut found = Vec::with_capacity(constants.located.len());
        each(text, constants, escapes, any, |constant| found.push(constant))?;
        Some(found)
    };
    list(&Any::Plain).or_else(|| list(&Any::PlainBeside(words(text, constants, escapes)?)))
}

/// The numbers of what is a word of the grammar and no constant, if there is any.
fn words(text: &[u8], constants: &Constants, escapes: bool) -> Option<Gone> {
    if !constants.are_plain() {
        return None;
    }
    let mut words = Vec::new();
    for Located { location, param } in constants.each() {
        let found = constant(text, usize::try_from(location).ok()?, escapes)?;
        if found.form == Form::Word && constants.site(location).is_none() {
            words.extend((param < 0).then_some(-param));
        }
    }
    Some(words).filter(|words| !words.is_empty()).map(Gone::of)
}

/// The text as libpg_query writes it, right or not; `None` where it cannot be.
pub(crate) fn as_library(text: &[u8], constants: &Constants, escapes: bool) -> Option<Vec<u8>> {
    write(text, constants, escapes, &Any::Constant)
}

/// Which constants there may be.
enum Any {
    /// Literals and values that touch no words.
    Plain,
    /// The same, and words, which are left; these are their numbers.
    PlainBeside(Gone),
    Constant,
}

fn write(text: &[u8], constants: &Constants, escapes: bool, any: &Any) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() + 2 * constants.located.len());
    let mut done = 0;
    each(text, constants, escapes, any, |Constant { range, number }| {
        out.extend_from_slice(&text[done..range.start]);
        out.push(b'$');
        out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        done = range.end;
    })?;
    out.extend_from_slice(&text[done..]);
    Some(out)
}

/// Hands out each constant that libpg_query takes for one token, in the text's order. `None`
/// where there is another.
fn each(text: &[u8], constants: &Constants, escapes: bool, any: &Any, mut give: impl FnMut(Constant)) -> Option<()> {
    let (mut done, mut first) = (0, true);
    for Located { location, param } in constants.each() {
        let start = usize::try_from(location).ok().filter(|start| (done..=text.len()).contains(start))?;
        let found = constant(text, start, escapes).filter(|found| found.plain)?;
        let is_of_grammar = found.form == Form::Word && constants.site(location).is_none();
        let param = match any {
            Any::PlainBeside(_) if is_of_grammar => continue,
            Any::PlainBeside(words) if param < 0 => words.closed_up(param),
            _ => param,
        };
        let number = i32::try_from(constants.number(param)).ok()?;
        let before = start.checked_sub(1).is_some_and(|at| is_word(text[at])) || (start == done && !first);
        let touches = || before || text.get(found.end).copied().is_some_and(is_word);
        if is_of_grammar || (!matches!(any, Any::Constant) && touches()) {
            return None;
        }
        give(Constant { range: start..found.end, number: number as u32 });
        (done, first) = (found.end, false);
    }
    Some(())
}

/// What is done with a constant.
enum Fate {
    /// The bytes from `from` to `to` give way to a parameter, with a cast to the type whose
    /// name ends there, if one is given.
    Parameter {
        from: usize,
        to: usize,
        name_end: Option<usize>,
    },
    Quoted {
        from: usize,
        to: usize,
    },
    /// It was made by an earlier call, and stays.
    AlreadyQuoted,
    Kept,
    /// It is none.
    Word,
}

/// A text that was made with care.
pub(crate) struct Careful {
    pub text: Vec<u8>,
    pub kept: usize,
    pub quoted: usize,
    pub departures: Vec<Departure>,
}

/// The text where libpg_query's is not right, or not certain. `None` where our lexer does not
/// know a constant.
pub(crate) fn careful(text: &[u8], constants: &Constants, escapes: bool) -> Option<Careful> {
    let mut made = Careful { text: Vec::with_capacity(text.len()), kept: 0, quoted: 0, departures: Vec::new() };
    let mut fates = Vec::with_capacity(constants.located.len());
    for constant in constants.each() {
        fates.push((constant.param, made.fate(text, constants, constant.location, escapes)?));
    }
    let gone = Gone::new(&fates);
    let mut done = 0;
    for (param, fate) in &fates {
        let number = |param: &i32| constants.number(if *param < 0 { gone.closed_up(*param) } else { *param });
        match fate {
            Fate::Parameter { from, to, name_end } => {
                made.text.extend_from_slice(text.get(done..*from)?);
                made.parameter(number(param), name_end.map(|end| &text[*from..end]), text.get(*to).copied())?;
                done = *to;
            }
            Fate::Quoted { from, to } => {
                made.text.extend_from_slice(text.get(done..*from)?);
                made.text.extend_from_slice(format!("'${}'", number(param)).as_bytes());
                done = *to;
            }
            Fate::AlreadyQuoted | Fate::Kept | Fate::Word => {}
        }
    }
    made.text.extend_from_slice(text.get(done..)?);
    made.departures.sort_unstable();
    made.departures.dedup();
    Some(made)
}

impl Careful {
    fn fate(&mut self, text: &[u8], constants: &Constants, location: i32, escapes: bool) -> Option<Fate> {
        let from = usize::try_from(location).ok()?;
        let found = constant(text, from, escapes)?;
        let to = found.end;
        let (fate, departure) = match (constants.site(location), found.form) {
            (_, Form::Word) | (Some(Site::Literal), Form::Value) => (Fate::Word, Some(Departure::Word)),
            (Some(Site::Literal), Form::String) => {
                self.quoted += 1;
                let fate =
                    if is_quoted_parameter(&text[from..to]) { Fate::AlreadyQuoted } else { Fate::Quoted { from, to } };
                (fate, Some(Departure::Quoted))
            }
            (Some(Site::Literal), Form::Number) => {
                self.kept += 1;
                (Fate::Kept, Some(Departure::Kept))
            }
            (Some(Site::Typed(name)), _) => {
                let name = usize::try_from(name).ok()?;
                let name_end = Some(name_end(text, name, from)?);
                (Fate::Parameter { from: name, to, name_end }, Some(Departure::Type))
            }
            (None, form) => {
                let departure = if form == Form::Number { Departure::Sign } else { Departure::Escape };
                (Fate::Parameter { from, to, name_end: None }, (!found.plain).then_some(departure))
            }
        };
        self.departures.extend(departure);
        Some(fate)
    }

    /// Writes `$n`, or `$n::name`, apart from the words beside it.
    fn parameter(&mut self, number: i64, name: Option<&[u8]>, next: Option<u8>) -> Option<()> {
        let number = i32::try_from(number).ok()?;
        if self.text.last().copied().is_some_and(is_word) {
            self.text.push(b' ');
            self.departures.push(Departure::Space);
        }
        self.text.push(b'$');
        self.text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        if let Some(name) = name {
            self.text.extend_from_slice(b"::");
            self.text.extend_from_slice(name);
        }
        if next.is_some_and(is_word) {
            self.text.push(b' ');
            self.departures.push(Departure::Space);
        }
        Some(())
    }
}

/// `'$1'`, as it is written for strings where no parameter may stand.
fn is_quoted_parameter(literal: &[u8]) -> bool {
    match literal {
        [b'\'', b'$', digits @ .., b'\''] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Numbers of constants that do not become parameters: those behind them close up.
struct Gone(Vec<i32>);

impl Gone {
    fn new(fates: &[(i32, Fate)]) -> Self {
        let stays = |fate: &Fate| matches!(fate, Fate::Kept | Fate::Word | Fate::AlreadyQuoted);
        Self::of(fates.iter().filter(|(param, fate)| *param < 0 && stays(fate)).map(|(param, _)| -param).collect())
    }

    fn of(mut gone: Vec<i32>) -> Self {
        gone.sort_unstable();
        gone.dedup();
        Self(gone)
    }

    fn closed_up(&self, param: i32) -> i32 {
        param + self.0.partition_point(|gone| *gone < -param) as i32
    }
}
