-- reason: Transactions.
begin; savepoint a; rollback to savepoint a; start transaction isolation level serializable, read only; commit and chain;
================
begin;
savepoint a;
rollback to savepoint a;
start transaction isolation level serializable, read only;
commit and chain;
