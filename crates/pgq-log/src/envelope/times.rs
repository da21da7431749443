//! Lengths of envelopes' time formats. Each function measures a time at the start of a string, and returns 0 if there
//! is no such time.

/// Returns the number of digits at the start of `text`.
pub fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// Whether `text` starts with `form`. In `form`, a `0` matches any digit. Any other byte matches only itself.
pub fn has_form(text: &[u8], form: &[u8]) -> bool {
    text.len() >= form.len()
        && form.iter().zip(text).all(|(form, byte)| if *form == b'0' { byte.is_ascii_digit() } else { form == byte })
}

pub fn fraction_len(text: &[u8]) -> usize {
    match text.first() {
        Some(b'.' | b',') => 1 + digits(&text[1..]),
        _ => 0,
    }
}

/// `2026-01-31T12:00:00.123456Z`. The zone may also be `+01:00`, `+0100` or missing.
pub fn iso_len(text: &[u8]) -> usize {
    if !has_form(text, b"0000-00-00T00:00:00") {
        return 0;
    }
    let len = 19 + fraction_len(&text[19..]);
    match text.get(len) {
        Some(b'Z') => len + 1,
        Some(b'+' | b'-') => {
            let zone = text[len + 1..].iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
            len + 1 + zone
        }
        _ => len,
    }
}

/// `Jan 31 12:00:00`
pub fn bsd_len(text: &[u8]) -> usize {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let month = text.len() > 15 && MONTHS.chunks(3).any(|month| text.starts_with(month)) && text[3] == b' ';
    let day = month && text[5].is_ascii_digit() && (text[4] == b' ' || text[4].is_ascii_digit());
    if day && has_form(&text[6..], b" 00:00:00") { 15 + fraction_len(&text[15..]) } else { 0 }
}

/// `Sat 2026-01-31 12:00:00 UTC`
pub fn full_len(text: &[u8]) -> usize {
    let weekday = text.len() > 23 && text[..3].iter().all(u8::is_ascii_alphabetic);
    if !weekday || !has_form(&text[3..], b" 0000-00-00 00:00:00") {
        return 0;
    }
    let len = 23 + fraction_len(&text[23..]);
    let zone = text[len..].strip_prefix(b" ").map_or(0, |zone| zone.iter().take_while(|b| **b != b' ').count());
    if zone > 0 { len + 1 + zone } else { 0 }
}

/// `1769857200.123456`
pub fn unix_len(text: &[u8]) -> usize {
    if digits(text) == 10 && fraction_len(&text[10..]) == 7 { 17 } else { 0 }
}

/// `[   12.345678]`, optionally with the time since the previous line: `[   12.345678 <    0.000042>]`.
pub fn mono_len(text: &[u8]) -> usize {
    let Some(end) = memchr::memchr(b']', &text[..text.len().min(48)]) else { return 0 };
    let inner = text[1..end.max(1)].trim_ascii_start();
    let number = digits(inner) + fraction_len(&inner[digits(inner)..]);
    let fits = text[0] == b'[' && digits(inner) > 0 && number == digits(inner) + 7;
    let rest = inner.get(number..).unwrap_or_default();
    let is_delta = rest.starts_with(b" <") && rest.ends_with(b">");
    if fits && (rest.is_empty() || is_delta) { end + 1 } else { 0 }
}

/// `2026-01-31 12:00:00`, with or without a fraction. Has no zone.
pub fn plain_len(text: &[u8]) -> usize {
    if has_form(text, b"0000-00-00 00:00:00") { 19 + fraction_len(&text[19..]) } else { 0 }
}

/// `2026-01-31 12:00:00.123456789 +0000 UTC`, the format of Go.
pub fn go_len(text: &[u8]) -> usize {
    let len = plain_len(text);
    let zone = text.get(len..).unwrap_or_default();
    if len == 0 || !(has_form(zone, b" +0000 ") || has_form(zone, b" -0000 ")) {
        return 0;
    }
    let name = zone[7..].iter().take_while(|b| b.is_ascii_alphanumeric() || b"+-".contains(b)).count();
    if name > 0 { len + 7 + name } else { 0 }
}

/// `1/31/2026, 12:00:00 PM`
pub fn page_len(text: &[u8]) -> usize {
    let text = &text[..text.len().min(24)];
    let Some(end) = memchr::memmem::find(text, b"M]").map(|at| at + 1) else { return 0 };
    let is_part = |b: &u8| b.is_ascii_digit() || b"/:, APM".contains(b);
    let is_page = text[..end].iter().all(is_part) && text[..end].contains(&b'/') && text[..end].contains(&b':');
    if is_page { end } else { 0 }
}
