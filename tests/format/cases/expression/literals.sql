-- reason: Literals are unchanged.
select 'it''s', e'a\n', $$dollar$$, $x$ $$ $x$, b'01', x'1f', n'national', u&'\0041', 1.5e3, 0x1F, 1_000, interval '1' day, date '2020-01-01';
================
select
    'it''s',
    e'a\n',
    $$dollar$$,
    $x$ $$ $x$,
    b'01',
    x'1f',
    n'national',
    u&'\0041',
    1.5e3,
    0x1F,
    1_000,
    interval '1' day,
    date '2020-01-01';
