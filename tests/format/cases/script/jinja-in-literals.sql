-- reason: The quotes in a template do not end the literal around it.
select  '{{ cols|join(',') }}' as header from t;
select  a from t where  b = '{{ path.split('/')[0] }}';
select  '{{1,2},{3,4}}'::int[], '{{'||x||'}}' from t;
================
select '{{ cols|join(',') }}' as header from t;
select a from t where b = '{{ path.split('/')[0] }}';
select '{{1,2},{3,4}}'::int[], '{{'||x||'}}' from t;
