-- reason: Variables of psql are tokens.
select * from :schema.:"table" where a = :'value' and b = :number;
================
select * from :schema.:"table" where a = :'value' and b = :number;
