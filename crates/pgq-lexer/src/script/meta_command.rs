//! Parses psql's meta-commands. Finds the end of a command in its line, and the command's effect on the current
//! statement. Follows psql 18 (psqlscanslash.l, command.c), but expands no variables and runs no command.

use super::lexer::{ScriptLexer, ScriptToken};
use crate::byte_class::is_space;

/// The effect of a psql meta-command on the statement that it interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetaCommandEffect {
    /// `\g` and similar commands send the statement.
    Sends,
    /// `\;` ends the statement and sends it later, together with the next statement.
    Separates,
    /// `\r` and similar commands drop the statement.
    Discards,
    /// `\bind_named` executes a prepared statement instead of the interrupted statement.
    ExecutesPrepared,
    /// `\q` sends the statement and ends the script.
    Quits,
    /// Data for `\copy … FROM STDIN` follows on the next line.
    CopiesData,
    /// `\if`, with the condition's value if the condition is constant.
    If(Option<bool>),
    /// `\elif`, with the condition's value if the condition is constant.
    Elif(Option<bool>),
    /// `\else`
    Else,
    /// `\endif`
    Endif,
    /// `\echo Use "CREATE EXTENSION …" … \quit`. An extension's script begins with this line, so that psql quits
    /// instead of running the script. The range of the command includes the `\quit`.
    ProtectsExtension,
    /// `\connect` starts a new session and leaves the statement open.
    Connects,
    /// `\encoding NAME` sets `client_encoding`, like SET, and leaves the statement open.
    SetsEncoding,
    /// Any other command leaves the statement open.
    Continues,
}

/// The syntax of a command's arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arguments {
    /// Words, which may be quoted, up to the next backslash.
    Words,
    /// Words, which may be quoted. An argument that begins with `|` is a shell command, and extends to the end of the
    /// line.
    WordsOrPipe,
    /// One argument up to the end of the line.
    Line,
}

impl ScriptLexer<'_> {
    /// Skips the meta-command whose backslash is at `start`, including its arguments on the same line. `\;` has no
    /// arguments.
    pub fn skip_meta_command(&mut self, start: usize) -> MetaCommandEffect {
        let MetaCommand { end, effect } = meta_command(self.text(), start);
        self.seek(end);
        effect
    }
}

/// A meta-command.
struct MetaCommand {
    /// The offset after the arguments and an optional `\\` that ends them. Excludes the newline.
    end: usize,
    effect: MetaCommandEffect,
}

const WHOLE_LINE: [&[u8]; 8] = [b"h", b"help", b"ef", b"ev", b"sf", b"sf+", b"sv", b"sv+"];
const WITH_PIPE: [&[u8]; 6] = [b"g", b"gx", b"o", b"out", b"w", b"write"];
const SENDING: [&[u8]; 9] =
    [b"g", b"gx", b"gset", b"gexec", b"gdesc", b"crosstabview", b"watch", b"sendpipeline", b"parse"];
/// Commands that discard the statement: `\r`, commands that load SQL into the editor, and commands that send other SQL
/// to the server.
const DISCARDING: [&[u8]; 11] = [
    b"r",
    b"reset",
    b"ef",
    b"ev",
    b"close_prepared",
    b"startpipeline",
    b"endpipeline",
    b"syncpipeline",
    b"flush",
    b"flushrequest",
    b"getresults",
];
/// Known commands that leave the statement open. [`meta_command`] recognizes further ones by prefix (`\d…`, `\lo_…`).
const CONTINUING: [&[u8]; 57] = [
    b"a",
    b"bind",
    b"C",
    b"cd",
    b"conninfo",
    b"copyright",
    b"e",
    b"edit",
    b"echo",
    b"qecho",
    b"warn",
    b"errverbose",
    b"f",
    b"getenv",
    b"h",
    b"help",
    b"H",
    b"html",
    b"i",
    b"include",
    b"ir",
    b"include_relative",
    b"l",
    b"l+",
    b"lx",
    b"lx+",
    b"l+x",
    b"list",
    b"list+",
    b"listx",
    b"listx+",
    b"o",
    b"out",
    b"p",
    b"print",
    b"password",
    b"prompt",
    b"pset",
    b"restrict",
    b"unrestrict",
    b"s",
    b"set",
    b"setenv",
    b"sf",
    b"sf+",
    b"sv",
    b"sv+",
    b"t",
    b"T",
    b"timing",
    b"unset",
    b"w",
    b"write",
    b"x",
    b"z",
    b"!",
    b"?",
];

/// Parses the meta-command whose backslash is at `start`. Its line ends at a newline or at the end of `text`.
fn meta_command(text: &[u8], start: usize) -> MetaCommand {
    if text.get(start + 1) == Some(&b';') {
        return MetaCommand { end: start + 2, effect: MetaCommandEffect::Separates };
    }
    let line_end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |len| start + len);
    let line = &text[..line_end];
    let name_end = start + 1 + line[start + 1..].iter().take_while(|b| !is_space(**b) && **b != b'\\').count();
    let name = &line[start + 1..name_end];
    let to_line_end = |effect| MetaCommand { end: line_end, effect };
    let to_arguments_end = |effect| MetaCommand { end: skip_arguments(line, name_end, arguments(name)), effect };
    let rest = name_end..line_end;
    match name {
        b"if" => to_arguments_end(MetaCommandEffect::If(condition(line, name_end))),
        b"elif" => to_arguments_end(MetaCommandEffect::Elif(condition(line, name_end))),
        b"else" => to_arguments_end(MetaCommandEffect::Else),
        b"endif" => to_arguments_end(MetaCommandEffect::Endif),
        b"q" | b"quit" => to_arguments_end(MetaCommandEffect::Quits),
        b"bind_named" => to_arguments_end(MetaCommandEffect::ExecutesPrepared),
        b"e" | b"edit" if names_file(&line[rest.clone()]) => to_line_end(MetaCommandEffect::Discards),
        b"echo" if names_extension(&line[rest.clone()]) => to_line_end(MetaCommandEffect::ProtectsExtension),
        _ if name.eq_ignore_ascii_case(b"copy") => to_line_end(match copies_from_stdin(&line[rest]) {
            true => MetaCommandEffect::CopiesData,
            false => MetaCommandEffect::Continues,
        }),
        _ if SENDING.contains(&name) => to_arguments_end(MetaCommandEffect::Sends),
        _ if DISCARDING.contains(&name) => to_arguments_end(MetaCommandEffect::Discards),
        [b'd', ..] | [b'l', b'o', b'_', ..] | [b'z', b'S' | b'x', ..] => to_arguments_end(MetaCommandEffect::Continues),
        b"c" | b"connect" => to_arguments_end(MetaCommandEffect::Connects),
        b"encoding" => to_arguments_end(MetaCommandEffect::SetsEncoding),
        _ if CONTINUING.contains(&name) => to_arguments_end(MetaCommandEffect::Continues),
        // psql ignores the rest of the line of an unknown command.
        _ => to_line_end(MetaCommandEffect::Continues),
    }
}

fn arguments(name: &[u8]) -> Arguments {
    match name {
        b"!" => Arguments::Line,
        _ if WHOLE_LINE.contains(&name) => Arguments::Line,
        _ if WITH_PIPE.contains(&name) => Arguments::WordsOrPipe,
        _ => Arguments::Words,
    }
}

/// Returns the end of the arguments that begin at `at`, including the `\\` after them.
fn skip_arguments(line: &[u8], mut at: usize, arguments: Arguments) -> usize {
    if arguments == Arguments::Line {
        return line.len();
    }
    let mut at_word_start = true;
    while let Some(&byte) = line.get(at) {
        match byte {
            b'\\' if line.get(at + 1) == Some(&b'\\') => return at + 2,
            b'\\' => return at,
            b'|' if at_word_start && arguments == Arguments::WordsOrPipe => return line.len(),
            b'\'' | b'"' | b'`' => at = skip_quoted(line, at),
            _ => at += 1,
        }
        at_word_start = is_space(byte);
    }
    line.len()
}

/// Returns the end of the quoted part of an argument. `at` is the offset of the opening quote. In single quotes a
/// backslash is an escape.
fn skip_quoted(line: &[u8], at: usize) -> usize {
    let (quote, mut at) = (line[at], at + 1);
    while let Some(&byte) = line.get(at) {
        at += 1;
        match byte {
            b'\\' if quote == b'\'' => at += 1,
            _ if byte == quote => break,
            _ => {}
        }
    }
    at.min(line.len())
}

/// Returns the value of the condition at `at`. Returns `None` if the condition contains variables or a program's
/// output. psql treats a value that is not a Boolean as false.
fn condition(line: &[u8], at: usize) -> Option<bool> {
    let end = skip_arguments(line, at, Arguments::Words);
    let text = line[at..end].strip_suffix(b"\\\\").unwrap_or(&line[at..end]).trim_ascii();
    if text.iter().any(|byte| matches!(byte, b':' | b'`' | b'\'' | b'"')) {
        return None;
    }
    let is = |word: &str, shortest: usize| {
        (shortest..=word.len()).contains(&text.len()) && word.as_bytes()[..text.len()].eq_ignore_ascii_case(text)
    };
    Some(text == b"1" || is("true", 1) || is("yes", 1) || is("on", 2))
}

/// Returns whether the arguments of `\e` include a file name. A number alone is a line number.
fn names_file(arguments: &[u8]) -> bool {
    let first = arguments.trim_ascii_start();
    let first = &first[..first.iter().take_while(|b| !is_space(**b) && **b != b'\\').count()];
    !first.is_empty() && !first.iter().all(u8::is_ascii_digit)
}

/// Returns whether an `\echo` with these arguments is the first line of an extension's script, `\echo Use "CREATE
/// EXTENSION …" …`.
fn names_extension(arguments: &[u8]) -> bool {
    let starts_with = |text: &[u8], word: &str| {
        text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    let text = arguments.trim_ascii_start();
    let Some(text) = starts_with(text, "use").then(|| text[3..].trim_ascii_start()) else { return false };
    // A name with a hyphen needs quotes inside the quotes: `Use '''CREATE EXTENSION "uuid-ossp"''' to …`.
    let quotes = text.iter().take_while(|byte| matches!(byte, b'"' | b'\'')).count();
    let text = if quotes > 0 { &text[quotes..] } else { return false };
    starts_with(text, "create extension") || starts_with(text, "alter extension")
}

/// Returns whether the source of `\copy` is the script itself or psql's standard input (copy.c: parse_slash_copy).
fn copies_from_stdin(arguments: &[u8]) -> bool {
    let mut lexer = ScriptLexer::new(arguments, 0);
    let (mut parens, mut after_from) = (0usize, false);
    loop {
        let is_source = std::mem::take(&mut after_from);
        match lexer.next_token() {
            ScriptToken::End => return false,
            ScriptToken::Word(word) if parens == 0 => {
                let word = &arguments[word];
                if is_source {
                    return word.eq_ignore_ascii_case(b"stdin") || word.eq_ignore_ascii_case(b"pstdin");
                }
                after_from = word.eq_ignore_ascii_case(b"from");
            }
            ScriptToken::Other(b'(') => parens += 1,
            ScriptToken::Other(b')') => parens = parens.saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MetaCommandEffect as Effect, meta_command};

    /// `text` starts with a command. Returns the text after this command, and the command's effect.
    fn behind(text: &str) -> (&str, Effect) {
        let command = meta_command(text.as_bytes(), 0);
        (&text[command.end..], command.effect)
    }

    #[test]
    fn commands_end_at_a_backslash_or_with_their_line() {
        for (text, rest) in [
            (r"\x on \\ SELECT 1;", " SELECT 1;"),
            ("\\a\\t\n", "\\t\n"),
            (r#"\echo 'a\'b\\' "\\" `\\` \\c"#, "c"),
            ("\\echo 'open \\\\ 1\n2", "\n2"),
            (r"\! ls \\ SELECT", ""),
            (r"\g |cat \\ SELECT", ""),
            (r"\g a|cat \\ SELECT", " SELECT"),
            ("\\nosuch \\\\ SELECT\n;", "\n;"),
            ("\\copy t to 'x' \\\\ SELECT\n;", "\n;"),
            (r"\;;", ";"),
            ("\\", ""),
        ] {
            assert_eq!(behind(text).0, rest, "{text}");
        }
    }

    #[test]
    fn effects_are_those_of_psql() {
        for (text, effect) in [
            (r"\g", Effect::Sends),
            (r"\gx (format=csv) f", Effect::Sends),
            (r"\parse s", Effect::Sends),
            (r"\bind 1", Effect::Continues),
            (r"\bind_named s 1", Effect::ExecutesPrepared),
            (r"\reset", Effect::Discards),
            (r"\e", Effect::Continues),
            (r"\e 5", Effect::Continues),
            (r"\e f.sql", Effect::Discards),
            (r"\rx", Effect::Continues),
            (r"\copy t from stdin", Effect::CopiesData),
            (r"\COPY t(from, stdin) FROM PSTDIN csv", Effect::CopiesData),
            (r"\copy t from 'stdin'", Effect::Continues),
            (r"\copy (select 1 from stdin) to stdout", Effect::Continues),
            (r#"\echo Use "CREATE EXTENSION x" to load this file. \quit"#, Effect::ProtectsExtension),
            (r#"\echo Use '''CREATE EXTENSION "x-y"''' to load this file. \quit"#, Effect::ProtectsExtension),
            (r#"\echo Use "CREATE TABLE x" \quit"#, Effect::Continues),
            (r"\echo Use CREATE EXTENSION x \quit", Effect::Continues),
            (r"\if t", Effect::If(Some(true))),
            (r"\if o", Effect::If(Some(false))),
            (r"\elif OFF \\", Effect::Elif(Some(false))),
            (r"\if :x", Effect::If(None)),
        ] {
            assert_eq!(behind(text).1, effect, "{text}");
        }
    }
}
