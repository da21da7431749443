-- reason: Publications and subscriptions.
create publication p for table a, b where (c > 1) with (publish = 'insert'); create subscription s connection 'host=x' publication p;
================
create publication p for table a, b where (c > 1) with (publish = 'insert');
create subscription s connection 'host=x' publication p;
