-- reason: Prepared statements.
prepare p(int,text) as select * from t where a = $1 and b = $2; execute p(1,'x'); deallocate p;
================
prepare p(int, text) as select * from t where a = $1 and b = $2;
execute p(1, 'x');
deallocate p;
