-- reason: A driver reads the ends of these operators as placeholders, but PostgreSQL does not. Formatting changes the tokens of neither.
select a from t where id=%s and b = @p1 and c=@p1 and d=?1 and e>=%s and f-%s and g=%b and h||@p2 and x=%s::int;
select a from t where b<@c and d <@ e and d@>f and g<%s and x @@y;
select a from t where id=%s and a_long_name_of_a_column+%s+another_long_name_of_a_column>%s*a_long_name_of_a_column;
select id=%(id)s;
select a from t where id=? and b>=? and c<>? and d in (?,?) and e@>?;
select a from t where b<@c and d like %s;
update t set a=?,b=?+1,c=?-1 where c=?;
select * from orders where shop = 1 %s order by placed;
select id %(extra)s, a%b, a % b, a%2, b%s, a %s%s, a %d, id %(extra)d, (select 1)s, a %(b + c), case when a then 1 %s end from logs;
select a%type_of_a_very_long_name %s from a_table_with_a_long_name where a_long_name = another_name %s and %s = b;
================
select a
from t
where
    id=%s
    and b = @p1
    and c=@p1
    and d=?1
    and e>=%s
    and f-%s
    and g=%b
    and h||@p2
    and x=%s::int;
select a from t where b<@c and d <@ e and d @> f and g<%s and x @@y;
select a
from t
where
    id=%s
    and a_long_name_of_a_column+%s + another_long_name_of_a_column
        >%s * a_long_name_of_a_column;
select id=%(id)s;
select a from t where id = ? and b >= ? and c <> ? and d in (?, ?) and e @> ?;
select a from t where b<@c and d like %s;
update t set a = ?, b = ? + 1, c = ? - 1 where c = ?;
select * from orders where shop = 1 %s order by placed;
select
    id %(extra)s,
    a%b,
    a % b,
    a % 2,
    b%s,
    a %s%s,
    a %d,
    id %(extra)d,
    (select 1) s,
    a %(b + c),
    case when a then 1 %s end
from logs;
select a%type_of_a_very_long_name %s
from a_table_with_a_long_name
where a_long_name = another_name %s and %s = b;
