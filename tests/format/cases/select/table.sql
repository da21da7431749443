-- reason: TABLE is as short as it is.
table   foo;
================
table foo;
