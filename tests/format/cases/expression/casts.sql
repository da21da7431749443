-- reason: There are no spaces around `::`.
select a :: int, '1' :: numeric ( 10 , 2 ) [], cast( a as text ), x::timestamp with time zone;
================
select a::int, '1'::numeric(10, 2)[], cast(a as text), x::timestamp with time zone;
