-- reason: A domain.
create domain email as citext not null check (value ~ '^[a-zA-Z0-9.!#$%&]+@[a-zA-Z0-9-]+$' and length(value) < 320);
================
create domain email as citext
    not null
    check (value ~ '^[a-zA-Z0-9.!#$%&]+@[a-zA-Z0-9-]+$' and length(value) < 320);
