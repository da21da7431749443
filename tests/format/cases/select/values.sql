-- reason: A few short rows are on one line.
values (1,'a'),(2,'b');
================
values (1, 'a'), (2, 'b');
