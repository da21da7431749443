-- reason: Placeholders of drivers are tokens.
select * from t where a = ? and b = %s and c = %(name)s and d = :name and e = @name and f = $1;
================
select *
from t
where a = ? and b = %s and c = %(name)s and d = :name and e = @name and f = $1;
