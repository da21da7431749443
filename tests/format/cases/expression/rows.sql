-- reason: ROW is a function to the eye.
select row(1,2), (1,2) = (3,4), (a,b) in ((1,2),(3,4)), row();
================
select row(1, 2), (1, 2) = (3, 4), (a, b) in ((1, 2), (3, 4)), row();
