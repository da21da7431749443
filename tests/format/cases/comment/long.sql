-- reason: A long comment breaks nothing.
select a, b from t; -- a comment that is much longer than a line should be but has nowhere else to go to
================
select a, b from t; -- a comment that is much longer than a line should be but has nowhere else to go to
