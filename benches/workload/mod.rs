//! The operations and workloads of the benchmark `instructions`. A workload is a list of statements, and an operation
//! processes each of them. Every operation has a baseline, which runs only the C code of PostgreSQL or libpg_query.

use std::cell::RefCell;
use std::hint::black_box;
use std::ops::ControlFlow;

use pgq::cache::{AnswerCache, AnswerCacheOptions, AnswerLookup, InputScope, TreeCache};
use pgq::nodes::{AExpr, FuncCall, Node, NodeType, ParamRef};
use pgq::proto::ParseResult;
use pgq::reference;
use pgq::{DeparseOptions, EditTree, FingerprintOptions, Inside, ParseOptions, Tree};
use pgq_corpus::project_path;

/// Statements that parse, with prepared inputs for the operations.
pub struct Workload {
    statements: Vec<Statement>,
    shapes: RefCell<AnswerCache>,
    trees: TreeCache,
}

struct Statement {
    sql: String,
    structs: ParseResult,
    tree: Tree,
}

/// Capacity of each cache in bytes. It is large enough for all statements.
const SHAPES: usize = 64 << 20;

/// The sample has every n-th statement of the regression SQL.
const REGRESSION_STEP: usize = 100;

/// Returns the workloads with their names: one long query, short statements of an application, and a sample of
/// PostgreSQL's regression SQL.
pub fn statements() -> [(&'static str, Vec<String>); 3] {
    let fixture = |path: &str| pgq_corpus::statements(&project_path("fixtures").join(path));
    let regression = pgq_corpus::sets().into_iter().find(|set| set.name == "regression").expect("a set of this name");
    [
        ("long", fixture("analytics/long_query.sql")),
        ("oltp", fixture("oltp/pgbench_like.sql")),
        ("regression", regression.statements.into_iter().step_by(REGRESSION_STEP).collect()),
    ]
}

impl Workload {
    /// Creates a workload of the statements that parse.
    pub fn new(texts: Vec<String>) -> Self {
        let statement = |sql: String| {
            let structs = pgq::parse(&sql).ok()?.into_tree();
            let tree = Tree::parse(&sql, &ParseOptions::default()).ok()?;
            Some(Statement { sql, structs, tree })
        };
        let statements: Vec<_> = texts.into_iter().filter_map(statement).collect();
        assert!(!statements.is_empty(), "no statement of the workload parses");
        let mut options = AnswerCacheOptions::default();
        options.shape_bytes = SHAPES;
        let shapes = RefCell::new(AnswerCache::new(&options));
        let trees = TreeCache::new(SHAPES);
        statements.iter().for_each(|statement| drop(trees.parse(&statement.sql)));
        let workload = Self { statements, shapes, trees };
        // The cache stores a shape on its second occurrence.
        (0..2).for_each(|_| workload.run(Operation::Shape));
        workload
    }

    /// Runs an operation once on every statement and drops the results.
    #[inline(always)]
    pub fn run(&self, operation: Operation) {
        for statement in &self.statements {
            operation.run(statement, &self.shapes, &self.trees);
        }
    }
}

/// An operation on a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// PostgreSQL's parser alone.
    ParseBaseline,
    /// PostgreSQL's scanner alone.
    ScanBaseline,
    /// libpg_query's deparser alone, on the parser's tree.
    DeparseBaseline,
    /// SQL to structs.
    Parse,
    /// SQL to JSON text.
    Json,
    Fingerprint,
    Normalize,
    /// Fingerprint and normalized SQL from one parse, as needed for a log record.
    Log,
    /// Fingerprint and normalized SQL from a cache that ignores the values of literals.
    Shape,
    /// SQL to tokens.
    Scan,
    /// Structs to SQL.
    Deparse,
    /// The parser's tree to SQL, with verification.
    DeparseVerified,
    /// Each statement's node to SQL, without the surrounding tree.
    DeparseNode,
    /// A visit to every node of a tree.
    Walk,
    /// SQL to a tree in separate memory.
    ParseShared,
    /// A lookup of a tree in the cache, by text.
    CacheHit,
    /// The work of a proxy: SQL to a tree, three visits to all nodes, renaming of the tables, and the tree back to SQL.
    Pipeline,
}

impl Operation {
    /// All operations, baselines first.
    pub const ALL: [Self; 17] = [
        Self::ParseBaseline,
        Self::ScanBaseline,
        Self::DeparseBaseline,
        Self::Parse,
        Self::Json,
        Self::Fingerprint,
        Self::Normalize,
        Self::Log,
        Self::Shape,
        Self::Scan,
        Self::Deparse,
        Self::DeparseVerified,
        Self::DeparseNode,
        Self::Walk,
        Self::ParseShared,
        Self::CacheHit,
        Self::Pipeline,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::ParseBaseline => "parse_baseline",
            Self::ScanBaseline => "scan_baseline",
            Self::DeparseBaseline => "deparse_baseline",
            Self::Parse => "parse",
            Self::Json => "json",
            Self::Fingerprint => "fingerprint",
            Self::Normalize => "normalize",
            Self::Log => "log",
            Self::Shape => "shape",
            Self::Scan => "scan",
            Self::Deparse => "deparse",
            Self::DeparseVerified => "deparse_verified",
            Self::DeparseNode => "deparse_node",
            Self::Walk => "walk",
            Self::ParseShared => "parse_shared",
            Self::CacheHit => "cache_hit",
            Self::Pipeline => "pipeline",
        }
    }

    /// Returns the baseline of the operation; `None` if the operation is itself a baseline.
    pub fn baseline(self) -> Option<Self> {
        match self {
            Self::ParseBaseline | Self::ScanBaseline | Self::DeparseBaseline => None,
            Self::Scan => Some(Self::ScanBaseline),
            Self::Deparse | Self::DeparseVerified | Self::DeparseNode => Some(Self::DeparseBaseline),
            Self::Parse | Self::Json | Self::Fingerprint | Self::Normalize | Self::Log | Self::Shape => {
                Some(Self::ParseBaseline)
            }
            Self::Walk | Self::ParseShared | Self::CacheHit | Self::Pipeline => Some(Self::ParseBaseline),
        }
    }

    #[inline(always)]
    fn run(self, Statement { sql, structs, tree }: &Statement, shapes: &RefCell<AnswerCache>, trees: &TreeCache) {
        match self {
            Self::ParseBaseline => assert!(black_box(reference::baseline_parse(sql))),
            Self::ScanBaseline => assert!(black_box(reference::baseline_scan(sql)).is_some()),
            Self::DeparseBaseline => drop(black_box(tree.deparse(&DeparseOptions::default()))),
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
            Self::DeparseVerified => {
                let mut options = DeparseOptions::default();
                options.verify = true;
                drop(black_box(tree.deparse(&options)));
            }
            Self::DeparseNode => {
                tree.statements().filter_map(pgq::Statement::node).for_each(|node| drop(black_box(node.deparse())));
            }
            Self::Walk => _ = black_box(tree.any(|node| matches!(black_box(node), Node::AccessPriv(_)))),
            Self::ParseShared => drop(black_box(Tree::parse_shared(sql))),
            Self::CacheHit => drop(black_box(trees.get(sql))),
            Self::Pipeline => drop(black_box(rewritten(sql))),
        }
    }
}

/// Adds a schema to the statement's tables. Returns the new SQL.
fn rewritten(sql: &str) -> Result<String, pgq::Error> {
    let tree = EditTree::parse(sql, &ParseOptions::default())?;
    for is_wanted in [is::<FuncCall>, is::<ParamRef>, is::<AExpr>] {
        let mut found = 0;
        let _: ControlFlow<()> = tree.visit(|node| {
            found += usize::from(is_wanted(node));
            ControlFlow::Continue(Inside::Visit)
        });
        black_box(found);
    }
    let _: ControlFlow<()> = tree.visit(|node| {
        if let Node::RangeVar(table) = node {
            tree.edit(table).schemaname("shard");
        }
        ControlFlow::Continue(Inside::Visit)
    });
    tree.deparse(&DeparseOptions::default())
}

fn is<'t, T: NodeType<'t>>(node: Node<'t>) -> bool {
    T::from_node(node).is_some()
}

/// Computes fingerprint and normalized SQL. If possible, takes them from the cache, which ignores the values of
/// literals; otherwise computes them from a tree.
fn by_shape(sql: &str, shapes: &mut AnswerCache) {
    let keys = match shapes.look_up(sql.as_bytes(), InputScope::Text) {
        AnswerLookup::Shape(known, keys) => {
            let mut normalized = String::new();
            let is_normalized = known.normalize(&mut normalized);
            black_box((known.fingerprint(), normalized));
            if is_normalized {
                return;
            }
            keys
        }
        AnswerLookup::Miss(keys) => keys,
        AnswerLookup::Text(_) => unreachable!("the cache is not used by text"),
    };
    if let Ok(tree) = Tree::parse(sql, &ParseOptions::default())
        && let Ok(fingerprint) = tree.fingerprint(&FingerprintOptions::default())
    {
        black_box(fingerprint);
        drop(black_box(tree.normalize(false)));
        shapes.keep(keys, sql.as_bytes(), b"", &tree, None, Some(fingerprint));
    }
}
