-- reason: Constraints of a column that does not fit begin lines.
create table t (status text not null default 'pending' check (status in ('pending', 'active', 'deleted', 'archived')) references statuses (name));
================
create table t (
    status text
        not null
        default 'pending'
        check (status in ('pending', 'active', 'deleted', 'archived'))
        references statuses (name)
);
