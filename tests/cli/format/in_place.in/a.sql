select  1;
