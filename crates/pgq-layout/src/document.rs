//! The elements of a document, and the functions that append them.

/// A text with groups and possible line breaks. The functions append to it.
#[derive(Debug, Clone, Default)]
pub struct Document<'a> {
    pub(crate) elements: Vec<Element<'a>>,
    /// The groups and fills that are not closed: the place of each one's start, and whether it has to break.
    open: Vec<(u32, bool)>,
    /// What is appended next begins a line. Groups that end before that need not break.
    begins_line: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element<'a> {
    /// Text. Its newlines are kept, and what follows a newline is not indented.
    Text(&'a str),
    /// A newline, or in a group that fits on its line a space or nothing.
    Break {
        flat: Flat,
    },
    /// The start of a group.
    Group {
        breaks: bool,
        fill: bool,
    },
    /// The end of a group or fill.
    End,
    Indent,
    /// The level of the line that has been begun, whatever is open.
    Anchor,
    Dedent,
    /// An empty line, if at the start of a line.
    Blank,
    /// The next element begins a line, whatever it is.
    Newline,
    /// A comment that ends its line, behind a space. It has no width. Those of a block (a number from 1 on) that end up
    /// on successive lines are aligned.
    Comment {
        text: &'a str,
        block: u32,
    },
}

/// What a break is where its group fits on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flat {
    Space,
    Nothing,
    /// Its group never fits.
    Never,
}

impl<'a> Document<'a> {
    /// Creates an empty document.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A text that is printed as it is. A group with a newline in it may still be on one line up to there.
    pub fn text(&mut self, text: &'a str) {
        if !text.is_empty() {
            self.flush();
            self.elements.push(Element::Text(text));
        }
    }

    /// A newline, or a space where the group fits on its line.
    pub fn line(&mut self) {
        self.flush();
        self.elements.push(Element::Break { flat: Flat::Space });
    }

    /// A newline, or nothing where the group fits on its line.
    pub fn soft_break(&mut self) {
        self.flush();
        self.elements.push(Element::Break { flat: Flat::Nothing });
    }

    /// A newline. All groups around it break.
    pub fn hard_break(&mut self) {
        self.flush();
        self.elements.push(Element::Break { flat: Flat::Never });
        self.break_groups();
    }

    /// Lets what follows begin a line, as after a comment that ends with its line. The groups around that break; one
    /// that ends here may be on a line.
    pub fn begin_line(&mut self) {
        self.begins_line = true;
    }

    fn flush(&mut self) {
        if std::mem::take(&mut self.begins_line) {
            self.elements.push(Element::Newline);
            self.break_groups();
        }
    }

    /// An empty line, if what follows begins a line.
    pub fn blank_line(&mut self) {
        self.flush();
        self.elements.push(Element::Blank);
    }

    /// A comment that ends the line, behind a space. Nothing breaks because it is long. Comments of the same block (a
    /// number from 1 on; 0 is none) that end up on successive lines are aligned.
    pub fn comment(&mut self, text: &'a str, block: u32) {
        self.flush();
        self.elements.push(Element::Comment { text, block });
        self.begin_line();
    }

    /// Begins a group: all of its breaks are newlines, or none.
    pub fn begin_group(&mut self) {
        self.begin(false);
    }

    /// Begins a fill: a break in it is a newline where what follows up to the next break does not fit.
    pub fn begin_fill(&mut self) {
        self.begin(true);
    }

    fn begin(&mut self, fill: bool) {
        self.open.push((self.elements.len() as u32, false));
        self.elements.push(Element::Group { breaks: false, fill });
    }

    /// Ends the last group or fill.
    ///
    /// # Panics
    /// If there is none.
    pub fn end_group(&mut self) {
        let (start, broken) = self.open.pop().expect("a group to end");
        if let Element::Group { breaks, .. } = &mut self.elements[start as usize] {
            *breaks = broken;
        }
        self.elements.push(Element::End);
    }

    /// One level more for the lines that follow.
    pub fn indent(&mut self) {
        self.elements.push(Element::Indent);
    }

    /// For the lines that follow the level of the line that has been begun, up to [`Document::dedent`]: what stands
    /// between parentheses is indented from the line of the opening one.
    pub fn anchor(&mut self) {
        self.elements.push(Element::Anchor);
    }

    /// Back to the level before the last [`Document::indent`] or [`Document::anchor`].
    pub fn dedent(&mut self) {
        self.elements.push(Element::Dedent);
    }

    /// Lets the groups that are open break.
    pub fn break_groups(&mut self) {
        // Those outside of one that breaks do so already.
        for (_, broken) in self.open.iter_mut().rev().take_while(|(_, broken)| !*broken) {
            *broken = true;
        }
    }
}
