GRANT a TO b WITH "other" TRUE, inherit FALSE
REVOKE other OPTION FOR a FROM b
