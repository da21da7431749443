-- reason: A comment inside of a line stays there.
select a /* first */, /* second */ b from t /* the table */ where c;
================
select a /* first */ , /* second */ b from t /* the table */ where c;
