-- reason: There is no space between the dot and the star.
select t . *, count( * ) from t;
================
select t.*, count(*) from t;
