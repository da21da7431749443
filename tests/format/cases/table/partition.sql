-- reason: A partition has no columns to lay out.
create table measurement_y2006m02 partition of measurement for values from ('2006-02-01') to ('2006-03-01');
================
create table measurement_y2006m02 partition of measurement
    for values from ('2006-02-01') to ('2006-03-01');
