//! The elements of a document, and the methods that append them.

/// A document of text, groups and possible line breaks.
#[derive(Debug, Clone, Default)]
pub struct Document<'a> {
    pub(crate) elements: Vec<Element<'a>>,
    /// The open groups and fills ([`Document::begin_fill`]), outermost first. Each entry has the index of the element
    /// that starts the group, and a flag that is true if the group breaks.
    open: Vec<(u32, bool)>,
    /// Whether the next element must start a line ([`Document::begin_line`]).
    begins_line: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element<'a> {
    /// Text. The printer keeps newlines in the text, and does not indent the lines after them.
    Text(&'a str),
    /// A line break, which is not printed if its group fits on the line. A group with an `always` break never fits.
    Break {
        always: bool,
    },
    /// The start of a group.
    Group {
        breaks: bool,
        fill: bool,
    },
    /// The end of a group or fill.
    End,
    Indent,
    /// Sets the indentation level to the level of the current line.
    Anchor,
    Dedent,
    /// An empty line. The printer ignores it unless the next element starts a line.
    Blank,
    /// Makes the next element start a line.
    Newline,
    /// A comment at the end of its line, after a space. The comment's width is ignored. Comments with the same `block`
    /// are aligned if they are on successive lines.
    Comment {
        text: &'a str,
        block: u32,
    },
}

impl<'a> Document<'a> {
    /// Creates an empty document.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends text, which is printed verbatim. A newline in the text does not make the enclosing group break.
    pub fn text(&mut self, text: &'a str) {
        if !text.is_empty() {
            self.flush();
            self.elements.push(Element::Text(text));
        }
    }

    /// Appends a newline, which is not printed if its group fits on the line. A space after a printed newline is
    /// omitted.
    pub fn soft_break(&mut self) {
        self.flush();
        self.elements.push(Element::Break { always: false });
    }

    /// Appends a newline. All enclosing groups break.
    pub fn hard_break(&mut self) {
        self.flush();
        self.elements.push(Element::Break { always: true });
        self.break_groups();
    }

    /// Makes the next element start a line, as after a line comment. A group that contains the next
    /// element breaks. A group that ends before the next element may stay on one line.
    pub fn begin_line(&mut self) {
        self.begins_line = true;
    }

    fn flush(&mut self) {
        if std::mem::take(&mut self.begins_line) {
            self.elements.push(Element::Newline);
            self.break_groups();
        }
    }

    /// Appends an empty line, if the next element starts a line.
    pub fn blank_line(&mut self) {
        self.flush();
        self.elements.push(Element::Blank);
    }

    /// Appends a comment at the end of the line, after a space. The length of the comment never causes a break.
    /// Comments with the same `block` are aligned if they are on successive lines. If `block` is 0, the comment is not
    /// aligned.
    pub fn comment(&mut self, text: &'a str, block: u32) {
        self.flush();
        self.elements.push(Element::Comment { text, block });
        self.begin_line();
    }

    /// Starts a group. Either every break of the group becomes a newline, or no break does.
    pub fn begin_group(&mut self) {
        self.begin(false);
    }

    /// Starts a fill. A break in a fill is a newline only if the elements up to the next break do not fit.
    pub fn begin_fill(&mut self) {
        self.begin(true);
    }

    fn begin(&mut self, fill: bool) {
        self.open.push((self.elements.len() as u32, false));
        self.elements.push(Element::Group { breaks: false, fill });
    }

    /// Ends the innermost group or fill.
    ///
    /// # Panics
    /// Panics if no group or fill is open.
    pub fn end_group(&mut self) {
        let (start, broken) = self.open.pop().expect("a group to end");
        if let Element::Group { breaks, .. } = &mut self.elements[start as usize] {
            *breaks = broken;
        }
        self.elements.push(Element::End);
    }

    /// Increases the indentation of the following lines by one level.
    pub fn indent(&mut self) {
        self.elements.push(Element::Indent);
    }

    /// Gives the following lines the indentation of the current line, until [`Document::dedent`]. Used at an opening
    /// parenthesis, so that the content is indented relative to the line of the parenthesis.
    pub fn anchor(&mut self) {
        self.elements.push(Element::Anchor);
    }

    /// Restores the indentation from before the last [`Document::indent`] or [`Document::anchor`].
    pub fn dedent(&mut self) {
        self.elements.push(Element::Dedent);
    }

    /// Makes all open groups break.
    pub fn break_groups(&mut self) {
        // Stop at a group that is already broken, because the groups around it are broken, too.
        for (_, broken) in self.open.iter_mut().rev().take_while(|(_, broken)| !*broken) {
            *broken = true;
        }
    }
}
