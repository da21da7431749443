-- reason: THEN begins a line where a branch does not fit.
select case when first_column = 'some value' and second_column = 'other value' and third then 'a result that is long' else null end;
================
select case
    when first_column = 'some value' and second_column = 'other value' and third
        then 'a result that is long'
    else null
end;
