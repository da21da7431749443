-- reason: Comments of sqlc stay before their query.
-- name: GetUser :one
select * from users
where id = @id limit 1;

-- name: ListUsers :many
select * from users;
================
-- name: GetUser :one
select * from users where id = @id limit 1;

-- name: ListUsers :many
select * from users;
