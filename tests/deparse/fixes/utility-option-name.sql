VACUUM ("Full Moon") t
EXPLAIN ("select" on) SELECT 1
CREATE DATABASE d "my option" 1
CREATE DATABASE d "connection" 1
