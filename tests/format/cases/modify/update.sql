-- reason: SET is a clause, its list is indented where it does not fit.
update accounts set balance = balance - 100.00, updated_at = now(), last_transaction_id = 12345678, note = 'x' where id = 1;
================
update accounts
set
    balance = balance - 100.00,
    updated_at = now(),
    last_transaction_id = 12345678,
    note = 'x'
where id = 1;
