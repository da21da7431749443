module github.com/pgquill/pgquill/clients/go

go 1.23
