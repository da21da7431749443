-- reason: A short trigger.
create trigger t after insert on u execute function f('x');
================
create trigger t after insert on u execute function f('x');
