//! Names of origins.

use pgq_digest::{Digest, Execution, Facet, GroupKey, Limit};

/// Adds two executions to a digest, one by `user` and one by `next`. Returns the number of calls of each distinct user:
/// `[2]` if the names are equal, and `[1, 1]` if they differ. An empty name does not count as a user.
fn calls(user: &[u8], next: &[u8]) -> Vec<u64> {
    let mut digest = Digest::new(Limit::Groups(10));
    for user in [user, next] {
        digest.add(&GroupKey::Query(1), &Execution { user, ..Execution::default() });
    }
    digest.finish();
    digest.facets.get(Facet::User).iter().map(|(_, kept)| kept.sum.totals.calls).collect()
}

#[test]
fn names_that_differ_in_a_byte_are_not_the_same() {
    let name: Vec<u8> = (b'A'..).take(40).collect();
    for len in 1..name.len() {
        assert_eq!(calls(&name[..len], &name.clone()[..len]), [2]);
        assert_eq!(calls(&name[..len], &name[..=len]), [1, 1]);
        for at in 0..len {
            let mut other = name[..len].to_vec();
            other[at] = b'x';
            assert_eq!(calls(&name[..len], &other), [1, 1]);
        }
    }
    assert_eq!(calls(b"", b"A"), [1]);
}
