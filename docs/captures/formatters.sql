create table orders (id bigint primary key, -- the key
  total numeric(10,2) default 1, customer_id bigint references customers); -- owner
select o.id, c.name -- who
from orders o left join customers c on c.id=o.customer_id and c.deleted_at is null where o.total > 10 and o.created_at between '2020-01-01' and '2021-01-01';
\copy orders to 'orders.csv' csv
