//! C code that writes to standard output or standard error, which are not its own: a program's output, or another
//! file after the descriptors were closed.

use super::{Edit, Fix};

/// Of printf and its kin, src/postgres/src_port_snprintf.c, through which all of PostgreSQL's code prints.
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
