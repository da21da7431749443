-- reason: Clauses of a policy.
create policy user_policy on users as restrictive for select to authenticated using (auth.uid() = id and deleted_at is null) with check (true);
================
create policy user_policy
    on users
    as restrictive
    for select
    to authenticated
    using (auth.uid() = id and deleted_at is null)
    with check (true);
