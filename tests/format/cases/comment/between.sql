-- reason: Comments between statements are as they were.
-- header



/* block
   comment */
select 1;
  -- indented
select 2;   -- behind

select 3;
================
-- header

/* block
   comment */
select 1;
-- indented
select 2; -- behind

select 3;
