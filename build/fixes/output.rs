//! Fixes for C code that writes to standard output or standard error. Both belong to the program. If they were closed,
//! their file descriptors may even belong to other files.

use super::{Edit, Fix};

/// Fixes of printf and related functions, src/postgres/src_port_snprintf.c. All of PostgreSQL's code prints with them.
pub const OF_PRINTF: &[Fix] = &[Fix {
    name: "no-output",
    why: "PL/pgSQL's #option dump writes to standard output, and a lack of memory to standard error",
    edits: &[Edit::Put {
        of: "flushbuffer",
        times: 1,
        anchor: "written = fwrite(target->bufstart, 1, nc, target->stream);",
        with: "written = nc;",
    }],
}];
