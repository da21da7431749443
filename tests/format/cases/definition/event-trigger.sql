-- reason: Event triggers.
create event trigger t on ddl_command_end when tag in ('CREATE TABLE', 'ALTER TABLE') execute function f();
================
create event trigger t
    on ddl_command_end
    when tag in ('CREATE TABLE', 'ALTER TABLE')
    execute function f();
