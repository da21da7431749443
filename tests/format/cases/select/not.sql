-- reason: NOT stays with its operand.
select a from t where not some_boolean_column and not (another_column = 5 or yet_another_column = 6) and not exists (select 1);
================
select a
from t
where
    not some_boolean_column
    and not (another_column = 5 or yet_another_column = 6)
    and not exists (select 1);
