-- Makes the role pgq_replay, with which `pgq replay` runs statements that read. Execute this as a superuser in each
-- database of the target that is replayed. It takes rights from PUBLIC, too: other users may miss them.
-- Then set a password (\password pgq_replay), and replay with --user-map '*=pgq_replay'.
DO $pgq$
DECLARE
    -- Types are looked up before search_path is set.
    why pg_catalog.text;
    fix pg_catalog.text;
BEGIN
    SET LOCAL search_path = pg_catalog, pg_temp;
    SET LOCAL jit = off;
    SET LOCAL client_min_messages = warning;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'pgq_replay') THEN
        CREATE ROLE pgq_replay LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO pgq_replay', current_database());
    FOR fix IN SELECT nspname FROM pg_namespace WHERE NOT starts_with(nspname, 'pg_') AND nspname <> 'information_schema' LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO pgq_replay', fix);
        EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO pgq_replay', fix);
        EXECUTE format('GRANT SELECT ON ALL SEQUENCES IN SCHEMA %I TO pgq_replay', fix);
    END LOOP;
    -- The second round warns of the rights that the first one could not revoke: those that other roles granted, and those
    -- of roles of which pgq_replay is a member.
    FOR round IN 1..2 LOOP
    FOR why, fix IN EXECUTE replace($reach$SELECT reason, remedy FROM (
{reach}
    ) AS reach$reach$, '{parameters}', CASE WHEN to_regclass('pg_parameter_acl') IS NULL THEN '' ELSE $acl${acl}$acl$ END)
    LOOP
        IF round = 1 THEN
            CONTINUE WHEN fix IS NULL;
            BEGIN
                EXECUTE fix;
            EXCEPTION WHEN OTHERS THEN -- the second round warns
            END;
        ELSE
            RAISE WARNING 'pgq replay needs --writes in database %: %', current_database(),
                why || CASE WHEN fix IS NULL THEN '' ELSE ' (revoke it as the role that granted it, or revoke the memberships of pgq_replay)' END;
        END IF;
    END LOOP;
    END LOOP;
    -- Statements of the log could end sessions of their own role.
    REVOKE EXECUTE ON FUNCTION pg_terminate_backend, pg_cancel_backend FROM PUBLIC, pgq_replay;
END
$pgq$;
