-- reason: Labels of an enum fill their lines.
create type country as enum ('Argentina', 'Australia', 'Austria', 'Belgium', 'Brazil', 'Canada', 'Chile', 'China');
================
create type country as enum (
    'Argentina', 'Australia', 'Austria', 'Belgium', 'Brazil', 'Canada', 'Chile', 'China'
);
