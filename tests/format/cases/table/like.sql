-- reason: LIKE and OF.
create table t (like u including all, a int); create table v of some_type (primary key (a));
================
create table t (
    like u including all,
    a int
);
create table v of some_type (primary key (a));
