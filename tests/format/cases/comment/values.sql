-- reason: Comments of rows.
insert into t values
(1, 'a'), -- first
-- second
(2, 'b');
================
insert into t values
    (1, 'a'), -- first
    -- second
    (
        2, 'b'
    );
