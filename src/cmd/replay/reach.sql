-- Lists what a role can reach besides reading tables: a reason, and a statement that takes the right away.
-- Runs with search_path = pg_catalog; {role} is replaced by the role's name as an expression.
WITH RECURSIVE reach (role, is_super) AS (
    -- The role, roles that it can become, and the owners of the functions that it executes with their rights.
    SELECT oid, rolsuper FROM pg_roles WHERE rolname = {role}
    UNION
    SELECT other.oid, other.rolsuper
    FROM reach CROSS JOIN pg_roles AS other
    WHERE NOT is_super AND (pg_has_role(role, other.oid, 'MEMBER') OR NOT other.rolsuper AND EXISTS (
        SELECT FROM pg_proc
        WHERE prosecdef AND proowner = other.oid AND has_function_privilege(role, pg_proc.oid, 'EXECUTE')
    ))
), limited (role) AS (
    SELECT role FROM reach WHERE NOT is_super
), remote (relation) AS (
    -- Foreign tables, what has them as partitions or children, and views over them.
    SELECT ftrelid FROM pg_foreign_table
    UNION
    SELECT above.relation
    FROM remote, LATERAL (
        SELECT inhparent AS relation FROM pg_inherits WHERE inhrelid = remote.relation
        UNION ALL
        SELECT ev_class
        FROM pg_depend JOIN pg_rewrite ON pg_rewrite.oid = objid JOIN pg_class ON pg_class.oid = ev_class
        WHERE classid = 'pg_rewrite'::regclass AND refclassid = 'pg_class'::regclass
            AND refobjid = remote.relation AND relkind = 'v'
    ) AS above
), found (rank, reason, remedy) AS (
    SELECT 1, format('role %I is a superuser or has REPLICATION', rolname), format('REVOKE %I FROM %I', rolname, {role})
    FROM reach JOIN pg_roles ON oid = role WHERE rolsuper OR rolreplication
    UNION ALL
    SELECT 2, format('it can act as role %I', rolname), format('REVOKE %I FROM %I', rolname, {role})
    FROM limited JOIN pg_roles ON oid = role
    WHERE rolname LIKE 'pg\_%' AND rolname NOT IN ('pg_read_all_data', 'pg_write_all_data', 'pg_read_all_settings',
        'pg_read_all_stats', 'pg_stat_scan_tables', 'pg_monitor', 'pg_database_owner')
    UNION ALL
    SELECT 3, format('it can use the foreign-data wrapper %I', fdwname),
        format('REVOKE ALL ON FOREIGN DATA WRAPPER %I FROM PUBLIC, %I', fdwname, {role})
    FROM limited JOIN pg_foreign_data_wrapper ON has_foreign_data_wrapper_privilege(role, oid, 'USAGE')
    UNION ALL
    SELECT 3, format('it can use the foreign server %I', srvname),
        format('REVOKE ALL ON FOREIGN SERVER %I FROM PUBLIC, %I', srvname, {role})
    FROM limited JOIN pg_foreign_server ON has_server_privilege(role, oid, 'USAGE')
    UNION ALL
    SELECT 4, format('it can read %s, which is or contains a foreign table', relation::regclass),
        format('REVOKE ALL ON TABLE %s FROM PUBLIC, %I', relation::regclass, {role})
    FROM limited JOIN remote ON has_any_column_privilege(role, relation, 'SELECT')
    UNION ALL
    SELECT 5, format('it can execute %s%s', pg_proc.oid::regprocedure,
            CASE WHEN prosecdef THEN format(', with the rights of %I', owner.rolname) END),
        format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC, %I', pg_proc.oid::regprocedure, {role})
    FROM limited JOIN pg_proc ON has_function_privilege(role, pg_proc.oid, 'EXECUTE')
        JOIN pg_language ON pg_language.oid = prolang JOIN pg_roles AS owner ON owner.oid = proowner
    WHERE (
        -- Code outside of SQL, which initdb has not brought, unless it is of an extension that only computes.
        NOT lanpltrusted AND pg_proc.oid >= 16384 AND NOT EXISTS (
            SELECT FROM pg_depend JOIN pg_extension ON pg_extension.oid = refobjid
            WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e' AND extname IN (
                'btree_gin', 'btree_gist', 'citext', 'cube', 'dict_int', 'dict_xsyn', 'earthdistance',
                'fuzzystrmatch', 'hstore', 'intarray', 'isn', 'ltree', 'pg_stat_statements', 'pg_trgm', 'pgcrypto',
                'postgis', 'seg', 'tablefunc', 'tsm_system_rows', 'tsm_system_time', 'unaccent', 'uuid-ossp',
                'vector')
        )
    ) OR EXISTS (
        -- What initdb or an extension leaves to the owner alone.
        SELECT FROM pg_init_privs
        WHERE classoid = 'pg_proc'::regclass AND objoid = pg_proc.oid AND objsubid = 0
            AND NOT EXISTS (SELECT FROM aclexplode(initprivs) WHERE grantee <> proowner)
    ) OR (
        prosecdef AND (owner.rolsuper OR owner.rolreplication)
    ) OR (
        -- It writes messages to logical replication at once, whatever becomes of the transaction.
        proname = 'pg_logical_emit_message' AND pg_proc.oid < 16384 AND current_setting('wal_level') = 'logical'
    )
)
SELECT DISTINCT rank, reason, remedy FROM found ORDER BY rank, reason
