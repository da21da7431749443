-- reason: Settings.
set search_path to a,b,"$user"; set local x.y = 'z'; reset all; show all;
================
set search_path to a, b, "$user";
set local x.y = 'z';
reset all;
show all;
