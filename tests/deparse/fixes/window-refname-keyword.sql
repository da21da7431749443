SELECT f() OVER ("rows" ORDER BY a) FROM t
SELECT f() OVER ("partition" ORDER BY a), g() OVER ("range"), h() OVER ("groups" ORDER BY b) FROM t
