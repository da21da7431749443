-- reason: Arguments of a call that does not fit are a line each.
select jsonb_build_object('first_key', first_value_expression(x), 'second_key', second_value, 'third_key', third_value(y));
================
select jsonb_build_object(
    'first_key',
    first_value_expression(x),
    'second_key',
    second_value,
    'third_key',
    third_value(y)
);
