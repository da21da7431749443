-- Lists what a role can reach besides reading tables: a reason, and a statement that takes the right away. If there is
-- no such statement, the reason says what to do.
-- Runs with search_path = pg_catalog, pg_temp. Otherwise a temporary table could replace a catalog.
-- This file must contain no backslash, because a backslash starts an escape if standard_conforming_strings is off.
-- {role} is the role's name as an expression. {parameters} is the rights on parameters, which version 15 introduced.
WITH reach AS (
    -- The role, and the roles that it can become.
    SELECT other.*
    FROM pg_roles AS self JOIN pg_roles AS other
        ON other.oid = self.oid OR (NOT self.rolsuper AND pg_has_role(self.oid, other.oid, 'MEMBER'))
    WHERE self.rolname = {role}
), rights (kind, name, acl) AS (
    SELECT 'FOREIGN DATA WRAPPER', quote_ident(fdwname), fdwacl FROM pg_foreign_data_wrapper
    UNION ALL
    SELECT 'FOREIGN SERVER', quote_ident(srvname), srvacl FROM pg_foreign_server
    UNION ALL
    SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass::text, relacl
    FROM pg_class WHERE oid <> 'pg_settings'::regclass -- UPDATE of this view only executes set_config.
    UNION ALL
    SELECT 'TABLE', attrelid::regclass::text, attacl FROM pg_attribute WHERE attacl IS NOT NULL
    {parameters}
), languages AS (
    -- A superuser may have marked any language as trusted, so only these names count.
    SELECT oid, lanname, lanpltrusted, lanpltrusted AND lanname IN (
        'java', 'pllua', 'plperl', 'plpgsql', 'plrust', 'pltcl', 'plv8', 'sql') AS is_trusted
    FROM pg_language
), unsafe (function, name) AS (
    SELECT pg_proc.oid, format('%s, a function%s in %s', pg_proc.oid::regprocedure,
        CASE WHEN prosecdef THEN ' with the rights of ' || quote_ident(pg_get_userbyid(proowner)) END, lanname)
    FROM pg_proc JOIN languages ON languages.oid = prolang
    WHERE prosecdef OR (
        -- Functions in languages that are not trusted. Exceptions: aggregates, functions that initdb created (in the
        -- languages 12 and 13, which are internal and C), functions of range types, and functions of extensions that
        -- only compute. Functions that were created in single-user
        -- mode also have OIDs below 16384, but are in another schema or in an extension.
        NOT is_trusted AND prokind <> 'a' AND (
            pg_proc.oid >= 16384 OR prolang NOT IN (12, 13) OR pronamespace <> 'pg_catalog'::regnamespace OR EXISTS (
                SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
        ) AND NOT EXISTS (
            SELECT FROM pg_depend LEFT JOIN pg_extension
                ON refclassid = 'pg_extension'::regclass AND pg_extension.oid = refobjid
            WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid
                AND (deptype = 'i' OR (deptype = 'e' AND extname IN (
                    'bloom', 'btree_gin', 'btree_gist', 'citext', 'cube', 'dict_int', 'dict_xsyn', 'earthdistance',
                    'fuzzystrmatch', 'hstore', 'intarray', 'isn', 'ltree', 'pg_stat_statements', 'pg_trgm', 'pgcrypto',
                    'plpgsql', 'postgis', 'seg', 'tablefunc', 'tsm_system_rows', 'tsm_system_time', 'unaccent', 'uuid-ossp',
                    'vector')))
        )
    ) OR EXISTS (
        -- Functions that initdb lets only the owner execute, or that an extension lets only the owner and predefined
        -- roles execute.
        SELECT FROM pg_init_privs
        WHERE classoid = 'pg_proc'::regclass AND objoid = pg_proc.oid AND objsubid = 0
            AND NOT EXISTS (
                SELECT FROM aclexplode(initprivs)
                -- 10 is the OID of the first superuser. If the owner was changed later, initprivs still contains
                -- the grant of the former owner.
                WHERE grantee = 0 OR (pg_proc.oid < 16384 AND grantee <> 10)
            )
    ) OR (
        -- This function writes messages to logical replication immediately, even if the transaction is rolled back.
        proname = 'pg_logical_emit_message' AND pg_proc.oid < 16384 AND current_setting('wal_level') = 'logical'
    )
), called (function, class, caller) AS (
    -- Functions that PostgreSQL calls without checking EXECUTE. The classes below are excluded: PostgreSQL checks
    -- EXECUTE for their expressions, the role has no right to fire triggers, and only ANALYZE computes statistics.
    SELECT refobjid, classid, objid FROM pg_depend
    WHERE refclassid = 'pg_proc'::regclass AND deptype <> 'p' AND classid NOT IN (
        'pg_amproc'::regclass, 'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_constraint'::regclass,
        'pg_policy'::regclass, 'pg_proc'::regclass, 'pg_rewrite'::regclass, 'pg_statistic_ext'::regclass,
        'pg_trigger'::regclass)
    UNION ALL
    -- Functions that the planner calls for other functions.
    SELECT prosupport, 'pg_proc'::regclass, oid FROM pg_proc WHERE prosupport <> 0
    UNION ALL
    -- pg_depend does not list dependencies on functions that initdb created.
    SELECT oprcode, 'pg_operator'::regclass, oid FROM pg_operator
    UNION ALL
    SELECT amproc, 'pg_opfamily'::regclass, amprocfamily FROM pg_amproc
    UNION ALL
    SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn,
        aggmfinalfn]), 'pg_proc'::regclass, aggfnoid
    FROM pg_aggregate
    UNION ALL
    -- A TABLESAMPLE method is its handler function.
    SELECT oid, 'pg_proc'::regclass, oid FROM pg_proc WHERE prorettype = 'tsm_handler'::regtype
), found (rank, reason, remedy) AS (
    -- Before version 16, a role with CREATEROLE can grant itself any other role.
    SELECT 1, format('role %I is a superuser or has REPLICATION or CREATEROLE', rolname),
        CASE rolname WHEN {role} THEN format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOCREATEROLE', rolname)
            ELSE format('REVOKE %I FROM %I', rolname, {role}) END
    FROM reach WHERE rolsuper OR rolreplication OR rolcreaterole
    UNION ALL
    SELECT 2, format('it can act as role %I', rolname), format('REVOKE %I FROM %I', rolname, {role})
    FROM reach
    WHERE starts_with(rolname, 'pg_') AND rolname NOT IN ('pg_read_all_data', 'pg_read_all_settings', 'pg_read_all_stats',
        'pg_stat_scan_tables', 'pg_monitor')
    UNION ALL
    SELECT 3, format('role %I owns %s (give it another owner)', rolname, pg_describe_object(classid, objid, 0)), NULL
    FROM reach JOIN pg_shdepend ON refclassid = 'pg_authid'::regclass AND refobjid = reach.oid AND deptype = 'o'
    WHERE dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    UNION ALL
    SELECT 4, format('%s is a foreign table, which views and policies can read for any role (drop it)',
        ftrelid::regclass), NULL
    FROM pg_foreign_table
    UNION ALL
    SELECT 5, 'it can execute ' || name,
        format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC, %I', function::regprocedure, {role})
    FROM unsafe
    WHERE EXISTS (SELECT FROM reach WHERE NOT rolsuper AND has_function_privilege(oid, function, 'EXECUTE'))
    UNION ALL
    -- The server lets only superusers write code in the languages that it does not mark as trusted.
    SELECT 5, format('it can write code in the language %I', lanname),
        format('REVOKE USAGE ON LANGUAGE %I FROM PUBLIC, %I', lanname, {role})
    FROM languages
    WHERE lanpltrusted AND NOT is_trusted
        AND EXISTS (SELECT FROM reach WHERE NOT rolsuper AND has_language_privilege(reach.oid, languages.oid, 'USAGE'))
    UNION ALL
    -- Omits the objects of extensions that call functions of extensions, because the extension's author intended these
    -- calls. Anyone who owns an operator family of an extension can add another function to it.
    SELECT 6, format('%s calls %s, for any role (drop it)', pg_describe_object(class, caller, 0), name), NULL
    FROM called JOIN unsafe USING (function)
    WHERE NOT EXISTS (SELECT FROM pg_depend WHERE classid = class AND objid = caller AND deptype = 'e')
        OR NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = function AND deptype = 'e')
    UNION ALL
    -- A rollback does not undo nextval, MAINTAIN, or what a trigger does outside of the database. Before version 16, a
    -- read-only transaction can become writable.
    SELECT 7, format('it has the right %s on %s', privilege_type, name),
        format('REVOKE %s ON %s %s FROM PUBLIC, %I', privilege_type, kind, name, {role})
    FROM rights CROSS JOIN aclexplode(acl)
    WHERE privilege_type <> 'SELECT' AND (grantee = 0 OR grantee IN (SELECT oid FROM reach))
)
SELECT DISTINCT rank, reason, remedy FROM found ORDER BY rank, reason
