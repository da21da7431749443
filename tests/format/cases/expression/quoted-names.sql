-- reason: Quoted names are as they were.
select "A b"."C", "select" from "From";
================
select "A b"."C", "select" from "From";
