-- reason: a template on lines of its own before a statement is a comment, and keeps its lines
{{ config(
  materialized='table'
) }}

select a,b from {{ ref('x') }} where {{ cond }};
{{ run() }}
select  1;
================
{{ config(
  materialized='table'
) }}

select a, b from {{ ref('x') }} where {{ cond }};
{{ run() }}
select 1;
