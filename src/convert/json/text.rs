//! The buffer of a JSON document. Most keys, names and numbers are short. Therefore the most frequent appends check the
//! capacity once and copy with a few stores.

use super::escape::{escape, is_clean_word};

/// JSON text. It is UTF-8, because keys, numbers, names of constants and char fields are ASCII, and the strings of a
/// tree are UTF-8 (see to_prost.rs).
pub struct JsonText {
    bytes: Vec<u8>,
    /// Whether `bytes` was empty at the start. If so, it contains only JSON, which is UTF-8.
    alone: bool,
}

/// Numbers below this limit are written with one store.
const SHORT: i64 = 10_000;

/// The decimal digits of 0 to 99, tens first.
static TWO_DIGITS: [[u8; 2]; 100] = {
    let mut digits = [[0; 2]; 100];
    let mut value = 0;
    while value < 100 {
        digits[value] = [b'0' + (value / 10) as u8, b'0' + (value % 10) as u8];
        value += 1;
    }
    digits
};

impl JsonText {
    /// Starts JSON text after `bytes`.
    pub fn new(bytes: Vec<u8>) -> Self {
        let alone = bytes.is_empty();
        Self { bytes, alone }
    }

    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Returns the bytes given to [`JsonText::new`], followed by the JSON.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn into_string(self) -> String {
        let Self { bytes, alone } = self;
        if !alone {
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        debug_assert!(std::str::from_utf8(&bytes).is_ok());
        // SAFETY: this module appended all bytes, and they are UTF-8.
        unsafe { String::from_utf8_unchecked(bytes) }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Appends bytes. This is efficient if their number is large or a compile-time constant.
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.reserve(bytes.len());
        // SAFETY: the buffer has room for the bytes.
        unsafe { self.append(bytes) };
    }

    /// # Safety
    /// The buffer must have room for the bytes.
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    unsafe fn append(&mut self, bytes: &[u8]) {
        let len = self.bytes.len();
        // SAFETY: the caller guarantees the room; the buffer is borrowed exclusively.
        unsafe {
            self.bytes.as_mut_ptr().add(len).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.bytes.set_len(len + bytes.len());
        }
    }

    /// Appends `closing`, replacing a trailing comma.
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    pub(crate) fn end(&mut self, closing: &[u8]) {
        if self.bytes.last() == Some(&b',') {
            self.bytes.pop();
        }
        self.raw(closing);
    }

    /// Appends a number in decimal digits.
    #[inline]
    pub fn int(&mut self, value: i64) {
        if !(0..SHORT).contains(&value) {
            return self.long_int(value);
        }
        let value = value as usize;
        let ([a, b], [c, d]) = (TWO_DIGITS[value / 100], TWO_DIGITS[value % 100]);
        // In little-endian order, the first digit is the lowest byte. Therefore a right shift removes the leading
        // zeros.
        let leading = usize::from(value < 10) + usize::from(value < 100) + usize::from(value < 1000);
        let digits = (u32::from_le_bytes([a, b, c, d]) >> (8 * leading)).to_le_bytes();
        self.bytes.reserve(digits.len());
        // SAFETY: the buffer has room for four bytes. The bytes after the digits are truncated below.
        unsafe { self.append(&digits) };
        self.bytes.truncate(self.bytes.len() - leading);
    }

    /// Appends a number without the fast path of [`Self::int`] for small numbers.
    #[inline(never)]
    pub(crate) fn long_int(&mut self, value: impl itoa::Integer) {
        self.bytes.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    /// Appends a string in quotes, escaped as libpg_query does.
    #[inline(never)]
    pub fn string(&mut self, text: &[u8]) {
        let len = text.len();
        if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>())
            && len <= 16
            && is_clean_word(u64::from_le_bytes(*first))
            && is_clean_word(u64::from_le_bytes(*last))
        {
            // SAFETY: there are 8 to 16 bytes.
            unsafe { self.short(len, first, last) }
        } else if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>())
            && len < 8
            && is_clean_word(u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)))
        {
            // SAFETY: there are 4 to 7 bytes.
            unsafe { self.short(len, first, last) }
        } else {
            escape(text, &mut self.bytes);
        }
    }

    /// Appends a string of `len` bytes in quotes. `first` and `last` are its first and last `N` bytes.
    ///
    /// # Safety
    /// `len` must be from `N` to twice `N`.
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    unsafe fn short<const N: usize>(&mut self, len: usize, first: &[u8; N], last: &[u8; N]) {
        self.bytes.reserve(len + 2);
        let before = self.bytes.len();
        // SAFETY: there is room for the string and two quotes.
        unsafe {
            let start = self.bytes.as_mut_ptr().add(before);
            start.write(b'"');
            start.add(1).copy_from_nonoverlapping(first.as_ptr(), N);
            start.add(1 + len - N).copy_from_nonoverlapping(last.as_ptr(), N);
            start.add(1 + len).write(b'"');
            self.bytes.set_len(before + len + 2);
        }
    }
}
