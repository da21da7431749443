-- reason: Comments stay with their columns, in one column if they were.
create table t (
  id bigint,      -- the key
  name text,      -- what it is called
  -- how much
  price numeric(10,2) not null, /* in cents */
  last int -- the end
);
================
create table t (
    id bigint, -- the key
    name text, -- what it is called
    -- how much
        price numeric(10, 2)
        not null, /* in cents */
    last int -- the end
);
