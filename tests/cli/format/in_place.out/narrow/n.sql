SELECT
    aaaaaaaaaa,
    bbbbbbbbbb,
    cccccccccc
FROM t;
