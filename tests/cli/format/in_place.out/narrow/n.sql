select aaaaaaaaaa, bbbbbbbbbb, cccccccccc from t;
