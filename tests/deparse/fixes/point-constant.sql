SELECT point(1) '(1,2)'
