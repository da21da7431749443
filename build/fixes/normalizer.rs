//! Fixes for libpg_query's normalizer, in src/pg_query_normalize.c. pgq has its own normalizer, and
//! tests compare its results with the results of libpg_query's fixed normalizer.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[Fix {
    name: "group-by-list",
    why: "the normalizer frees the list of result columns together with its last member, and reads the list afterwards",
    edits: &[Edit::Put {
        of: "const_record_walker",
        times: 1,
        anchor: "foreach_delete_current(fp_and_param_refs_list, lc2);",
        with: "fp_and_param_refs_list = foreach_delete_current(fp_and_param_refs_list, lc2);",
    }],
}];
