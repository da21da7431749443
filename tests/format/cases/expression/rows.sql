-- reason: ROW is formatted like a function call.
select row(1,2), (1,2) = (3,4), (a,b) in ((1,2),(3,4)), row();
================
select row(1, 2), (1, 2) = (3, 4), (a, b) in ((1, 2), (3, 4)), row();
