SELECT a OPERATOR(b.c.+) d
ALTER OPERATOR a.b.+ (int, int) OWNER TO c
