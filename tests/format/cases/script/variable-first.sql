-- reason: A variable may be the first words of a statement.
:explain select   a from t;
================
:explain select a from t;
