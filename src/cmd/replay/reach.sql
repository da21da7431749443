-- Lists what a role can reach besides reading tables: a reason, and a statement that takes the right away.
-- Runs with search_path = pg_catalog; {role} is replaced by the role's name as an expression.
WITH RECURSIVE reach (role, is_super) AS (
    -- The role, and the roles that it can become.
    SELECT oid, rolsuper FROM pg_roles WHERE rolname = {role}
    UNION
    SELECT other.oid, other.rolsuper
    FROM reach CROSS JOIN pg_roles AS other
    WHERE NOT is_super AND pg_has_role(role, other.oid, 'MEMBER')
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
    -- CREATEROLE: before version 16 such a role can grant itself any other.
    SELECT 1, format('role %I is a superuser or has REPLICATION or CREATEROLE', rolname),
        format('REVOKE %I FROM %I', rolname, {role})
    FROM reach JOIN pg_roles ON oid = role WHERE rolsuper OR rolreplication OR rolcreaterole
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
    FROM limited JOIN pg_foreign_server ON has_server_privilege(role, oid, 'USAGE') OR srvowner = role
    UNION ALL
    SELECT 4, format('it can read %s, which is or contains a foreign table', relation::regclass),
        format('REVOKE ALL ON TABLE %s FROM PUBLIC, %I', relation::regclass, {role})
    FROM limited JOIN remote ON has_any_column_privilege(role, relation, 'SELECT')
        OR EXISTS (SELECT FROM pg_class WHERE oid = relation AND relowner = role)
    UNION ALL
    SELECT 5, format('it can execute %s%s', pg_proc.oid::regprocedure,
            CASE WHEN prosecdef THEN format(', with the rights of %I', owner.rolname) END),
        format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC, %I', pg_proc.oid::regprocedure, {role})
    FROM limited JOIN pg_proc ON has_function_privilege(role, pg_proc.oid, 'EXECUTE') OR proowner = role
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
        prosecdef AND proowner NOT IN (SELECT role FROM reach)
    ) OR (
        -- It writes messages to logical replication at once, whatever becomes of the transaction.
        proname = 'pg_logical_emit_message' AND pg_proc.oid < 16384 AND current_setting('wal_level') = 'logical'
    )
    UNION ALL
    -- Before version 16, RESET lets a read-only transaction write. A rollback does not undo nextval, also that of an
    -- identity column, or what a trigger does outside of the database.
    SELECT 6, format('it can write to %s (before PostgreSQL 16)', pg_class.oid::regclass),
        format(CASE relkind WHEN 'S' THEN 'REVOKE USAGE, UPDATE ON SEQUENCE %s FROM PUBLIC, %I'
            ELSE 'REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON TABLE %s FROM PUBLIC, %I' END,
            pg_class.oid::regclass, {role})
    FROM limited CROSS JOIN pg_class
    WHERE current_setting('server_version_num')::int < 160000 AND NOT pg_is_in_recovery() AND pg_class.oid >= 16384
        AND CASE WHEN relkind = 'S' THEN relowner = role OR has_sequence_privilege(role, pg_class.oid, 'USAGE, UPDATE')
            WHEN relkind IN ('r', 'p', 'v', 'f') THEN relowner = role
                OR has_table_privilege(role, pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
                OR has_any_column_privilege(role, pg_class.oid, 'INSERT, UPDATE') END
)
SELECT DISTINCT rank, reason, remedy FROM found ORDER BY rank, reason
