CREATE FUNCTION f("a b" int, "select" text) RETURNS int LANGUAGE sql AS ''
CREATE FUNCTION g() RETURNS TABLE ("A" int) LANGUAGE sql AS ''
