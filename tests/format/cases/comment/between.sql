-- reason: Comments between statements are unchanged.
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
