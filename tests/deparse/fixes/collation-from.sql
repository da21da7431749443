CREATE COLLATION c (from = d)
