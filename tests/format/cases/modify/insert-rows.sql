-- reason: If the statement does not fit on one line, each row is a line.
insert into users (id, name, email) values (1, 'Alice', 'alice@example.com'), (2, 'Bob', 'bob@example.com');
================
insert into users (id, name, email)
values (1, 'Alice', 'alice@example.com'), (2, 'Bob', 'bob@example.com');
