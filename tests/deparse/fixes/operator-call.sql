SELECT "operator"(1)
CREATE TYPE t (a = "operator"(1))
