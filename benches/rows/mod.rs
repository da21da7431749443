//! What is measured, once for both kinds of benchmark: the corpora and the rows. A row is a
//! piece of work on a corpus. Each has a floor, which is what PostgreSQL's C code takes alone.

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;

use pgq::cache::{AnswerCache, AnswerCacheOptions, AnswerLookup, InputScope};
use pgq::proto::ParseResult;
use pgq::reference;
use pgq::{DeparseOptions, FingerprintOptions, ParseOptions, Tree};

#[path = "../../tests/equality/corpus.rs"]
#[allow(dead_code)]
mod corpus;

/// Statements that parse, with what their rows start from.
pub struct Corpus {
    statements: Vec<Statement>,
    shapes: RefCell<AnswerCache>,
}

struct Statement {
    sql: String,
    structs: ParseResult,
    tree: Tree,
}

/// Bytes of what is kept of shapes: room for all.
const SHAPES: usize = 64 << 20;

/// One statement of so many of the regression corpus.
const REGRESSION_STEP: usize = 100;

/// The statements of each corpus, by its name: one long query, small statements of an
/// application, and a cut of PostgreSQL's regression SQL.
pub fn corpora() -> [(&'static str, Vec<String>); 3] {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let regression = corpus::sets().into_iter().find(|set| set.name == "regression").expect("a set of this name");
    [
        ("long", corpus::statements(&fixtures.join("analytics/long_query.sql"))),
        ("oltp", corpus::statements(&fixtures.join("oltp/pgbench_like.sql"))),
        ("regression", regression.statements.into_iter().step_by(REGRESSION_STEP).collect()),
    ]
}

impl Corpus {
    /// Those of `texts` that parse.
    pub fn new(texts: Vec<String>) -> Self {
        let statement = |sql: String| {
            let structs = pgq::parse(&sql).ok()?.into_tree();
            let tree = Tree::parse(&sql, &ParseOptions::default()).ok()?;
            Some(Statement { sql, structs, tree })
        };
        let statements: Vec<_> = texts.into_iter().filter_map(statement).collect();
        assert!(!statements.is_empty(), "nothing in the corpus parses");
        let mut options = AnswerCacheOptions::default();
        options.shape_bytes = SHAPES;
        let shapes = RefCell::new(AnswerCache::new(&options));
        let corpus = Self { statements, shapes };
        // A shape is kept when it comes again.
        (0..2).for_each(|_| corpus.work(Row::Shape));
        corpus
    }

    /// Does a row's work once on every statement, dropping what it makes.
    #[inline(always)]
    pub fn work(&self, row: Row) {
        for statement in &self.statements {
            row.run(statement, &self.shapes);
        }
    }
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// PostgreSQL's parser alone.
    Floor,
    /// PostgreSQL's scanner run once, alone.
    ScanFloor,
    /// libpg_query's deparser alone, on a tree that the parser left.
    DeparseFloor,
    /// SQL to structs.
    Parse,
    /// SQL to JSON text.
    Json,
    Fingerprint,
    Normalize,
    /// Fingerprint and normalize of one parse: what a log needs.
    Log,
    /// The same by the statement's shape, where that is known.
    Shape,
    /// SQL to tokens.
    Scan,
    /// Structs to SQL.
    Deparse,
}

impl Row {
    /// The floors before what stands on them.
    pub const ALL: [Self; 11] = [
        Self::Floor,
        Self::ScanFloor,
        Self::DeparseFloor,
        Self::Parse,
        Self::Json,
        Self::Fingerprint,
        Self::Normalize,
        Self::Log,
        Self::Shape,
        Self::Scan,
        Self::Deparse,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::ScanFloor => "floor_of_scan",
            Self::DeparseFloor => "floor_of_deparse",
            Self::Parse => "parse",
            Self::Json => "json",
            Self::Fingerprint => "fingerprint",
            Self::Normalize => "normalize",
            Self::Log => "log",
            Self::Shape => "shape",
            Self::Scan => "scan",
            Self::Deparse => "deparse",
        }
    }

    /// What it is compared with; `None` for a floor.
    #[allow(dead_code)] // criterion shows times
    pub fn floor(self) -> Option<Self> {
        match self {
            Self::Floor | Self::ScanFloor | Self::DeparseFloor => None,
            Self::Scan => Some(Self::ScanFloor),
            Self::Deparse => Some(Self::DeparseFloor),
            Self::Parse | Self::Json | Self::Fingerprint | Self::Normalize | Self::Log | Self::Shape => {
                Some(Self::Floor)
            }
        }
    }

    #[inline(always)]
    fn run(self, Statement { sql, structs, tree }: &Statement, shapes: &RefCell<AnswerCache>) {
        match self {
            Self::Floor => assert!(black_box(reference::baseline_parse(sql))),
            Self::ScanFloor => assert!(black_box(reference::baseline_scan(sql)).is_some()),
            Self::DeparseFloor => drop(black_box(tree.deparse(&DeparseOptions::default()))),
            Self::Parse => drop(black_box(pgq::parse(sql))),
            Self::Json => drop(black_box(pgq::parse_to_json(sql))),
            Self::Fingerprint => drop(black_box(pgq::fingerprint(sql))),
            Self::Normalize => drop(black_box(pgq::normalize(sql))),
            Self::Log => {
                if let Ok(tree) = Tree::parse(sql, &ParseOptions::default()) {
                    drop(black_box(tree.fingerprint(&FingerprintOptions::default())));
                    drop(black_box(tree.normalize(false)));
                }
            }
            Self::Shape => by_shape(sql, &mut shapes.borrow_mut()),
            Self::Scan => drop(black_box(pgq::scan(sql))),
            Self::Deparse => drop(black_box(pgq::deparse(structs))),
        }
    }
}

/// What a log's record costs: fingerprint and normalized text, from the shape or from a tree.
fn by_shape(sql: &str, shapes: &mut AnswerCache) {
    let keys = match shapes.look_up(sql.as_bytes(), InputScope::Text) {
        AnswerLookup::Shape(known, keys) => {
            let mut normalized = String::new();
            let whole = known.normalize(&mut normalized);
            black_box((known.fingerprint(), normalized));
            if whole {
                return;
            }
            keys
        }
        AnswerLookup::Miss(keys) => keys,
        AnswerLookup::Text(_) => unreachable!("no answers are kept by text"),
    };
    if let Ok(tree) = Tree::parse(sql, &ParseOptions::default())
        && let Ok(fingerprint) = tree.fingerprint(&FingerprintOptions::default())
    {
        black_box(fingerprint);
        drop(black_box(tree.normalize(false)));
        shapes.keep(keys, sql.as_bytes(), b"", &tree, None, Some(fingerprint));
    }
}
