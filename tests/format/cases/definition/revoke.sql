-- reason: REVOKE and default privileges.
revoke all on schema public from public; alter default privileges for role app in schema public grant select on tables to reporting_user, other_reporting_user;
================
revoke all on schema public from public;
alter default privileges
    for role app in schema public
    grant select on tables to reporting_user, other_reporting_user;
