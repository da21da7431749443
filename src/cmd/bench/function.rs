//! What is measured: functions, each on several paths.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Function {
    /// SQL to structs
    Parse,
    /// Structs to SQL
    Deparse,
    Fingerprint,
    Scan,
    /// SQL to SQL with $n for constants (compared with pg_query_normalize)
    Normalize,
    /// SQL to JSON text (compared with pg_query_parse, which uses no Protobuf)
    Json,
    /// Fingerprint and normalize from one parse, as for a log (compared with both calls)
    Log,
}

impl Function {
    pub const ALL: [Self; 7] =
        [Self::Parse, Self::Json, Self::Fingerprint, Self::Normalize, Self::Log, Self::Scan, Self::Deparse];

    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Log => "log",
            Self::Normalize => "normalize",
            Self::Parse => "parse",
            Self::Deparse => "deparse",
            Self::Fingerprint => "fingerprint",
            Self::Scan => "scan",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Path {
    /// libpg_query's functions as bindings use them: Protobuf and prost
    Protobuf,
    /// The C tree read directly
    Raw,
    /// The baseline: PostgreSQL's parser, scanner or deparser alone
    Floor,
}

impl Path {
    pub const ALL: [Self; 3] = [Self::Protobuf, Self::Raw, Self::Floor];

    pub fn name(self) -> &'static str {
        match self {
            Self::Protobuf => "protobuf",
            Self::Raw => "raw",
            Self::Floor => "floor",
        }
    }
}
