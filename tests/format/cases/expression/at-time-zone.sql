-- reason: AT TIME ZONE and COLLATE.
select a at time zone 'utc', b collate "C", c at local;
================
select a at time zone 'utc', b collate "C", c at local;
