CREATE TABLE t (a int) USING heap WITH (b = 1)
CREATE TABLE t (a int) USING heap TABLESPACE s
