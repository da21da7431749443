-- reason: after standard_conforming_strings = off, only statements without backslashes are formatted
set standard_conforming_strings = off;
select 'a\'b',   c from t;
select 'ab',   c from t;
reset standard_conforming_strings;
select 'a\b',   c from t;
================
set standard_conforming_strings = off;
select 'a\'b',   c from t;
select 'ab', c from t;
reset standard_conforming_strings;
select 'a\b', c from t;
