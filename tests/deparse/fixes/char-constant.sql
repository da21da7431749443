SELECT 1::pg_catalog.bpchar
SELECT NULL::pg_catalog.bpchar
SELECT '{a}'::pg_catalog.bpchar[]
