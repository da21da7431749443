CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1$'
DO 'a $$ b $outer$ c'
DO 'x$'
