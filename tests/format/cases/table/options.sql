-- reason: Options behind the columns are on its last line, if they fit.
create unlogged table if not exists t (a int) inherits (b) partition by range (a) with (fillfactor=70) tablespace x;
================
create unlogged table if not exists t (
    a int
) inherits (b) partition by range (a) with (fillfactor = 70) tablespace x;
