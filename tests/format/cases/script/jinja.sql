-- reason: Templates are tokens.
select  {{ column }} , b from {{ ref('orders') }} where {{ condition }} limit {{ n }};
================
select {{ column }}, b from {{ ref('orders') }} where {{ condition }} limit {{ n }};
