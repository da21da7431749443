-- reason: Extensions and schemas.
create extension if not exists "uuid-ossp" with schema extensions; create schema if not exists s authorization joe;
================
create extension if not exists "uuid-ossp" with schema extensions;
create schema if not exists s authorization joe;
