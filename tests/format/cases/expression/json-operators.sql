-- reason: Operators of JSON have spaces.
select a->'b'->>'c', d#>>'{e,f}', g@>'{}', h ? 'i' from t;
================
select a -> 'b' ->> 'c', d #>> '{e,f}', g @> '{}', h ? 'i' from t;
