SELECT 't'::pg_catalog.bool, 'f'::boolean
