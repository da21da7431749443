-- reason: Scripts of extensions.
\echo Use "CREATE EXTENSION x" to load this file. \quit
create function f() returns int as 'MODULE_PATHNAME' language c;
================
\echo Use "CREATE EXTENSION x" to load this file. \quit
create function f() returns int as 'MODULE_PATHNAME' language c;
