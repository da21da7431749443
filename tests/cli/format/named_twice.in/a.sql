select  a from t;
