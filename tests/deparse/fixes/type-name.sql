SELECT a::pg_catalog.bpchar
SELECT a::numeric(b + 1, c)
SELECT a::pg_catalog."Zz y", b::pg_catalog.int4(5), c::pg_catalog.real
SELECT a::pg_catalog.interval(5), b::pg_catalog.timestamptz(c)
CREATE FUNCTION f() RETURNS pg_catalog.int4%TYPE LANGUAGE sql AS 'x'
