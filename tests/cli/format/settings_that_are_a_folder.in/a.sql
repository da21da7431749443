select   1;
