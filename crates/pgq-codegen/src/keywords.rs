//! Generates crates/pgq-lexer/src/keywords.rs and kinds.rs: PostgreSQL's keywords and tokens with their numbers in the
//! grammar, and the seeds of the perfect hash. A keyword or token without a number is an error.

#[path = "../../pgq-lexer/src/hash.rs"]
mod hash;

const HEADER: &str = "\
//! PostgreSQL's keywords in PostgreSQL's order, and the seeds of their perfect hash. Data only.
//!
//! Generated from src/postgres/include/parser/kwlist.h and gram.h of the pinned sources.
//! Written by `cargo xtask regenerate`.
";

struct Keyword<'a> {
    name: &'a str,
    token: &'a str,
    category: &'a str,
    /// Number in the grammar.
    number: u16,
}

/// Returns the contents of keywords.rs. Returns an error if a line of `list` cannot be parsed.
pub fn generate(list: &str, grammar: &str, proto: &str) -> Result<String, String> {
    let mut keywords = Vec::new();
    for line in list.lines().filter_map(|line| line.strip_prefix("PG_KEYWORD(")) {
        let mut keyword = keyword(line).ok_or_else(|| format!("kwlist.h: cannot read: {line}"))?;
        keyword.number = token_number(keyword.token, grammar, proto)?;
        keywords.push(keyword);
    }
    let mut text = String::from(HEADER);
    text.push_str("\nuse crate::hash::BUCKETS;\nuse crate::token::Keyword;\n\n#[rustfmt::skip]\n");
    text.push_str(&format!("pub(crate) static KEYWORDS: [Keyword; {}] = [\n", keywords.len()));
    for Keyword { name, category, number, .. } in &keywords {
        let kind = self::number(proto, &format!("\n  {category} = "), ";");
        let kind = kind.ok_or_else(|| format!("{category}: not in pg_query.proto"))?;
        text.push_str(&format!("    Keyword {{ name: {name:?}, token: {number}, kind: {kind} }},\n"));
    }
    text.push_str("];\n\n#[rustfmt::skip]\n");
    let seeds = seeds(&keywords).ok_or("no seeds make the hash of keywords perfect")?;
    text.push_str("pub(crate) static SEEDS: [u16; BUCKETS] = [\n");
    for row in seeds.chunks(16) {
        let row: Vec<_> = row.iter().map(ToString::to_string).collect();
        text.push_str(&format!("    {},\n", row.join(", ")));
    }
    text.push_str("];\n");
    Ok(text)
}

/// Parses a line such as `"abort", ABORT_P, UNRESERVED_KEYWORD, BARE_LABEL)`.
fn keyword(line: &str) -> Option<Keyword<'_>> {
    let (arguments, _) = line.split_once(')')?;
    let [name, token, category, _] = arguments.split(", ").collect::<Vec<_>>().try_into().ok()?;
    let name = name.strip_prefix('"')?.strip_suffix('"')?;
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    (plain && category.ends_with("_KEYWORD")).then_some(Keyword { name, token, category, number: 0 })
}

/// Returns the number of a token. The grammar and pg_query.proto must agree on it.
fn token_number(token: &str, grammar: &str, proto: &str) -> Result<u16, String> {
    let in_grammar = number(grammar, &format!("     {token} = "), ",");
    let in_proto = number(proto, &format!("\n  {token} = "), ";");
    match in_grammar {
        Some(number) if in_grammar == in_proto => Ok(number),
        _ => Err(format!("{token}: {in_grammar:?} in the grammar, {in_proto:?} in pg_query.proto")),
    }
}

/// Tokens with a constant in kinds.rs, other than keywords.
const KINDS: [&str; 19] = [
    "IDENT",
    "UIDENT",
    "FCONST",
    "SCONST",
    "USCONST",
    "BCONST",
    "XCONST",
    "Op",
    "ICONST",
    "PARAM",
    "TYPECAST",
    "DOT_DOT",
    "COLON_EQUALS",
    "EQUALS_GREATER",
    "LESS_EQUALS",
    "GREATER_EQUALS",
    "NOT_EQUALS",
    "SQL_COMMENT",
    "C_COMMENT",
];

/// Keywords with a constant in kinds.rs, by their names in the grammar. The constant's name omits the suffix `_P`.
#[rustfmt::skip]
const KEYWORD_KINDS: [&str; 100] = [
    "ALL", "AND", "ARRAY", "AS", "AUTHORIZATION", "BETWEEN", "BY", "CASE", "CONSTRAINT", "CREATE", "CROSS",
    "DAY_P", "DELETE_P", "DISTINCT", "ELSE", "EVENT", "EXECUTE", "EXPLAIN", "EXTRACT", "FALSE_P", "FIRST_P",
    "FOREIGN", "FORMAT", "FORMAT_LA", "FROM", "FULL", "FUNCTION", "GROUP_P", "HAVING", "HOUR_P", "ILIKE", "INDEX",
    "INNER_P", "INSERT", "INTEGER", "INTERVAL", "INTO", "INT_P", "IN_P", "JOIN", "JSON", "LAST_P", "LATERAL_P",
    "LEFT", "LIKE", "LIMIT", "LOCAL", "MERGE", "MINUTE_P", "MONTH_P", "NATURAL", "NOT", "NOT_LA", "NULLS_LA",
    "NULLS_P", "NULL_P", "ON", "OR", "ORDER", "ORDINALITY", "OUTER_P", "PASSING", "PROCEDURE", "REPLACE", "RESET",
    "RETURNING", "RIGHT", "ROW", "SECOND_P", "SELECT", "SESSION", "SET", "SETOF", "SIMILAR", "STATEMENT", "TABLE",
    "TEMP", "TEMPORARY", "TEXT_P", "THEN", "TIME", "TIMESTAMP", "TO", "TRIGGER", "TRUE_P", "UESCAPE", "UNIQUE",
    "UNLOGGED", "UPDATE", "USING", "VALUES", "VALUE_P", "WHEN", "WHERE", "WINDOW", "WITH", "WITHOUT",
    "WITHOUT_LA", "WITH_LA", "YEAR_P",
];

const KINDS_HEADER: &str = "\
//! Token numbers of PostgreSQL's grammar, the same as in libpg_query's `Token` enum. Data only.
//!
//! Generated from src/postgres/include/gram.h of the pinned sources.
//! Written by `cargo xtask regenerate`.

/// The end of the text.
pub const END: u16 = 0;
";

/// Returns the contents of kinds.rs. Returns an error for a token without a number.
pub fn generate_kinds(grammar: &str, proto: &str) -> Result<String, String> {
    let mut text = String::from(KINDS_HEADER);
    for token in KINDS.into_iter().chain(KEYWORD_KINDS) {
        let number = token_number(token, grammar, proto)?;
        let constant = token.trim_end_matches("_P").to_uppercase();
        text.push_str(&format!("/// `{token}`.\npub const {constant}: u16 = {number};\n"));
    }
    Ok(text)
}

fn number(text: &str, before: &str, after: &str) -> Option<u16> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after)?.0.parse().ok()
}

/// Returns a seed for each bucket such that no two keywords share an entry of the table. Finds the seeds of the largest
/// buckets first.
fn seeds(keywords: &[Keyword<'_>]) -> Option<Vec<u16>> {
    let mut buckets = vec![Vec::new(); hash::BUCKETS];
    for keyword in keywords.iter().filter(|keyword| keyword.name.len() <= hash::MAX_WORD_LEN) {
        let word = hash::fold_case(keyword.name.as_bytes());
        buckets[hash::bucket(word)].push(word);
    }
    let mut order: Vec<usize> = (0..buckets.len()).collect();
    order.sort_by_key(|bucket| std::cmp::Reverse(buckets[*bucket].len()));
    let mut taken = vec![false; hash::TABLE_SIZE];
    let mut seeds = vec![0; buckets.len()];
    for bucket in order {
        let indexes = |seed| buckets[bucket].iter().map(|word| hash::table_index(*word, seed)).collect::<Vec<_>>();
        let fits = |seed: &u16| {
            let indexes = indexes(*seed);
            indexes.iter().enumerate().all(|(i, index)| !taken[*index] && !indexes[..i].contains(index))
        };
        let seed = (0..hash::TABLE_SIZE as u16).find(fits)?;
        indexes(seed).into_iter().for_each(|index| taken[index] = true);
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
