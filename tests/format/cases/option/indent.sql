-- reason: Two spaces.
-- options: indent=2
select a from t where first_column = 'some value' and second_column = 'other value' and third_column is not null;
================
select a
from t
where
  first_column = 'some value'
  and second_column = 'other value'
  and third_column is not null;
