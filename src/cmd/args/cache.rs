//! Options for caches.

use clap::Args;

use crate::run::statements::CacheOptions;

/// Options for commands whose results depend on the exact text of a statement.
#[derive(Args, Clone, Copy, Default)]
pub struct TextCacheArgs {
    /// Parse every statement, even if its text is known
    #[arg(help_heading = "Input", long)]
    pub no_cache: bool,
}

impl TextCacheArgs {
    pub fn options(self) -> CacheOptions {
        CacheOptions { by_text: !self.no_cache, by_shape: false }
    }
}

/// Options for commands whose results can also be derived from a statement's shape, that is, from the statement's
/// tokens without the values of literals.
#[derive(Args, Clone, Copy, Default)]
pub struct CacheArgs {
    #[command(flatten)]
    text: TextCacheArgs,

    /// Parse a statement even if it differs from an earlier one only in literals and layout
    #[arg(help_heading = "Input", long)]
    no_shape_cache: bool,
}

impl CacheArgs {
    pub fn options(self) -> CacheOptions {
        let by_text = !self.text.no_cache;
        CacheOptions { by_text, by_shape: by_text && !self.no_shape_cache }
    }
}
