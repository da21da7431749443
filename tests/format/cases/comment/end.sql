-- reason: A comment at the end of a statement.
select 1 -- one
; -- two
-- three
================
select 1 -- one
; -- two
-- three
