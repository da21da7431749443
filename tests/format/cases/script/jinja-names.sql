-- reason: A blank beside a tag would divide a name.
select  id from events{% if sample %}_sample{% endif %} where  day = 1;
select  total{% if cents %} _cents {% endif %}b from orders;
delete  from sales_{%if dev%}dev{%endif%} where  true;
select  a{#- note -#}_b from t;
select  {{ a }}{% if more %}, b{% endif %} from t where  true{% if x %} and c{% endif %};
================
select  id from events{% if sample %}_sample{% endif %} where  day = 1;
select  total{% if cents %} _cents {% endif %}b from orders;
delete  from sales_{%if dev%}dev{%endif%} where  true;
select a {#- note -#} _b from t;
select {{ a }} {% if more %} , b {% endif %}
from t
where true {% if x %} and c {% endif %} ;
