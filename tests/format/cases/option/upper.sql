-- reason: Keywords in capitals. Names are unchanged.
-- options: keyword-case=upper
select Name, count(*) from User_Table where type is not null and current_date > x;
================
SELECT Name, count(*) FROM User_Table WHERE type IS NOT NULL AND CURRENT_DATE > x;
