-- reason: Arrays break as lists.
select array[1,2,3], array [[1,2],[3,4]], array(select 1), array['first long element','second long element','third long element'];
================
select
    array[1, 2, 3],
    array[[1, 2], [3, 4]],
    array(select 1),
    array['first long element', 'second long element', 'third long element'];
