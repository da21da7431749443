-- reason: If a WHEN does not fit, its action begins a line.
merge into target t using source s on t.id = s.id when matched and s.some_flag then update set first_column = s.first_column, second_column = s.second_column, third_column = 3 when not matched by source then delete;
================
merge into target t
using source s
on t.id = s.id
when matched and s.some_flag then
    update set
        first_column = s.first_column,
        second_column = s.second_column,
        third_column = 3
when not matched by source then delete;
