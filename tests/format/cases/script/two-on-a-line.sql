-- reason: Two statements are two lines.
select 1; select 2;
================
select 1;
select 2;
