-- reason: Cursors.
declare c scroll cursor with hold for select * from some_table_with_a_long_name where some_column = 'value' order by 1; fetch forward 5 from c; close c;
================
declare c scroll cursor with hold for
select * from some_table_with_a_long_name where some_column = 'value' order by 1;
fetch forward 5 from c;
close c;
