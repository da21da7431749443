ALTER TABLE t OF pg_catalog.int4
COMMENT ON CONSTRAINT a ON DOMAIN pg_catalog.bool IS 'x'
