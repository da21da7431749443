//! The measured functions and paths.

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
    /// SQL to fingerprint and normalized text with one parse (compared with one call for each)
    Log,
    /// SQL to an Arrow batch with a row for each token
    Tokens,
    /// Protobuf bytes to the batch of tokens
    #[cfg(feature = "reflection")]
    DecodeTokens,
    /// SQL to an Arrow batch with a row for each node
    Nodes,
    /// Protobuf bytes to the batch of nodes
    #[cfg(feature = "reflection")]
    DecodeNodes,
}

impl Function {
    pub const ALL: &[Self] = &[
        Self::Parse,
        Self::Json,
        Self::Fingerprint,
        Self::Normalize,
        Self::Log,
        Self::Scan,
        Self::Deparse,
        Self::Tokens,
        #[cfg(feature = "reflection")]
        Self::DecodeTokens,
        Self::Nodes,
        #[cfg(feature = "reflection")]
        Self::DecodeNodes,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Log => "log",
            Self::Normalize => "normalize",
            Self::Parse => "parse",
            Self::Deparse => "deparse",
            Self::Fingerprint => "fingerprint",
            Self::Scan => "scan",
            Self::Tokens => "tokens",
            #[cfg(feature = "reflection")]
            Self::DecodeTokens => "decode-tokens",
            Self::Nodes => "nodes",
            #[cfg(feature = "reflection")]
            Self::DecodeNodes => "decode-nodes",
        }
    }

    /// Returns the kind of rows if the function builds Arrow batches.
    pub fn table(self) -> Option<Table> {
        match self {
            Self::Tokens => Some(Table::Tokens),
            Self::Nodes => Some(Table::Nodes),
            #[cfg(feature = "reflection")]
            Self::DecodeTokens => Some(Table::Tokens),
            #[cfg(feature = "reflection")]
            Self::DecodeNodes => Some(Table::Nodes),
            _ => None,
        }
    }

    /// Whether the function starts from Protobuf bytes.
    pub fn decodes(self) -> bool {
        #[cfg(feature = "reflection")]
        return matches!(self, Self::DecodeTokens | Self::DecodeNodes);
        #[cfg(not(feature = "reflection"))]
        false
    }

    /// Returns the baseline, that is, the path (implementation) to which all other paths are compared.
    pub fn baseline(self) -> Path {
        #[cfg(feature = "reflection")]
        if self.table().is_some() {
            return Path::Reflect;
        }
        Path::Protobuf
    }

    /// Whether the function supports a path.
    pub fn has(self, path: Path) -> bool {
        match path {
            Path::Protobuf => true,
            Path::Raw | Path::Floor => !self.decodes(),
            #[cfg(feature = "reflection")]
            Path::Reflect | Path::ReflectCached => self.table().is_some(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Path {
    /// Protobuf and reflection: dynamic messages, fields by name, boxed builders (tokens and nodes)
    #[cfg(feature = "reflection")]
    Reflect,
    /// As reflect, but each descriptor is looked up only once
    #[cfg(feature = "reflection")]
    ReflectCached,
    /// libpg_query's functions as bindings use them: Protobuf and prost
    Protobuf,
    /// The C tree read directly
    Raw,
    /// The baseline: PostgreSQL's parser, scanner or deparser alone
    Floor,
}

impl Path {
    pub const ALL: &[Self] = &[
        #[cfg(feature = "reflection")]
        Self::Reflect,
        #[cfg(feature = "reflection")]
        Self::ReflectCached,
        Self::Protobuf,
        Self::Raw,
        Self::Floor,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Protobuf => "protobuf",
            Self::Raw => "raw",
            Self::Floor => "floor",
            #[cfg(feature = "reflection")]
            Self::Reflect => "reflect",
            #[cfg(feature = "reflection")]
            Self::ReflectCached => "reflect-cached",
        }
    }
}

/// Kind of rows in an Arrow batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    Tokens,
    Nodes,
}
