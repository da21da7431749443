-- reason: Keywords in small letters.
-- options: keyword-case=lower
SELECT Name, Count(*) FROM T WHERE Type IS NOT NULL AND CURRENT_DATE > x;
================
select Name, Count(*) from T where Type is not null and current_date > x;
