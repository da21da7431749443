-- reason: Foreign tables.
create foreign table films (code char(5) not null, title varchar(40) options (column_name 'x')) server film_server options (schema_name 'a', table_name 'b');
================
create foreign table films (
    code char(5) not null,
    title varchar(40) options (column_name 'x')
) server film_server options (schema_name 'a', table_name 'b');
