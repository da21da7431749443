//! Fixes for PL/pgSQL's names, src/postgres/src_pl_plpgsql_src_pl_funcs.c.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[Fix {
    name: "plpgsql-many-variables",
    why: "each name in a function in PL/pgSQL is compared with every variable: time grows with the square of the text",
    edits: &[
        Edit::Outside {
            anchor: "static __thread PLpgSQL_nsitem *ns_top = NULL;\n",
            with: "static __thread PLpgSQL_nsitem *ns_top = NULL;\n\n\
                   /* Names that were compared in this function, and how many may be: about a second. */\n\
                   #define MOST_COMPARED 200000000\n\
                   static __thread int compared = 0;\n\n\
                   static pg_noinline void\n\
                   too_many_variables(void)\n\
                   {\n\
                   \tereport(ERROR,\n\
                   \t\t\t(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),\n\
                   \t\t\t errmsg(\"the function has too many variables to be compiled in reasonable time\")));\n\
                   }\n",
        },
        Edit::Put {
            of: "plpgsql_ns_init",
            times: 1,
            anchor: "\tns_top = NULL;\n",
            with: "\tns_top = NULL;\n\tcompared = 0;\n",
        },
        Edit::Put {
            of: "plpgsql_ns_lookup",
            times: 1,
            anchor: "\t\t\tif (strcmp(nsitem->name, name1) == 0)\n",
            with: "\t\t\tif (++compared > MOST_COMPARED)\n\t\t\t\ttoo_many_variables();\n\
                   \t\t\tif (strcmp(nsitem->name, name1) == 0)\n",
        },
    ],
}];
