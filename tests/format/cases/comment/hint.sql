-- reason: A comment after the first word.
select /*+ IndexScan(t) */ a from t;
================
select /*+ IndexScan(t) */ a from t;
