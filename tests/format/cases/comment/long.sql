-- reason: A long comment does not break the line of its code.
select a, b from t; -- a comment that is much longer than a line should be but has nowhere else to go to
================
select a, b from t; -- a comment that is much longer than a line should be but has nowhere else to go to
