CREATE AGGREGATE a ("cost" = 1, sfunc = f)
