SELECT xmlexists((-1) PASSING (-2))
SELECT * FROM xmltable('a' PASSING (-1.5) COLUMNS b int)
