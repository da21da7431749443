module bench

go 1.25.0

require (
	github.com/pganalyze/pg_query_go/v6 v6.2.5
	github.com/sqlc-dev/oliphant v0.2.0
	github.com/wasilibs/go-pgquery v0.0.0-20260728010200-155ebad2880e
	github.com/pgquill/pgquill/clients/go v0.0.0
)

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	github.com/wasilibs/wazero-helpers v0.0.0-20250123031827-cd30c44769bb // indirect
	golang.org/x/sys v0.44.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/pgquill/pgquill/clients/go => ../../../clients/go
