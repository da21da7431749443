//! Facets of a group.

use pgq_digest::{Digest, Execution, Facet, GroupKey, Limit};

/// Up to this number, origins (combinations of user, host and so on) are searched linearly (`FEW` in src/origins.rs).
const FEW: usize = 8;
/// Maximum number of origins (combinations of user, host and so on) in a group (src/group_facets.rs).
const MAX_ORIGINS_OF_A_GROUP: usize = 64;
/// Maximum number of origins in a digest (src/origins.rs).
const MAX_ORIGINS: usize = 512;

/// Returns an execution for each name. The name is the host of the execution, and the users are the first three names
/// in turn. The first 20 executions appear a second time at the end.
fn executions(names: &[String]) -> Vec<Execution<'_>> {
    let host = |index: usize| names[index].as_bytes();
    let user = |index: usize| names[index % 3].as_bytes();
    let execution = |index| Execution {
        user: user(index),
        host: host(index),
        duration: Some(1 + index as u64),
        time: Some((index as i64 * 1_000_000, b"")),
        ..Execution::default()
    };
    (0..names.len()).chain(0..names.len().min(20)).map(execution).collect()
}

#[test]
fn totals_by_name_do_not_depend_on_the_order() {
    [3, FEW + 1, MAX_ORIGINS_OF_A_GROUP + 1, 2 * MAX_ORIGINS].into_iter().for_each(check_origins);
}

fn check_origins(origins: usize) {
    let names: Vec<String> = (0..origins).map(|index| format!("n{:04}", index * 37 % 1024)).collect();
    let executions = executions(&names);
    let add_all = |executions: &[Execution<'_>]| {
        let mut digest = Digest::new(Limit::Bytes(1 << 30));
        executions.iter().for_each(|execution| digest.add(&GroupKey::Query(1), execution));
        digest
    };
    let mut whole = add_all(&executions);
    whole.finish();
    let totals = whole.groups[&1].facets.totals();
    assert_eq!(totals.get(Facet::User).iter().count(), 3);
    assert_eq!(totals.get(Facet::Host).iter().count(), origins);
    let of_users: u64 = totals.get(Facet::User).iter().map(|(_, kept)| kept.sum.calls).sum();
    assert_eq!(of_users, executions.len() as u64);
    for cut in [1, 5, 600.min(origins)] {
        let mut merged = add_all(&executions[cut..]);
        merged.merge(add_all(&executions[..cut]));
        merged.finish();
        assert_eq!(merged.groups[&1].facets.totals(), totals);
        assert_eq!(merged.facets, whole.facets);
    }
}
