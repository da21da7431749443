-- reason: Blocks of templates are comments.
select a
{% if flag %}
  , b
{% endif %}
from {{ source('a','b') }};
================
select
    a
    {% if flag %}
    , b
{% endif %}
from
    {{ source('a','b') }};
