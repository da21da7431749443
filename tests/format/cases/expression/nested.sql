-- reason: Nested calls break from the outside in.
select coalesce(nullif(trim(lower(first_name)), ''), nullif(trim(lower(last_name)), ''), nullif(trim(email), ''), 'unknown');
================
select coalesce(
    nullif(trim(lower(first_name)), ''),
    nullif(trim(lower(last_name)), ''),
    nullif(trim(email), ''),
    'unknown'
);
