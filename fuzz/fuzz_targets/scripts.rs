//! Any text as a psql script, and as SQL with placeholders: the parts of a script follow each other, and offsets
//! of placeholders map back into the original. The first byte chooses the style of placeholders.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgq::PlaceholderStyle;
use pgq::script::script_parts;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, script)) = bytes.split_first() else { return };
    let mut at = 0;
    for part in script_parts(script) {
        assert!(part.start() == at && part.end() > at && part.end() <= script.len());
        at = part.end();
    }
    let Ok(sql) = std::str::from_utf8(script) else { return };
    let style = PlaceholderStyle::ALL[usize::from(*choice) % PlaceholderStyle::ALL.len()];
    let replaced = pgq::placeholders(sql, style);
    for (offset, _) in replaced.sql.char_indices() {
        assert!(replaced.original(offset) <= sql.len());
    }
    let _ = pgq::parse(&replaced.sql);
});
