//! Fixes for PL/pgSQL's compiler. Some fixes improve its running time or its JSON. The other fixes make it accept valid
//! functions that it rejects because it has no system catalog. For example, only the catalog shows whether a type that
//! is not built in is a record or a scalar.

use super::{Edit, Fix};

/// Fixes of name lookup, in src/postgres/src_pl_plpgsql_src_pl_funcs.c.
pub const OF_NAMES: &[Fix] = &[
    Fix {
        name: "plpgsql-many-variables",
        why: "the PL/pgSQL compiler compares each name or label in a function with every variable or label of the \
              function. Therefore the time grows with the square of the function's length",
        edits: &[
            Edit::Outside {
                anchor: "static __thread PLpgSQL_nsitem *ns_top = NULL;\n",
                with: "static __thread PLpgSQL_nsitem *ns_top = NULL;\n\n\
                   /* The number of names compared in this function, and its limit. */\n\
                   #define MOST_COMPARED 20000000\n\
                   static __thread int compared = 0;\n\n\
                   static pg_noinline void\n\
                   too_many_variables(void)\n\
                   {\n\
                   \tereport(ERROR,\n\
                   \t\t\t(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),\n\
                   \t\t\t errmsg(\"the function has too many variables or labels to be compiled in reasonable time\")));\n\
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
            Edit::Put {
                of: "plpgsql_ns_lookup_label",
                times: 1,
                anchor: "\t{\n\t\tif (ns_cur->itemtype",
                with: "\t{\n\t\tif (++compared > MOST_COMPARED)\n\t\t\ttoo_many_variables();\n\t\tif (ns_cur->itemtype",
            },
            Edit::Put {
                of: "plpgsql_ns_find_nearest_loop",
                times: 1,
                anchor: "\t{\n\t\tif (ns_cur->itemtype",
                with: "\t{\n\t\tif (++compared > MOST_COMPARED)\n\t\t\ttoo_many_variables();\n\t\tif (ns_cur->itemtype",
            },
        ],
    },
    Fix {
        name: "plpgsql-fields-of-rows",
        why: "the PL/pgSQL compiler refuses a field r.a if r is declared as t%ROWTYPE or t.c%TYPE, because the \
              compiler does not treat r as a record",
        edits: &[
            Edit::Outside {
                anchor: "PLpgSQL_nsitem *\nplpgsql_ns_lookup(",
                with: "/* Whether it is not a record. The types of t%ROWTYPE and t.c%TYPE are unknown. */\n\
                   static bool\n\
                   is_scalar(const PLpgSQL_nsitem *item)\n\
                   {\n\
                   \tPLpgSQL_datum *datum;\n\n\
                   \tif (item->itemtype != PLPGSQL_NSTYPE_VAR)\n\
                   \t\treturn false;\n\
                   \tdatum = plpgsql_Datums[item->itemno];\n\
                   \treturn datum->dtype != PLPGSQL_DTYPE_VAR ||\n\
                   \t\t((PLpgSQL_var *) datum)->datatype == NULL ||\n\
                   \t\tOidIsValid(((PLpgSQL_var *) datum)->datatype->typoid);\n\
                   }\n\n\
                   PLpgSQL_nsitem *\nplpgsql_ns_lookup(",
            },
            Edit::Put {
                of: "plpgsql_ns_lookup",
                times: 2,
                anchor: "nsitem->itemtype != PLPGSQL_NSTYPE_VAR)",
                with: "!is_scalar(nsitem))",
            },
        ],
    },
];

/// Fixes of the compiler, in src/postgres/src_pl_plpgsql_src_pl_comp.c.
pub const OF_COMPILER: &[Fix] = &[
    Fix {
        name: "plpgsql-many-fields",
        why: "the PL/pgSQL compiler compares each field of a record with all earlier fields. Therefore the time grows \
              with the square of the number of fields",
        edits: &[
            Edit::Put {
                of: "plpgsql_build_recfield",
                times: 1,
                anchor: "\tint\t\t\ti;\n",
                with: "\tint\t\t\ti;\n\tint\t\t\tcount = 0;\n",
            },
            Edit::Put {
                of: "plpgsql_build_recfield",
                times: 1,
                anchor: "\t\ti = fld->nextfield;\n",
                with: "\t\ti = fld->nextfield;\n\
                   \t\tif (++count == MaxTupleAttributeNumber)\n\
                   \t\t\tereport(ERROR,\n\
                   \t\t\t\t\t(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),\n\
                   \t\t\t\t\t errmsg(\"a record has more than %d fields\", MaxTupleAttributeNumber)));\n",
            },
        ],
    },
    Fix {
        name: "plpgsql-subfields-of-rows",
        why: "the PL/pgSQL compiler refuses a field r.a.b if r is declared as t%ROWTYPE, because the compiler does \
              not treat r as a record",
        edits: &[Edit::Put {
            of: "plpgsql_parse_tripword",
            times: 1,
            anchor: "\t\t\t\tcase PLPGSQL_NSTYPE_REC:\n",
            with: "\t\t\t\tcase PLPGSQL_NSTYPE_VAR:\n\
                   \t\t\t\t\twdatum->datum = plpgsql_Datums[ns->itemno];\n\
                   \t\t\t\t\twdatum->ident = NULL;\n\
                   \t\t\t\t\twdatum->quoted = false;\n\
                   \t\t\t\t\twdatum->idents = list_make3(makeString(word1), makeString(word2), makeString(word3));\n\
                   \t\t\t\t\treturn true;\n\n\
                   \t\t\t\tcase PLPGSQL_NSTYPE_REC:\n",
        }],
    },
    Fix {
        name: "plpgsql-unknown-arrays",
        why: "if the type of an array is unknown (typ[], t.c%TYPE[]), the PL/pgSQL compiler assigns a pseudo-type or no \
              type to it, and then refuses the function",
        edits: &[
            Edit::Put {
                of: "build_datatype",
                times: 1,
                anchor: "if (typ->typoid == RECORDOID)\n\t\t\t\ttyp->ttype = PLPGSQL_TTYPE_REC;\n",
                with: "if (typ->typoid == RECORDOID)\n\t\t\t\ttyp->ttype = PLPGSQL_TTYPE_REC;\n\
                       \t\t\telse if (typ->typoid == RECORDARRAYOID)\n\t\t\t\ttyp->ttype = PLPGSQL_TTYPE_SCALAR;\n",
            },
            Edit::Put {
                of: "build_datatype",
                times: 1,
                anchor: "typ->origtypname = NULL;",
                with: "typ->origtypname = typ->typoid == RECORDOID ? origtypname : NULL;",
            },
            Edit::Put {
                of: "plpgsql_build_datatype_arrayof",
                times: 1,
                anchor: "if (dtype->typisarray)",
                with: "if (dtype->typisarray || !OidIsValid(dtype->typoid))",
            },
            Edit::Put {
                of: "plpgsql_compile_callback",
                times: 1,
                anchor: "rettypeid == RECORDOID)",
                with: "rettypeid == RECORDOID ||\n\t\t\t\t\trettypeid == RECORDARRAYOID)",
            },
        ],
    },
];

/// Fixes of PL/pgSQL's grammar, in src/postgres/src_pl_plpgsql_src_pl_gram.c.
pub const OF_GRAMMAR: &[Fix] = &[
    Fix {
        name: "plpgsql-many-conditions",
        why: "to append a condition to an exception handler, the PL/pgSQL parser walks over all earlier conditions of \
              the handler. Therefore the time grows with the square of the number of conditions",
        edits: &[Edit::Outside {
            anchor: "for (old = (yyvsp[(1) - (3)].condition); old->next != NULL; old = old->next)\n\
                 \t\t\t\t\t\t\t\t/* skip */ ;\n",
            with: "int count = 0;\n\n\
                 \t\t\t\t\t\t\tfor (old = (yyvsp[(1) - (3)].condition); old->next != NULL; old = old->next)\n\
                 \t\t\t\t\t\t\t\tif (++count == 1000) /* PostgreSQL has 250 names of conditions */\n\
                 \t\t\t\t\t\t\t\t\tereport(ERROR,\n\
                 \t\t\t\t\t\t\t\t\t\t\t(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),\n\
                 \t\t\t\t\t\t\t\t\t\t\t errmsg(\"an exception handler has more than 1000 conditions\")));\n",
        }],
    },
    Fix {
        name: "plpgsql-unknown-scalars",
        why: "the PL/pgSQL parser refuses a variable of an unknown type as a member of an INTO list, although the \
              type may be a scalar",
        edits: &[
            Edit::Outside {
                anchor: "static\tPLpgSQL_type\t*parse_datatype(const char *string, int location, yyscan_t yyscanner);\n",
                with: "static\tPLpgSQL_type\t*parse_datatype(const char *string, int location, yyscan_t yyscanner);\n\n\
                   /* Whether it is certainly a record, and not of an unknown type. */\n\
                   static bool\n\
                   is_record(const PLpgSQL_datum *datum)\n\
                   {\n\
                   \tPLpgSQL_type *type;\n\n\
                   \tif (datum->dtype != PLPGSQL_DTYPE_REC)\n\
                   \t\treturn false;\n\
                   \ttype = ((const PLpgSQL_rec *) datum)->datatype;\n\
                   \tif (type == NULL || type->typoid != RECORDOID)\n\
                   \t\treturn true;\n\
                   \treturn type->origtypname != NULL &&\n\
                   \t\tstrcmp(strVal(llast(type->origtypname->names)), \"record\") == 0;\n\
                   }\n\n\
                   /* Whether it is a record, and no comma after it makes it the first of a list of scalars. */\n\
                   #define is_single_record(datum) \\\n\
                   \t((datum)->dtype == PLPGSQL_DTYPE_REC && (is_record(datum) || plpgsql_peek(yyscanner) != ','))\n",
            },
            Edit::Outside {
                anchor: "(yyvsp[(1) - (1)].wdatum).datum->dtype == PLPGSQL_DTYPE_REC ||\n\t\t\t\t\t\t\tplpgsql_peek",
                with: "is_record((yyvsp[(1) - (1)].wdatum).datum) ||\n\t\t\t\t\t\t\tplpgsql_peek",
            },
            Edit::Outside {
                anchor: "(yyvsp[(1) - (1)].wdatum).datum->dtype == PLPGSQL_DTYPE_REC)",
                with: "is_single_record((yyvsp[(1) - (1)].wdatum).datum))",
            },
            Edit::Put {
                of: "read_into_target",
                times: 1,
                anchor: "yylvalp->wdatum.datum->dtype == PLPGSQL_DTYPE_REC)",
                with: "is_single_record(yylvalp->wdatum.datum))",
            },
            Edit::Put {
                of: "read_into_scalar_list",
                times: 1,
                anchor: "yylvalp->wdatum.datum->dtype == PLPGSQL_DTYPE_REC)",
                with: "is_record(yylvalp->wdatum.datum))",
            },
        ],
    },
    Fix {
        name: "plpgsql-unknown-collations",
        why: "the PL/pgSQL parser refuses COLLATE after an unknown type, although the type may have a collation",
        edits: &[Edit::Outside {
            anchor: "if (!OidIsValid((yyvsp[(3) - (6)].dtype)->collation))",
            with: "if (OidIsValid((yyvsp[(3) - (6)].dtype)->typoid) &&\n\
                   \t\t\t\t\t\t\t\t(yyvsp[(3) - (6)].dtype)->typoid != RECORDOID &&\n\
                   \t\t\t\t\t\t\t\t(yyvsp[(3) - (6)].dtype)->typoid != RECORDARRAYOID &&\n\
                   \t\t\t\t\t\t\t\t!OidIsValid((yyvsp[(3) - (6)].dtype)->collation))",
        }],
    },
];

/// Fixes of PL/pgSQL's scanner, in src/postgres/src_pl_plpgsql_src_pl_scanner.c.
pub const OF_SCANNER: &[Fix] = &[Fix {
    name: "plpgsql-many-lines",
    why: "for each statement that contains other statements, such as a block, the PL/pgSQL scanner counts the lines \
          from the start of the body, to find the line number. Therefore the time grows with the square of the body's \
          length",
    edits: &[
        Edit::Outside {
            anchor: "\tconst char *cur_line_start;\n\tconst char *cur_line_end;\n",
            with: "\tint\t\t   *line_starts;\t/* offsets */\n\tint\t\t\tline_count;\n",
        },
        Edit::Body {
            of: "plpgsql_location_to_lineno",
            with: "\n\tint low = 0;\n\tint high = yyextra->line_count;\n\n\
                   \tif (location < 0 || yyextra->scanorig == NULL)\n\
                   \t\treturn 0;\n\
                   \twhile (high - low > 1)\n\
                   \t{\n\
                   \t\tint middle = low + (high - low) / 2;\n\n\
                   \t\tif (yyextra->line_starts[middle] <= location)\n\
                   \t\t\tlow = middle;\n\
                   \t\telse\n\
                   \t\t\thigh = middle;\n\
                   \t}\n\
                   \tyyextra->cur_line_num = low + 1;\n\
                   \treturn yyextra->cur_line_num;\n",
        },
        Edit::Body {
            of: "location_lineno_init",
            with: "\n\tint size = 64;\n\tconst char *end = yyextra->scanorig;\n\n\
                   \tyyextra->cur_line_num = 1;\n\
                   \tyyextra->line_starts = palloc(size * sizeof(int));\n\
                   \tyyextra->line_starts[0] = 0;\n\
                   \tyyextra->line_count = 1;\n\
                   \twhile ((end = strchr(end, '\\n')) != NULL)\n\
                   \t{\n\
                   \t\tif (yyextra->line_count == size)\n\
                   \t\t{\n\
                   \t\t\tsize *= 2;\n\
                   \t\t\tyyextra->line_starts = repalloc(yyextra->line_starts, size * sizeof(int));\n\
                   \t\t}\n\
                   \t\tend++;\n\
                   \t\tyyextra->line_starts[yyextra->line_count++] = end - yyextra->scanorig;\n\
                   \t}\n",
        },
    ],
}];

/// Fixes of schema names, in src/postgres/src_backend_catalog_namespace.c.
pub const OF_SCHEMAS: &[Fix] = &[Fix {
    name: "plpgsql-types-in-schemas",
    why: "the PL/pgSQL compiler refuses a type in a schema other than public and pg_catalog",
    edits: &[Edit::Put {
        of: "LookupExplicitNamespace",
        times: 1,
        anchor: "    elog(ERROR, \"Not implemented (LookupExplicitNamespace only supports pg_catalog and public)\");\n",
        with: "    /* Types of this schema are unknown, like those of public. */\n    return PG_PUBLIC_NAMESPACE;\n",
    }],
}];

/// Fixes of type names, in src/postgres/src_backend_parser_parse_type.c.
pub const OF_TYPES: &[Fix] = &[Fix {
    name: "plpgsql-parameters-of-columns",
    why: "the PL/pgSQL compiler refuses a parameter or result whose type is that of a column (t.c%TYPE)",
    edits: &[Edit::Put {
        of: "LookupTypeNameExtended",
        times: 1,
        anchor: "        elog(ERROR, \"Not implemented\");\n",
        with: "        typoid = typeName->arrayBounds != NIL ? RECORDARRAYOID : RECORDOID;\n",
    }],
}];

/// Fixes of the lookup of types in the system catalog, in src/postgres/src_backend_utils_cache_lsyscache.c.
pub const OF_CATALOG: &[Fix] = &[Fix {
    name: "plpgsql-variadic",
    why: "the PL/pgSQL compiler treats no type as an array. Therefore it refuses every VARIADIC parameter",
    edits: &[Edit::Put {
        of: "get_element_type",
        times: 1,
        anchor: "if (IsTrueArrayType(typtup))\n\t\t\tresult = typtup->typelem;",
        with: "if (typtup->typcategory == TYPCATEGORY_ARRAY || typid == RECORDOID || typid == RECORDARRAYOID)\n\
               \t\t\tresult = ANYELEMENTOID;\t/* no caller uses the exact type */",
    }],
}];

/// Fixes of the JSON, in src/pg_query_json_plpgsql.c.
pub const OF_JSON: &[Fix] = &[
    Fix {
        name: "plpgsql-trigger-json",
        why: "the JSON that libpg_query writes for a trigger function has unbalanced braces. The cause is variables \
              such as tg_op, which every trigger function has",
        edits: &[
            Edit::Put {
                of: "dump_function",
                times: 1,
                anchor: "\t\t\tcase PLPGSQL_DTYPE_VAR:\n",
                with: "\t\t\tcase PLPGSQL_DTYPE_VAR:\n\t\t\tcase PLPGSQL_DTYPE_PROMISE:\n",
            },
            Edit::Put {
                of: "dump_variable",
                times: 1,
                anchor: "\t\tcase PLPGSQL_DTYPE_VAR:\n",
                with: "\t\tcase PLPGSQL_DTYPE_VAR:\n\t\tcase PLPGSQL_DTYPE_PROMISE:\n",
            },
        ],
    },
    Fix {
        name: "plpgsql-returned-variable",
        why: "in the JSON of `RETURN x` and `RETURN NEXT x`, libpg_query leaves out the name of the variable. \
              Therefore `RETURN x` and `RETURN y` have the same JSON",
        edits: &[
            Edit::Put {
                of: "dump_return",
                times: 1,
                anchor: "\t//WRITE_INT_FIELD(retvarno);\n",
                with: "\tif (node->retvarno >= 0)\n\t\tappendStringInfo(out, \"\\\"retvarno\\\":%d,\", node->retvarno);\n",
            },
            Edit::Put {
                of: "dump_return_next",
                times: 1,
                anchor: "\t//WRITE_INT_FIELD(retvarno);\n",
                with: "\tif (node->retvarno >= 0)\n\t\tappendStringInfo(out, \"\\\"retvarno\\\":%d,\", node->retvarno);\n",
            },
        ],
    },
];
