-- reason: Rows that do not fit are a line each.
values (1, 'the first row'), (2, 'the second row'), (3, 'the third row'), (4, 'the fourth row');
================
values
    (1, 'the first row'),
    (2, 'the second row'),
    (3, 'the third row'),
    (4, 'the fourth row');
