-- reason: Loops, labels and CASE.
-- options: bodies
do $$
<<outer>>
begin while x < 5 loop x := x + 1; exit outer when x = 3; end loop;
case x when 1 then y := 'a'; else y := 'b'; end case; loop exit; end loop; end $$;
================
do $$
<<outer>>
begin
    while x < 5 loop
        x := x + 1;
        exit outer when x = 3;
    end loop;
    case x
        when 1 then
            y := 'a';
        else
            y := 'b';
    end case;
    loop
        exit;
    end loop;
end
$$;
