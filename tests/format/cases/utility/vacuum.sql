-- reason: VACUUM and ANALYZE.
vacuum (full,verbose) t(a,b); analyze t; reindex table concurrently t; cluster t using i;
================
vacuum (full, verbose) t (a, b);
analyze t;
reindex table concurrently t;
cluster t using i;
