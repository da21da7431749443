//! Fixes for C code that writes to standard output or standard error. The program may have closed these streams, and
//! their file descriptors may now belong to other files.

use super::{Edit, Fix};

/// Fixes of printf and related functions, in src/postgres/src_port_snprintf.c. PostgreSQL's code prints only with these
/// functions.
pub const OF_PRINTF: &[Fix] = &[Fix {
    name: "no-output",
    why: "for #option dump in PL/pgSQL, libpg_query writes to the program's standard output. If it lacks memory, it \
          writes to standard error",
    edits: &[Edit::Put {
        of: "flushbuffer",
        times: 1,
        anchor: "written = fwrite(target->bufstart, 1, nc, target->stream);",
        with: "written = nc;",
    }],
}];
