//! What is wrong in src/pg_query_normalize.c. The Protobuf path calls it, and so does what holds
//! pgq's own normalizing against it.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[Fix {
    name: "group-by-list",
    why: "the list of result columns is read after its last member, and with it the list, was freed",
    edits: &[Edit::Put {
        of: "const_record_walker",
        times: 1,
        anchor: "foreach_delete_current(fp_and_param_refs_list, lc2);",
        with: "fp_and_param_refs_list = foreach_delete_current(fp_and_param_refs_list, lc2);",
    }],
}];
