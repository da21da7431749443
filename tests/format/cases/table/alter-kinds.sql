-- reason: Other changes.
alter table t rename column a to b; alter table t set schema s; alter table t attach partition p for values from (1) to (2); alter table t enable row level security;
================
alter table t rename column a to b;
alter table t set schema s;
alter table t attach partition p for values from (1) to (2);
alter table t enable row level security;
