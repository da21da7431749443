-- reason: The marks of sqlfluff and others.
-- noqa: disable=all
select    1;
-- noqa: enable=all
select  2;
-- fmt: off
select    3;
================
-- noqa: disable=all
select    1;
-- noqa: enable=all
select 2;
-- fmt: off
select    3;
