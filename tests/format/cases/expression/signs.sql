-- reason: Signs touch their operand, unless that makes a comment.
select - x, + 5, - - 1, a - -1, -(-1), @ -5, ~ 1;
================
select -x, +5, - -1, a - -1, -(-1), @ -5, ~ 1;
