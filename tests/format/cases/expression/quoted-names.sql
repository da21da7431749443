-- reason: Quoted names are unchanged.
select "A b"."C", "select" from "From";
================
select "A b"."C", "select" from "From";
