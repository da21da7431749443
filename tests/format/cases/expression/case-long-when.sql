-- reason: If a branch does not fit, its THEN begins a line.
select case when first_column = 'some value' and second_column = 'other value' and third then 'a result that is long' else null end;
================
select case
    when first_column = 'some value' and second_column = 'other value' and third
        then 'a result that is long'
    else null
end;
