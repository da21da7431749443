//! Splits any bytes as a psql script. The parts must be contiguous. Then treats the same bytes as SQL and replaces
//! their placeholders. Every offset in the result must map to an offset in the original. The first byte selects the
//! style of placeholders.
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
