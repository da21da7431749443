-- reason: Rows are a line each once the statement is broken.
insert into users (id, name, email) values (1, 'Alice', 'alice@example.com'), (2, 'Bob', 'bob@example.com');
================
insert into users (id, name, email)
values (1, 'Alice', 'alice@example.com'), (2, 'Bob', 'bob@example.com');
