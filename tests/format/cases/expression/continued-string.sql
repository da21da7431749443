-- reason: A string in parts is one token.
select 'first '
       'second', b from t;
================
select 'first '
       'second', b from t;
