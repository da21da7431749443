//! Writes the keyword filter for src/sys/deparse/words.h. It quickly excludes most names that are not keywords. For
//! each first letter and length, it contains the second and last letters of the keywords that need quotes as names.

use std::fmt::Write;
use std::path::Path;

/// Path of PostgreSQL's keyword list, relative to the library's directory.
const KEYWORDS: &str = "src/postgres/include/parser/kwlist.h";

/// First character of the filter's range, `_` to `z`.
const FIRST: u8 = b'_';
const LETTERS: usize = (b'z' - FIRST) as usize + 1;

pub fn write_filter(library: &Path, out: &Path) {
    let list = std::fs::read_to_string(library.join(KEYWORDS)).expect("the list of keywords is readable");
    let words: Vec<&str> = list.lines().filter_map(quoted_word).collect();
    assert!(words.len() > 100, "{KEYWORDS}: only {} keywords that need quotes", words.len());
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let mut filter = vec![vec![(0u32, 0u32); longest + 1]; LETTERS];
    for word in words {
        let (&[first, second, ..], &[.., last]) = (word.as_bytes(), word.as_bytes()) else {
            panic!("{KEYWORDS}: a keyword of one letter: {word}")
        };
        let (seconds, lasts) = &mut filter[usize::from(first - FIRST)][word.len()];
        *seconds |= 1 << (second & 31);
        *lasts |= 1 << (last & 31);
    }
    let mut text = format!(
        "#define LONGEST_FILTERED {longest}\n\nstatic const uint32 keyword_filter[{LETTERS}][{}][2] = {{\n",
        longest + 1
    );
    for of_letter in filter {
        let row: Vec<String> =
            of_letter.iter().map(|(seconds, lasts)| format!("{{{seconds:#x}, {lasts:#x}}}")).collect();
        writeln!(text, "\t{{{}}},", row.join(", ")).expect("writing to a string");
    }
    text.push_str("};\n");
    std::fs::write(out.join("keyword_filter.h"), text).expect("OUT_DIR is writable");
}

/// Parses a line such as `PG_KEYWORD("all", ALL, RESERVED_KEYWORD, BARE_LABEL)`. Returns the keyword, or `None` if it
/// needs no quotes as a name.
fn quoted_word(line: &str) -> Option<&str> {
    let (word, rest) = line.strip_prefix("PG_KEYWORD(\"")?.split_once('"')?;
    (!rest.contains(", UNRESERVED_KEYWORD,")).then_some(word)
}
