//! src/lex/keywords.rs: PostgreSQL's keywords with their numbers in the grammar, and the
//! seeds that make their hash perfect. A keyword without a number is an error.

#[path = "../../src/lex/hash.rs"]
mod hash;

const HEADER: &str = "\
//! PostgreSQL's keywords, in its order, and the seeds of their perfect hash.
//!
//! Generated from src/postgres/include/parser/kwlist.h and gram.h of the pinned sources.
//! Written by `PGQ_REGENERATE=1 cargo test --test generated`.
";

struct Keyword<'a> {
    name: &'a str,
    token: &'a str,
    category: &'a str,
}

/// The text of keywords.rs, or what in the list is not understood.
pub fn generate(list: &str, grammar: &str, bindings: &str) -> Result<String, String> {
    let mut keywords = Vec::new();
    for line in list.lines().filter_map(|line| line.strip_prefix("PG_KEYWORD(")) {
        let keyword = keyword(line).ok_or_else(|| format!("kwlist.h: not understood: {line}"))?;
        let constant = format!("PG_QUERY_TOKEN_{}", keyword.token);
        let number = number(grammar, &format!("     {} = ", keyword.token), ",");
        let bound = self::number(bindings, &format!("pub const {constant}: PgQueryToken = "), ";");
        if number.is_none() || number != bound {
            return Err(format!("{}: {number:?} in the grammar, {bound:?} in the bindings", keyword.token));
        }
        keywords.push(keyword);
    }
    let mut text = String::from(HEADER);
    text.push_str("\nuse super::hash::BUCKETS;\nuse super::keyword::{Keyword, keyword};\nuse crate::sys::bindings as pg;\n\n#[rustfmt::skip]\n");
    text.push_str(&format!("pub(super) static KEYWORDS: [Keyword; {}] = [\n", keywords.len()));
    for Keyword { name, token, category } in &keywords {
        text.push_str(&format!("    keyword({name:?}, pg::PG_QUERY_TOKEN_{token}, pg::PG_QUERY_{category}),\n"));
    }
    text.push_str("];\n\n#[rustfmt::skip]\n");
    let seeds = seeds(&keywords).ok_or("no seeds make the hash of keywords perfect")?;
    text.push_str("pub(super) static SEEDS: [u16; BUCKETS] = [\n");
    for row in seeds.chunks(16) {
        let row: Vec<_> = row.iter().map(ToString::to_string).collect();
        text.push_str(&format!("    {},\n", row.join(", ")));
    }
    text.push_str("];\n");
    Ok(text)
}

/// `"abort", ABORT_P, UNRESERVED_KEYWORD, BARE_LABEL)`.
fn keyword(line: &str) -> Option<Keyword<'_>> {
    let (arguments, _) = line.split_once(')')?;
    let [name, token, category, _] = arguments.split(", ").collect::<Vec<_>>().try_into().ok()?;
    let name = name.strip_prefix('"')?.strip_suffix('"')?;
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    (plain && category.ends_with("_KEYWORD")).then_some(Keyword { name, token, category })
}

fn number(text: &str, before: &str, after: &str) -> Option<u16> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after)?.0.parse().ok()
}

/// A seed for each bucket, so that no two keywords share a slot. Full buckets choose first.
fn seeds(keywords: &[Keyword<'_>]) -> Option<Vec<u16>> {
    let mut buckets = vec![Vec::new(); hash::BUCKETS];
    for keyword in keywords.iter().filter(|keyword| keyword.name.len() <= hash::LONGEST) {
        let word = hash::folded(keyword.name.as_bytes());
        buckets[hash::bucket(word)].push(word);
    }
    let mut order: Vec<usize> = (0..buckets.len()).collect();
    order.sort_by_key(|bucket| std::cmp::Reverse(buckets[*bucket].len()));
    let mut taken = vec![false; hash::SLOTS];
    let mut seeds = vec![0; buckets.len()];
    for bucket in order {
        let places = |seed| buckets[bucket].iter().map(|word| hash::slot(*word, seed)).collect::<Vec<_>>();
        let fits = |seed: &u16| {
            let places = places(*seed);
            places.iter().enumerate().all(|(i, place)| !taken[*place] && !places[..i].contains(place))
        };
        let seed = (0..hash::SLOTS as u16).find(fits)?;
        places(seed).into_iter().for_each(|place| taken[place] = true);
        seeds[bucket] = seed;
    }
    Some(seeds)
}

#[test]
fn a_keyword_without_a_number_is_an_error() {
    let list = "PG_KEYWORD(\"frobnicate\", FROBNICATE, RESERVED_KEYWORD, BARE_LABEL)\n";
    let problem = generate(list, "     SELECT = 300,\n", "").unwrap_err();
    assert!(problem.contains("FROBNICATE"), "{problem}");
}
