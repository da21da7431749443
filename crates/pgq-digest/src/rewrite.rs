//! Replaces texts of a finished digest, for example secrets with masks or names with pseudonyms. A [`Rewrite`] decides
//! on the replacements.

use std::sync::Arc;

use crate::digest::Digest;
use crate::events::Plan;
use crate::example::{Example, MAX_EXAMPLE_LEN};
use crate::facets::{ByFacet, Facet};
use crate::group::Group;
use crate::messages::{MessageKey, MessageKind, is_cut_text};
use crate::origin::{Origin, name_bytes, name_text};
use crate::tally::{Key, Names, Sum, Tally};

/// Kind of a text in a digest.
#[derive(Debug, Clone, Copy)]
pub enum TextKind<'a> {
    /// SQL.
    Statement,
    /// Parameters. The variant contains the SQL of their statement.
    Parameters(&'a str),
    /// A message. The variant contains the SQL of the statement that caused the message, or an empty string if this
    /// statement is unknown.
    Message(&'a str),
    /// The DETAIL, HINT or CONTEXT of a message. The variant contains the SQL of the statement that caused the
    /// message, or an empty string if this statement is unknown.
    Detail(&'a str),
    /// The parse error of a group of statements.
    Reason,
    /// A plan.
    Plan,
    /// The name of a user, a database and so on.
    Name(Facet),
}

/// Replaces texts.
pub trait Rewrite {
    /// Returns the replacement of `text`, or `None` to keep `text`. `is_cut` is true if the end of `text` may be
    /// missing. For a text that belongs to a statement, such as parameters, it is also true if the end of the statement
    /// is missing.
    fn rewrite(&self, kind: TextKind<'_>, text: &str, is_cut: bool) -> Option<String>;
}

impl Digest {
    /// Replaces all texts of a digest. The digest must be finished ([`Digest::finish`]).
    pub fn rewrite(&mut self, with: &dyn Rewrite) {
        self.groups.values_mut().for_each(|group| rewrite_group(group, with));
        self.unparsed.for_each_sum(|group| rewrite_group(group, with));
        rewrite_group(self.unparsed.others_mut(), with);
        [&mut self.truncated, &mut self.other].into_iter().for_each(|group| rewrite_group(group, with));
        map_keys(&mut self.unparsed, |reason| with.rewrite(TextKind::Reason, reason, false).map(Into::into));
        for kinds in self.messages.tallies_mut() {
            kinds.for_each_sum(|kind| rewrite_kind(kind, with));
            map_keys(kinds, |key| {
                let message = with.rewrite(TextKind::Message(""), &key.message, false)?.into();
                Some(MessageKey { message, ..key.clone() })
            });
        }
        rewrite_facets(&mut self.facets, with);
        if let Some(plan) = &mut self.stray_events.slowest_plan {
            rewrite_plan(plan, with);
        }
    }
}

/// Replaces the keys for which `map` returns another key. If keys become equal, adds their sums.
fn map_keys<K: Key + Clone, S: Sum + Clone>(tally: &mut Tally<K, S>, map: impl Fn(&K) -> Option<K>) {
    if !tally.iter().any(|(key, _)| map(key).is_some()) {
        return;
    }
    let (floor, others) = (tally.floor(), tally.others().clone());
    let mut mapped = Tally::from_parts([], floor, others);
    for (key, kept) in std::mem::take(tally).into_entries() {
        let key = map(&key).unwrap_or(key);
        mapped.insert(key, kept);
    }
    *tally = mapped;
}

fn replace(text: &mut Box<str>, kind: TextKind<'_>, is_cut: bool, with: &dyn Rewrite) {
    if let Some(new) = with.rewrite(kind, text, is_cut) {
        *text = new.into();
    }
}

fn rewrite_facets<S: Sum + Clone>(facets: &mut ByFacet<S>, with: &dyn Rewrite) {
    for facet in Facet::ALL {
        rewrite_names(facets.get_mut(facet), facet, with);
    }
}

fn rewrite_names<S: Sum + Clone>(names: &mut Names<S>, facet: Facet, with: &dyn Rewrite) {
    map_keys(names, |name| with.rewrite(TextKind::Name(facet), name, false).map(Into::into));
}

fn rewrite_group(group: &mut Group, with: &dyn Rewrite) {
    let (failed, is_cut) = group.failed.as_deref().map(|failed| (failed.sql(), failed.cut)).unwrap_or_default();
    let failed = failed.into_owned();
    if let Some(messages) = &mut group.messages {
        map_keys(messages, |message| with.rewrite(TextKind::Message(&failed), message, is_cut).map(Into::into));
    }
    group.examples_mut().for_each(|example| rewrite_example(example, with));
    group.facets.for_each_origin(|origin| rewrite_origin(origin, with));
    if let Some(by_name) = group.facets.by_name_mut() {
        rewrite_facets(by_name, with);
    }
    if let Some(plan) = group.events.as_mut().and_then(|events| events.slowest_plan.as_mut()) {
        rewrite_plan(plan, with);
    }
}

fn rewrite_plan(plan: &mut Plan, with: &dyn Rewrite) {
    let is_cut = plan.is_cut();
    replace(&mut plan.text, TextKind::Plan, is_cut, with);
}

fn rewrite_example(example: &mut Example, with: &dyn Rewrite) {
    let sql = example.sql().into_owned();
    let parameters = String::from_utf8_lossy(&example.params);
    let is_cut = example.cut || example.params.len() == MAX_EXAMPLE_LEN;
    if let Some(parameters) = with.rewrite(TextKind::Parameters(&sql), &parameters, is_cut) {
        example.params = parameters.into();
    }
    if let Some(sql) = with.rewrite(TextKind::Statement, &sql, example.cut) {
        example.sql = sql.into();
    }
    rewrite_origin(&mut example.origin, with);
}

fn rewrite_origin(origin: &mut Arc<Origin>, with: &dyn Rewrite) {
    let [user, database, application, host] = origin.names().map(name_text);
    let names =
        [(Facet::User, user), (Facet::Database, database), (Facet::Application, application), (Facet::Host, host)];
    let new = names
        .map(|(facet, name)| if name.is_empty() { None } else { with.rewrite(TextKind::Name(facet), &name, false) });
    if new.iter().all(Option::is_none) {
        return;
    }
    let [user, database, application, host] = new;
    let name = |new: Option<String>, old: &[u8]| new.map_or_else(|| old.into(), |new| name_bytes(&new).into());
    *origin = Arc::new(Origin {
        user: name(user, &origin.user),
        database: name(database, &origin.database),
        application: name(application, &origin.application),
        host: name(host, &origin.host),
    });
}

fn rewrite_kind(kind: &mut MessageKind, with: &dyn Rewrite) {
    for example in kind.examples_mut() {
        let [message, detail, hint, context, statement, user, database, host] = &mut example.texts;
        let (sql, is_cut) = (statement.clone(), is_cut_text(statement));
        replace(message, TextKind::Message(&sql), is_cut || is_cut_text(message), with);
        for text in [detail, hint, context].into_iter().filter(|text| !text.is_empty()) {
            replace(text, TextKind::Detail(&sql), is_cut || is_cut_text(text), with);
        }
        replace(statement, TextKind::Statement, is_cut, with);
        for (facet, name) in [(Facet::User, user), (Facet::Database, database), (Facet::Host, host)] {
            if !name.is_empty() {
                replace(name, TextKind::Name(facet), false, with);
            }
        }
    }
    for (facet, names) in [Facet::User, Facet::Database, Facet::Host].into_iter().zip(&mut kind.names) {
        rewrite_names(names, facet, with);
    }
    if with.rewrite(TextKind::Detail(""), "12 for 20", false).is_some() {
        kind.waits = Names::default();
    }
}
