//! An earlier digest to compare with: which queries are new, gone, slower or faster.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;

use crate::report::Times;
use crate::state::{StateError, decode_each};
use crate::{DescribeQuery, Digest, Group, Groups};

/// A mean that is so many times another is another.
const FACTOR: f64 = 1.5;

/// What an earlier digest knows of its queries, by fingerprint.
#[derive(Debug, Default)]
pub struct Baseline {
    queries: BTreeMap<u64, Known>,
}

/// One query of an earlier digest.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    pub calls: u64,
    /// Microseconds.
    pub mean: f64,
    pub normalized: String,
}

/// How a query compares with an earlier digest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    New,
    /// Its mean has grown to so many times what it was: 1.5 or more.
    Slower(f64),
    /// Its mean has shrunk to so much of what it was: two thirds or less.
    Faster(f64),
    /// About as it was; the factor, where both have durations.
    Unchanged(Option<f64>),
}

impl Change {
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Slower(_) => "slower",
            Self::Faster(_) => "faster",
            Self::Unchanged(_) => "same",
        }
    }

    /// How many times the earlier mean the mean is.
    pub fn factor(self) -> Option<f64> {
        match self {
            Self::New => None,
            Self::Slower(factor) | Self::Faster(factor) => Some(factor),
            Self::Unchanged(factor) => factor,
        }
    }
}

/// A query that came before and does not any more.
#[derive(Debug, Clone, PartialEq)]
pub struct Gone {
    pub fingerprint: u64,
    pub known: Known,
}

/// The document of `pgq digest --format json`, as far as it matters here.
#[derive(Deserialize)]
struct Document {
    groups: Vec<DocumentGroup>,
}

#[derive(Deserialize)]
struct DocumentGroup {
    fingerprint: String,
    normalized: String,
    calls: u64,
    mean_ms: f64,
}

impl Baseline {
    /// Reads what `pgq digest` wrote, as JSON or as a state.
    ///
    /// # Errors
    /// Bytes that are neither, in words that go behind the name of a file.
    pub fn read(bytes: &[u8], describe: &dyn DescribeQuery) -> Result<Self, String> {
        if bytes.trim_ascii_start().starts_with(b"{") {
            let document: Document = serde_json::from_slice(bytes)
                .map_err(|problem| format!("is no document of pgq digest --format json: {problem}"))?;
            return document
                .groups
                .into_iter()
                .map(DocumentGroup::known)
                .collect::<Result<_, _>>()
                .map(|queries| Self { queries });
        }
        let mut all = Digest::new(usize::MAX / 2);
        decode_each(bytes, usize::MAX / 2, |digest| all.merge(digest)).map_err(|problem| match problem {
            StateError::NotAState => "is neither a document nor a state of pgq digest".to_string(),
            problem => problem.to_string(),
        })?;
        Ok(Self {
            queries: all.groups.iter().map(|(fingerprint, group)| (*fingerprint, Known::of(group, describe))).collect(),
        })
    }

    /// How a query compares with what it was.
    pub fn change(&self, fingerprint: u64, group: &Group, times: &Times) -> Change {
        let Some(known) = self.queries.get(&fingerprint) else { return Change::New };
        if known.mean <= 0.0 || group.durations.count() == 0 {
            return Change::Unchanged(None);
        }
        match times.mean / known.mean {
            factor if factor >= FACTOR => Change::Slower(factor),
            factor if factor <= 1.0 / FACTOR => Change::Faster(factor),
            factor => Change::Unchanged(Some(factor)),
        }
    }

    /// Queries that are not among `groups`, those with the most calls first.
    pub fn gone(&self, groups: &Groups) -> Vec<Gone> {
        let now: HashSet<u64> = groups.keys().copied().collect();
        let gone = self.queries.iter().filter(|(fingerprint, _)| !now.contains(fingerprint));
        let mut gone: Vec<Gone> =
            gone.map(|(fingerprint, known)| Gone { fingerprint: *fingerprint, known: known.clone() }).collect();
        gone.sort_by_key(|gone| std::cmp::Reverse(gone.known.calls));
        gone
    }
}

impl DocumentGroup {
    fn known(self) -> Result<(u64, Known), String> {
        let fingerprint = u64::from_str_radix(&self.fingerprint, 16)
            .map_err(|_| format!("holds a fingerprint that is none: {:?}", self.fingerprint))?;
        Ok((fingerprint, Known { calls: self.calls, mean: self.mean_ms * 1000.0, normalized: self.normalized }))
    }
}

impl Known {
    fn of(group: &Group, describe: &dyn DescribeQuery) -> Self {
        let count = group.durations.count();
        let mean = if count == 0 { 0.0 } else { group.durations.sum() as f64 / count as f64 };
        let sql = group.example.as_ref().map_or("", |example| &*example.sql);
        let normalized = describe.normalized(sql);
        Self { calls: group.calls, mean, normalized }
    }
}
