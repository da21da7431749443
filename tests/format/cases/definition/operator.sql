-- reason: An operator and its class.
create operator === (leftarg = box, rightarg = box, function = area_equal); create operator class c for type box using gist as operator 1 ===, function 1 f(box);
================
create operator === (leftarg = box, rightarg = box, function = area_equal);
create operator class c for type box using gist as operator 1 ===, function 1 f(box);
