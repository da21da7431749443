-- reason: SQL/JSON and XML.
select json_object('a' : 1, 'b' value 2 absent on null), json_value(j, '$.a' returning int default 1 on empty), xmlelement(name a, xmlattributes(b as c));
================
select
    json_object('a' : 1, 'b' value 2 absent on null),
    json_value(j, '$.a' returning int default 1 on empty),
    xmlelement(name a, xmlattributes(b as c));
