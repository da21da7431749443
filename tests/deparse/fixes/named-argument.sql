SELECT f("a => 1); DROP TABLE t; --" => 1)
CALL p("select" := 1, "A" => 2)
