//! Splits a script in the same way as psql. Keeps the state of psql's main loop between statements. Runs no
//! meta-commands and expands no variables.

use std::ops::Range;
use std::sync::Arc;

use super::if_blocks::IfBlocks;
use super::lexer::{ScriptLexer, ScriptToken, is_word_byte};
use super::meta_command::MetaCommandEffect;
use super::open_statement::OpenStatement;
use super::settings::{ScriptSettings, may_change};
use super::{ScriptPart, copy_data_end};

/// Maximum number of bytes of a script that are read in vain to find an END. If a BEGIN ATOMIC body has no END, the
/// scanner reads to the end of the script, and then again from the body's first semicolon. Without this limit, a script
/// with many such bodies would take quadratic time.
const LOOKAHEAD_BYTES: usize = 64 << 20;

/// Splits a script into its parts.
///
/// ```
/// # use pgq_lexer as pgq;
/// use pgq::script::{ScriptPart, ScriptScanner};
///
/// let script = b"SELECT 1 \\r\nSELECT 2;";
/// let (mut scanner, mut parts) = (ScriptScanner::new(), Vec::new());
/// while scanner.next_parts(script, parts.last().map_or(0, ScriptPart::end), true, &mut parts) {}
/// assert_eq!(parts[..2], [ScriptPart::Skipped(0..9), ScriptPart::MetaCommand(9..12)]);
/// assert!(matches!(parts[2], ScriptPart::Statement { start: 12, .. }));
/// ```
#[derive(Debug, Clone)]
pub struct ScriptScanner {
    /// The unused part of [`LOOKAHEAD_BYTES`]. When it reaches 0, every later BEGIN ATOMIC body ends at its first
    /// semicolon.
    lookahead: usize,
    blocks: IfBlocks,
    /// Number of COPY statements whose data follows. The first block of data starts on the next line, and each other
    /// block starts after the previous block.
    copy_blocks: usize,
    at_copy_data: bool,
    /// Whether a search for the end of COPY data has failed. If so, the rest of the script is read as SQL without
    /// another search.
    lacks_copy_end: bool,
    /// Whether psql executes a prepared statement instead of the next statement (`\bind_named`).
    executes_prepared: bool,
    has_ended: bool,
    is_extension: bool,
    has_variables: bool,
    inner_copy_blocks: usize,
    /// In an `Arc`, because the scanner is cloned before each part of a script that arrives in chunks. Cloning the
    /// `Arc` does not copy the settings.
    settings: Arc<ScriptSettings>,
}

impl Default for ScriptScanner {
    fn default() -> Self {
        Self::new()
    }
}

impl ScriptScanner {
    /// Creates a scanner at the start of a script.
    #[must_use]
    pub fn new() -> Self {
        Self {
            lookahead: LOOKAHEAD_BYTES,
            blocks: IfBlocks::default(),
            copy_blocks: 0,
            at_copy_data: false,
            lacks_copy_end: false,
            executes_prepared: false,
            has_ended: false,
            is_extension: false,
            has_variables: false,
            inner_copy_blocks: 0,
            settings: Arc::default(),
        }
    }

    /// Sets the initial settings.
    #[must_use]
    pub fn with_settings(self, settings: ScriptSettings) -> Self {
        Self { settings: Arc::new(settings), ..self }
    }

    /// Returns the settings for the next statement, including changes by the script's own SET statements.
    #[must_use]
    pub fn settings(&self) -> &Arc<ScriptSettings> {
        &self.settings
    }

    /// Returns whether `\q` has ended the script.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Returns whether the script belongs to an extension. The scripts of extensions contain the line `\echo Use
    /// "CREATE EXTENSION …" …`.
    #[must_use]
    pub fn is_extension(&self) -> bool {
        self.is_extension
    }

    /// Returns whether a statement seems to contain a psql variable, `:name`.
    #[must_use]
    pub fn has_variables(&self) -> bool {
        self.has_variables
    }

    /// Returns the number of `\if` blocks inside statements. Only one branch of each was read.
    #[must_use]
    pub fn chosen_branches(&self) -> usize {
        self.blocks.chosen
    }

    /// Returns the number of blocks of COPY data inside statements.
    #[must_use]
    pub fn inner_copy_blocks(&self) -> usize {
        self.inner_copy_blocks
    }

    /// Returns whether COPY data begins at the end of the part that was returned last. If so, the caller must find the
    /// end of the data with [`copy_data_end`] and call [`ScriptScanner::pass_copy_data`].
    #[must_use]
    pub fn is_at_copy_data(&self) -> bool {
        self.at_copy_data
    }

    /// Returns whether COPY data begins on the next line.
    #[must_use]
    pub fn awaits_copy_data(&self) -> bool {
        self.copy_blocks > 0
    }

    /// Continues after a block of COPY data. If the end was not found (`found` is false), the data is read as SQL.
    pub fn pass_copy_data(&mut self, found: bool) {
        self.copy_blocks = if found { self.copy_blocks.saturating_sub(1) } else { 0 };
        self.lacks_copy_end = !found;
        self.at_copy_data = self.copy_blocks > 0;
    }

    /// Appends the next part of `text`, which begins at byte `at`, to `parts`, and returns true. Appends several parts
    /// if statements are sent together (`SELECT 1 \; SELECT 2;`).
    ///
    /// Returns false at the end of `text`, after `\q`, and at COPY data. `complete` is false if the script continues
    /// after `text`. In this case, also returns false if the end of the part depends on the bytes after `text`.
    pub fn next_parts(&mut self, text: &[u8], at: usize, complete: bool, parts: &mut Vec<ScriptPart>) -> bool {
        if at >= text.len() || self.has_ended || self.at_copy_data {
            return false;
        }
        let first = parts.len();
        self.blocks.mark();
        if complete {
            return self.read(text, at, complete, parts).is_some();
        }
        let blocks = std::mem::take(&mut self.blocks);
        let before = self.clone();
        self.blocks = blocks;
        let found = self.read(text, at, complete, parts).is_some();
        if !found {
            parts.truncate(first);
            self.blocks.undo();
            *self = Self { blocks: std::mem::take(&mut self.blocks), ..before };
        }
        found
    }

    fn read(&mut self, text: &[u8], at: usize, complete: bool, parts: &mut Vec<ScriptPart>) -> Option<()> {
        let first = parts.len();
        let mut lexer = ScriptLexer::new(text, at).with_backslash_escapes(self.settings.backslash_escapes());
        let mut open = OpenStatement::new(at);
        loop {
            // Whether psql's query buffer would contain text here.
            let has_text = open.scan.has_started() || parts.len() > first;
            if self.copy_blocks > 0 && lexer.skip_line_space() {
                let data = lexer.offset();
                if !has_text {
                    self.at_copy_data = true;
                    parts.push(ScriptPart::Blank(at..data));
                    return Some(());
                }
                match copy_data_end(text, data) {
                    Some(end) => {
                        open.holes.push(data..end);
                        lexer.seek(end);
                        self.copy_blocks -= 1;
                        self.inner_copy_blocks += 1;
                    }
                    None if complete => (self.copy_blocks, self.lacks_copy_end) = (0, true),
                    None => return None,
                }
                continue;
            }
            let skips = self.blocks.skips();
            if !open.scan.has_started() || skips {
                lexer.skip_space();
            }
            if open.scan.is_plain() && !skips && self.copy_blocks == 0 {
                lexer.skip_plain_code();
            }
            let token_start = lexer.offset();
            if !open.scan.has_started() {
                open.start = token_start;
            }
            let token = lexer.next_token();
            // If the text is incomplete, a token at its end may continue in the next chunk.
            if !complete && lexer.offset() >= text.len() {
                return None;
            }
            if skips && !matches!(token, ScriptToken::Backslash(_) | ScriptToken::End) {
                if has_text {
                    open.holes.push(token_start..lexer.offset());
                    continue;
                }
                parts.push(ScriptPart::Skipped(at..lexer.offset()));
                return Some(());
            }
            match token {
                ScriptToken::End if open.scan.has_started() => {
                    let end = match open.scan.first_inner_semicolon() {
                        // The routine body has no END. The statement ends at the body's first semicolon, so that the
                        // rest of the script is still split.
                        Some(cut) => {
                            self.lookahead = self.lookahead.saturating_sub(text.len() - cut);
                            cut
                        }
                        None => text.len(),
                    };
                    parts.push(open.close(end));
                    return self.send(text, first, parts);
                }
                ScriptToken::End => {
                    let blank = open.at..text.len();
                    match lexer.unclosed_comment() {
                        // Start the statement at the unclosed comment, where the parser reports the error.
                        Some(comment) => {
                            open.start = comment;
                            parts.push(open.close(text.len()));
                        }
                        None => parts.push(ScriptPart::Blank(blank)),
                    }
                    return self.send(text, first, parts);
                }
                ScriptToken::Semicolon if open.scan.is_inner_semicolon(lexer.offset()) && self.lookahead > 0 => {}
                ScriptToken::Semicolon => {
                    parts.push(match open.scan.has_started() {
                        true => open.close(lexer.offset()),
                        false => ScriptPart::Blank(open.at..lexer.offset()),
                    });
                    return self.send(text, first, parts);
                }
                ScriptToken::Backslash(slash) => {
                    if !has_text && slash > at {
                        parts.push(ScriptPart::Blank(at..slash));
                        return Some(());
                    }
                    // A meta-command can be read only with its whole line.
                    if !complete && memchr::memchr(b'\n', &text[slash..]).is_none() {
                        return None;
                    }
                    let effect = lexer.skip_meta_command(slash);
                    if self.meta_command(text, effect, slash..lexer.offset(), &mut open, first, parts) {
                        // Include the newline in the part of the meta-command, unless COPY data
                        // begins after the newline.
                        if let (0, Some(b'\n'), Some(ScriptPart::MetaCommand(range))) =
                            (self.copy_blocks, text.get(lexer.offset()), parts.last_mut())
                        {
                            range.end += 1;
                        }
                        return Some(());
                    }
                }
                ScriptToken::Word(word) => open.scan.word(&text[word]),
                ScriptToken::Other(byte) => {
                    if byte == b':' {
                        self.colon(text, &mut lexer);
                    }
                    open.scan.other(byte);
                }
            }
        }
    }

    /// Processes a meta-command. Returns whether the meta-command completed a part.
    fn meta_command(
        &mut self,
        text: &[u8],
        effect: MetaCommandEffect,
        range: Range<usize>,
        open: &mut OpenStatement,
        first: usize,
        parts: &mut Vec<ScriptPart>,
    ) -> bool {
        use MetaCommandEffect::{
            Connects, CopiesData, Discards, ExecutesPrepared, ProtectsExtension, Quits, Sends, Separates, SetsEncoding,
        };
        let has_text = open.scan.has_started() || parts.len() > first;
        let skips = self.blocks.skips();
        if !self.blocks.take(effect, has_text) && !skips {
            match effect {
                CopiesData if !self.lacks_copy_end => self.copy_blocks += 1,
                ExecutesPrepared => self.executes_prepared = true,
                Connects => Arc::make_mut(&mut self.settings).connect(),
                SetsEncoding => Arc::make_mut(&mut self.settings).run_encoding(&text[range.clone()]),
                ProtectsExtension if !has_text => self.is_extension = true,
                Quits if self.blocks.is_empty() => self.has_ended = true,
                Separates if has_text => {
                    if open.scan.has_started() {
                        // The semicolon ends the statement and is sent to the server. The backslash is not sent.
                        open.holes.push(range.start..range.start + 1);
                        parts.push(open.close(range.end));
                    } else {
                        if range.start > open.at {
                            parts.push(ScriptPart::Blank(open.at..range.start));
                        }
                        parts.push(ScriptPart::MetaCommand(range.clone()));
                    }
                    *open = OpenStatement::new(range.end);
                    return false;
                }
                _ => {}
            }
            let sends = effect == Sends || self.has_ended;
            if has_text && sends {
                // The statement ends before the meta-command that sends it.
                match open.scan.has_started() {
                    true => parts.push(open.close(range.start)),
                    false if range.start > open.at => parts.push(ScriptPart::Blank(open.at..range.start)),
                    false => {}
                }
                let _ = self.send(text, first, parts);
                parts.push(ScriptPart::MetaCommand(range));
                return true;
            }
            if has_text && effect == Discards {
                let at = parts.get(first).map_or(open.at, ScriptPart::start);
                parts.truncate(first);
                parts.push(ScriptPart::Skipped(at..range.start));
                parts.push(ScriptPart::MetaCommand(range));
                return true;
            }
        }
        if has_text {
            open.holes.push(range);
            return false;
        }
        parts.push(ScriptPart::MetaCommand(range));
        true
    }

    /// Processes the parts that psql sends to the server together, which are the parts from index `first` to the end of
    /// `parts`. Applies the statements that change settings, and counts the COPY statements whose data follows.
    fn send(&mut self, text: &[u8], first: usize, parts: &mut Vec<ScriptPart>) -> Option<()> {
        let is_copy = |part: &&ScriptPart| matches!(part, ScriptPart::Statement { copy_from_stdin: true, .. });
        let is_statement = |part: &ScriptPart| matches!(part, ScriptPart::Statement { .. });
        if self.executes_prepared && parts[first..].iter().any(is_statement) {
            self.executes_prepared = false;
            let range = parts[first].start()..parts.last()?.end();
            parts.truncate(first);
            parts.push(ScriptPart::Skipped(range));
        }
        if !self.lacks_copy_end {
            self.copy_blocks += parts[first..].iter().filter(is_copy).count();
        }
        for part in &parts[first..] {
            if let ScriptPart::Statement { range, start, .. } = part
                && may_change(&text[*start..range.end])
            {
                Arc::make_mut(&mut self.settings).run(&text[*start..range.end]);
            }
        }
        Some(())
    }

    /// Processes the colon that the lexer has just read. The colon is a part of `::` or `:=`, or may start a variable.
    /// A variable's name contains no dollar sign (psqlscan.l: variable_char), so `:v$$;$$` is the variable `:v` and the
    /// literal `$$;$$`.
    fn colon(&mut self, text: &[u8], lexer: &mut ScriptLexer<'_>) {
        let at = lexer.offset();
        let before = at.checked_sub(2).map_or(b' ', |before| text[before]);
        let is_operand = is_word_byte(before) || matches!(before, b']' | b'[' | b')' | b'\'' | b'"');
        let name = text[at..].iter().take_while(|byte| is_word_byte(**byte) && **byte != b'$').count();
        lexer.seek(at + name);
        match text.get(at) {
            Some(b':' | b'=') => lexer.seek(at + 1),
            Some(&byte) if !is_operand => {
                let quoted = matches!(byte, b'\'' | b'"' | b'{') && text.get(at + 1).is_some_and(|b| *b != b' ');
                self.has_variables |= quoted || (is_word_byte(byte) && !byte.is_ascii_digit());
            }
            _ => {}
        }
    }
}
