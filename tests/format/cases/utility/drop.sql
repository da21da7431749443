-- reason: DROP.
drop table if exists a , b cascade; drop function f(int,text); drop index concurrently i;
================
drop table if exists a, b cascade;
drop function f(int, text);
drop index concurrently i;
