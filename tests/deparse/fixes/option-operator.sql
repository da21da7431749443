CREATE TABLE t (a int) WITH (b = OPERATOR(+), c = <)
