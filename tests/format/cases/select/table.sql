-- reason: TABLE is on one line.
table   foo;
================
table foo;
