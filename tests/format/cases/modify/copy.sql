-- reason: COPY of a query.
copy (select a, b from some_table where c > 5 order by a) to stdout with (format csv, header, delimiter ',', quote '"');
================
copy (select a, b from some_table where c > 5 order by a)
    to stdout with (format csv, header, delimiter ',', quote '"');
