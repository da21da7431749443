-- reason: Roles.
create role app with login password 'x' connection limit 5 valid until '2030-01-01' in role readers, writers nosuperuser inherit;
================
create role app with
    login
    password 'x'
    connection limit 5
    valid until '2030-01-01'
    in role readers, writers
    nosuperuser
    inherit;
