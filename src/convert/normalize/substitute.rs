//! Substitutes parameters for the constants of SQL.
//!
//! libpg_query's normalization has two faults. It writes `$n` for every constant of the tree, even if the grammar
//! accepts no parameter in place of the constant. It also misjudges the end of some constants. Most SQL is not
//! affected: [`plain`] normalizes it. For all other SQL, the caller checks whether libpg_query's result
//! ([`libpg_compatible`]) has the same meaning as the SQL. If not, [`conservative`] writes different SQL and lists the
//! [`Deviation`]s from libpg_query's result.

use std::ops::Range;

use pgq_lexer::{first_word, is_word_byte};

use super::constants::{CollectedConstants, ConstantSite};
use super::literal::{ConstantForm, constant, name_end};
use super::normalized::Deviation;
use crate::sys::NumberedConstant;

/// The byte range of a constant, and the number of the parameter that replaces it.
pub(crate) struct ReplacedConstant {
    pub range: Range<usize>,
    pub number: u32,
}

/// Returns libpg_query's result. Returns `None` if the result may have a different meaning than the SQL.
pub(crate) fn plain(text: &str, constants: &CollectedConstants, escapes: bool) -> Option<String> {
    constants.are_plain().then(|| write(text, constants, escapes, &Accept::Plain))?
}

/// Returns the same as [`plain`], but keeps words of the grammar, such as `year` in `extract(year
/// FROM a)`. Returns `None` if there are no such words.
pub(crate) fn with_words(text: &str, constants: &CollectedConstants, escapes: bool) -> Option<String> {
    let words = words(text.as_bytes(), constants, escapes)?;
    write(text, constants, escapes, &Accept::PlainBeside(words))
}

/// Returns the constants that [`plain`] or [`with_words`] replaces.
pub(crate) fn plain_constants(
    text: &[u8],
    constants: &CollectedConstants,
    escapes: bool,
) -> Option<Vec<ReplacedConstant>> {
    if !constants.are_in_expressions() {
        return None;
    }
    let list = |any: &Accept| {
        let mut found = Vec::with_capacity(constants.constants.len());
        each(text, constants, escapes, any, |constant| {
            found.push(constant);
            Some(())
        })?;
        Some(found)
    };
    list(&Accept::Plain).or_else(|| list(&Accept::PlainBeside(words(text, constants, escapes)?)))
}

/// Returns the parameter numbers of the constants that are words of the grammar, such as `year` in `extract(year FROM
/// a)`. Returns `None` if no constant is such a word.
fn words(text: &[u8], constants: &CollectedConstants, escapes: bool) -> Option<DroppedParams> {
    if !constants.are_plain() {
        return None;
    }
    let mut words = Vec::new();
    for NumberedConstant { location, param } in constants.each() {
        let found = constant(text, usize::try_from(location).ok()?, escapes)?;
        if found.form == ConstantForm::Word && constants.site(location).is_none() {
            words.extend((param < 0).then_some(-param));
        }
    }
    Some(words).filter(|words| !words.is_empty()).map(DroppedParams::of)
}

/// Returns libpg_query's result, even if its meaning differs from the meaning of the SQL. Returns `None` if the lexer
/// stops.
pub(crate) fn libpg_compatible(text: &str, constants: &CollectedConstants, escapes: bool) -> Option<String> {
    write(text, constants, escapes, &Accept::AnyConstant)
}

/// The constants that [`each`] accepts. At any other constant, [`each`] returns `None`.
enum Accept {
    /// Constants that do not touch a word: there is a space or an operator on both sides.
    Plain,
    /// Like `Plain`, but words of the grammar, such as `year` in `extract(year FROM a)`, stay in the SQL. The value
    /// contains the numbers of the parameters that would replace these words.
    PlainBeside(DroppedParams),
    /// Any constant that libpg_query treats as one token.
    AnyConstant,
}

fn write(text: &str, constants: &CollectedConstants, escapes: bool, any: &Accept) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 2 * constants.constants.len());
    let mut done = 0;
    each(text.as_bytes(), constants, escapes, any, |ReplacedConstant { range, number }| {
        out.push_str(text.get(done..range.start)?);
        out.push('$');
        match number {
            0..10 => out.push(char::from(b'0' + number as u8)),
            _ => out.push_str(itoa::Buffer::new().format(number)),
        }
        done = range.end;
        Some(())
    })?;
    out.push_str(text.get(done..)?);
    Some(out)
}

/// Calls `give` for each constant in order. Stops and returns `None` at the first constant that `any` does not accept,
/// or for which `give` returns `None`.
fn each(
    text: &[u8],
    constants: &CollectedConstants,
    escapes: bool,
    any: &Accept,
    mut give: impl FnMut(ReplacedConstant) -> Option<()>,
) -> Option<()> {
    let (mut done, mut first) = (0, true);
    for NumberedConstant { location, param } in constants.each() {
        let start = usize::try_from(location).ok().filter(|start| (done..=text.len()).contains(start))?;
        let found = constant(text, start, escapes).filter(|found| found.plain)?;
        let is_of_grammar = found.form == ConstantForm::Word && constants.site(location).is_none();
        let param = match any {
            Accept::PlainBeside(_) if is_of_grammar => continue,
            Accept::PlainBeside(words) if param < 0 => words.closed_up(param),
            _ => param,
        };
        let number = i32::try_from(constants.number(param)).ok()?;
        let before = start.checked_sub(1).is_some_and(|at| is_word_byte(text[at])) || (start == done && !first);
        let touches = || before || text.get(found.end).copied().is_some_and(is_word_byte);
        if is_of_grammar || (!matches!(any, Accept::AnyConstant) && touches()) {
            return None;
        }
        give(ReplacedConstant { range: start..found.end, number: number as u32 })?;
        (done, first) = (found.end, false);
    }
    Some(())
}

/// The replacement of a constant.
enum Replacement {
    /// A parameter with an optional cast replaces the bytes from `from` to `to`. For example, `date '…'` becomes
    /// `$1::date`.
    Parameter {
        from: usize,
        to: usize,
        cast: Option<CastName>,
    },
    Quoted {
        from: usize,
        to: usize,
    },
    /// The string `'$n'`, which an earlier normalization wrote. It stays unchanged.
    AlreadyQuoted {
        from: usize,
        to: usize,
    },
    Kept,
    /// A word of the grammar. It is unchanged.
    Word,
}

/// The type name of a cast.
enum CastName {
    /// A byte range of the SQL.
    Text(Range<usize>),
    Fixed(&'static str),
}

/// The result of [`conservative`].
pub(crate) struct ConservativeRewrite {
    pub text: Vec<u8>,
    pub kept: usize,
    pub quoted: usize,
    pub deviations: Vec<Deviation>,
}

/// Rewrites a statement for which libpg_query's result would be wrong. Inserts parameters only where PostgreSQL's
/// grammar accepts them. Returns `None` if the lexer cannot read a constant.
pub(crate) fn conservative(text: &[u8], constants: &CollectedConstants, escapes: bool) -> Option<ConservativeRewrite> {
    let mut made =
        ConservativeRewrite { text: Vec::with_capacity(text.len()), kept: 0, quoted: 0, deviations: Vec::new() };
    let mut replacements = Vec::with_capacity(constants.constants.len());
    for constant in constants.each() {
        replacements.push((constant.param, made.replacement(text, constants, constant.location, escapes)?));
    }
    let dropped = DroppedParams::new(&replacements);
    // `string_end` is the end of the last quoted string.
    let (mut done, mut string_end) = (0, None);
    for (param, replacement) in &replacements {
        let number = |param: &i32| constants.number(if *param < 0 { dropped.closed_up(*param) } else { *param });
        match replacement {
            Replacement::Parameter { from, to, cast } => {
                made.text.extend_from_slice(text.get(done..*from)?);
                let name = match cast {
                    None => None,
                    Some(CastName::Text(range)) => Some(text.get(range.clone())?),
                    Some(CastName::Fixed(name)) => Some(name.as_bytes()),
                };
                made.parameter(number(param), name, text.get(*to).copied())?;
                (done, string_end) = (*to, None);
            }
            Replacement::Quoted { from, to } => {
                made.before_string(text, done, string_end, *from)?;
                made.text.extend_from_slice(format!("'${}'", number(param)).as_bytes());
                (done, string_end) = (*to, Some(*to));
            }
            Replacement::AlreadyQuoted { from, to } => {
                made.before_string(text, done, string_end, *from)?;
                (done, string_end) = (*from, Some(*to));
            }
            Replacement::Kept | Replacement::Word => {}
        }
    }
    made.text.extend_from_slice(text.get(done..)?);
    made.deviations.sort_unstable();
    made.deviations.dedup();
    Some(made)
}

impl ConservativeRewrite {
    fn replacement(
        &mut self,
        text: &[u8],
        constants: &CollectedConstants,
        location: i32,
        escapes: bool,
    ) -> Option<Replacement> {
        let from = usize::try_from(location).ok()?;
        let found = constant(text, from, escapes)?;
        let to = found.end;
        let whole = |form| {
            let deviation = if form == ConstantForm::Number { Deviation::Sign } else { Deviation::Escape };
            (Replacement::Parameter { from, to, cast: None }, (!found.plain).then_some(deviation))
        };
        let site = constants.site(location).map(|site| match site {
            ConstantSite::RowCount if is_before_rows(&text[to..]) => ConstantSite::Literal,
            site => site,
        });
        let (replacement, deviation) = match (site, found.form) {
            (Some(ConstantSite::Setting), form) => whole(form),
            (_, ConstantForm::Word) | (Some(ConstantSite::Literal), ConstantForm::Value) => {
                (Replacement::Word, Some(Deviation::Word))
            }
            (Some(ConstantSite::Literal), ConstantForm::String) => {
                self.quoted += 1;
                let replacement = if is_quoted_parameter(&text[from..to]) {
                    Replacement::AlreadyQuoted { from, to }
                } else {
                    Replacement::Quoted { from, to }
                };
                (replacement, Some(Deviation::Quoted))
            }
            (Some(ConstantSite::Literal), ConstantForm::Number) => {
                self.kept += 1;
                (Replacement::Kept, Some(Deviation::Kept))
            }
            (Some(ConstantSite::Typed(name)), _) => {
                let name = usize::try_from(name).ok()?;
                let cast = Some(CastName::Text(name..name_end(text, name, from)?));
                (Replacement::Parameter { from: name, to, cast }, Some(Deviation::Type))
            }
            (Some(ConstantSite::Unlimited(name, unlimited)), _) => {
                let cast = Some(CastName::Fixed(unlimited));
                (Replacement::Parameter { from: usize::try_from(name).ok()?, to, cast }, Some(Deviation::Type))
            }
            (None | Some(ConstantSite::RowCount), form) => whole(form),
        };
        self.deviations.extend(deviation);
        Some(replacement)
    }

    /// Copies the SQL from `done` up to the quoted string at `from`. `string_end` is the end of the previous quoted
    /// string. PostgreSQL joins two strings if only white space with a newline is between them. In this case, a space
    /// or an empty comment is inserted to keep them separate.
    fn before_string(&mut self, text: &[u8], done: usize, string_end: Option<usize>, from: usize) -> Option<()> {
        match string_end.map(|end| (end, text.get(end..from))) {
            Some((end, Some(gap))) if joins_strings(gap) => {
                self.text.extend_from_slice(text.get(done..end)?);
                if gap.contains(&b'-') {
                    self.text.extend_from_slice(b" /**/");
                    self.text.extend_from_slice(gap);
                } else {
                    self.text.push(b' ');
                }
                self.deviations.push(Deviation::Space);
            }
            _ => self.text.extend_from_slice(text.get(done..from)?),
        }
        Some(())
    }

    /// Writes `$n` or `$n::name`. Adds a space before the parameter if a word precedes it, and after it if a word
    /// follows.
    fn parameter(&mut self, number: i64, name: Option<&[u8]>, next: Option<u8>) -> Option<()> {
        let number = i32::try_from(number).ok()?;
        if self.text.last().copied().is_some_and(is_word_byte) {
            self.text.push(b' ');
            self.deviations.push(Deviation::Space);
        }
        self.text.push(b'$');
        self.text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        if let Some(name) = name {
            self.text.extend_from_slice(b"::");
            self.text.extend_from_slice(name);
        }
        if next.is_some_and(is_word_byte) {
            self.text.push(b' ');
            self.deviations.push(Deviation::Space);
        }
        Some(())
    }
}

/// Returns whether a literal is `'$n'`, the form in which [`conservative`] writes strings.
fn is_quoted_parameter(literal: &[u8]) -> bool {
    match literal {
        [b'\'', b'$', digits @ .., b'\''] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns whether PostgreSQL joins two strings with `gap` between them (scan.l: quotecontinue). They are joined if
/// `gap` consists of white space and `--` comments and contains a newline.
fn joins_strings(gap: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = gap.get(at) {
        at += match byte {
            b'-' if gap.get(at + 1) == Some(&b'-') => {
                gap[at..].iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count()
            }
            _ if byte.is_ascii_whitespace() || byte == b'\x0b' => 1,
            _ => return false,
        };
    }
    gap.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Returns whether `text` begins with the word ROW or ROWS, after white space and comments.
fn is_before_rows(text: &[u8]) -> bool {
    let word = first_word(text);
    word.eq_ignore_ascii_case(b"row") || word.eq_ignore_ascii_case(b"rows")
}

/// Parameter numbers of the constants that stay in the SQL. Later parameters are renumbered to close the gaps.
struct DroppedParams(Vec<i32>);

impl DroppedParams {
    fn new(replacements: &[(i32, Replacement)]) -> Self {
        let stays = |replacement: &Replacement| {
            matches!(replacement, Replacement::Kept | Replacement::Word | Replacement::AlreadyQuoted { .. })
        };
        Self::of(
            replacements
                .iter()
                .filter(|(param, replacement)| *param < 0 && stays(replacement))
                .map(|(param, _)| -param)
                .collect(),
        )
    }

    fn of(mut dropped: Vec<i32>) -> Self {
        dropped.sort_unstable();
        dropped.dedup();
        Self(dropped)
    }

    fn closed_up(&self, param: i32) -> i32 {
        param + self.0.partition_point(|dropped| *dropped < -param) as i32
    }
}
