//! Internals that the rules of [`Lexer`](crate::Lexer) share: the SQL, the result of scanning one token, and arithmetic
//! on eight bytes at the same time. The rules are methods of [`SqlText`] in other files.

use crate::token::FallbackReason;

/// PostgreSQL's size of a name, with its terminating zero byte (pg_config_manual.h). Longer names are truncated to 63
/// bytes.
pub(crate) const NAMEDATALEN: usize = 64;

/// The SQL to scan. The rules take the offset of a token and keep no state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SqlText<'a>(pub(crate) &'a [u8]);

impl SqlText<'_> {
    #[inline(always)]
    pub(crate) fn byte(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }
}

/// The end and the kind of a token. With the kind [`ScanResult::FALLBACK`], `detail` is a [`FallbackReason`]. The
/// struct has only eight bytes, so a function returns it in one register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScanResult {
    pub(crate) end: u32,
    pub(crate) kind: u16,
    pub(crate) detail: u16,
}

impl ScanResult {
    /// The kind that marks a fallback to PostgreSQL's scanner. No token of the grammar has this number.
    pub(crate) const FALLBACK: u16 = u16::MAX;

    #[inline(always)]
    pub(crate) fn token(end: usize, kind: u16, detail: u16) -> Self {
        Self { end: end as u32, kind, detail }
    }

    #[inline(always)]
    pub(crate) fn fallback(reason: FallbackReason) -> Self {
        Self { end: 0, kind: Self::FALLBACK, detail: reason as u16 }
    }
}

/// The high bit of each of eight bytes in a register.
pub(crate) const HIGH_BITS: u64 = repeat(0x80);

#[inline(always)]
pub(crate) const fn repeat(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}
