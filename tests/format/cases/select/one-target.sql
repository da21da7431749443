-- reason: A single item begins on the line of SELECT.
select create_hypertable('some_hypertable_name', 'time_column', chunk_time_interval => interval '1 day');
================
select create_hypertable(
    'some_hypertable_name', 'time_column', chunk_time_interval => interval '1 day'
);
