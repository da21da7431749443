//! Tracks the open `\if` blocks and their active branches.

use super::meta_command::MetaCommandEffect;

/// An open `\if` block.
#[derive(Debug, Clone, Copy)]
struct IfBlock {
    /// Whether at most one branch of the block is read. This is the case if the block is inside a statement, because
    /// its branches are then alternative parts of the statement. Otherwise, all branches are read.
    chooses: bool,
    /// Whether the current branch is active.
    active: bool,
    /// Whether a branch has been chosen.
    chosen: bool,
}

/// The open blocks, outermost first.
#[derive(Debug, Clone, Default)]
pub(super) struct IfBlocks {
    open: Vec<IfBlock>,
    /// Number of open blocks whose current branch is inactive.
    inactive: usize,
    /// Number of blocks in which only one branch was read.
    pub(super) chosen: usize,
    /// The changes since the last [`Self::mark`]. [`Self::undo`] reverts these changes. Without this list, each part of
    /// a script would need a copy of all open blocks, which would take quadratic time.
    changes: Vec<Change>,
    chosen_at_mark: usize,
}

#[derive(Debug, Clone, Copy)]
enum Change {
    Pushed,
    Popped(IfBlock),
}

impl IfBlocks {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Processes a command of the `\if` family. Returns false for other commands. `has_text` is true if the command is
    /// inside a statement.
    pub(super) fn take(&mut self, effect: MetaCommandEffect, has_text: bool) -> bool {
        use MetaCommandEffect::{Elif, Else, Endif, If};
        let skips = self.skips();
        match effect {
            If(_) if skips => self.push(IfBlock { chooses: true, active: false, chosen: true }),
            If(value) if has_text => {
                let active = value.unwrap_or(true);
                self.push(IfBlock { chooses: true, active, chosen: active });
                self.chosen += 1;
            }
            If(_) => self.push(IfBlock { chooses: false, active: true, chosen: true }),
            Elif(_) | Else => {
                let value = if let Elif(value) = effect { value.unwrap_or(true) } else { true };
                let Some(mut block) = self.pop() else { return true };
                if !block.chooses && has_text {
                    // The block began outside of a statement, but this branch ends inside a statement, for example
                    // after `SELECT 1` without a semicolon. The other branches probably contain alternatives to this
                    // open statement, so skip them.
                    block.chooses = true;
                    self.chosen += 1;
                }
                if block.chooses {
                    block.active = value && !block.chosen && !self.skips();
                    block.chosen |= block.active;
                }
                self.push(block);
            }
            Endif => drop(self.pop()),
            _ => return false,
        }
        true
    }

    /// Marks the state that [`Self::undo`] restores.
    pub(super) fn mark(&mut self) {
        self.changes.clear();
        self.chosen_at_mark = self.chosen;
    }

    /// Restores the marked state.
    pub(super) fn undo(&mut self) {
        for change in std::mem::take(&mut self.changes).into_iter().rev() {
            match change {
                Change::Pushed => _ = self.pop(),
                Change::Popped(block) => self.push(block),
            }
        }
        self.chosen = self.chosen_at_mark;
    }

    fn push(&mut self, block: IfBlock) {
        self.inactive += usize::from(!block.active);
        self.open.push(block);
        self.changes.push(Change::Pushed);
    }

    fn pop(&mut self) -> Option<IfBlock> {
        let block = self.open.pop()?;
        self.inactive -= usize::from(!block.active);
        self.changes.push(Change::Popped(block));
        Some(block)
    }

    /// Returns whether the current position is in an inactive branch of any open block.
    pub(super) fn skips(&self) -> bool {
        self.inactive > 0
    }
}
