// Runs pg_query_go, which calls libpg_query through cgo and Protobuf: pg_query_go FILE
package main

import (
	pg_query "github.com/pganalyze/pg_query_go/v6"

	"peers/peer"
)

func main() {
	peer.ServeAPI(pg_query.Parse, pg_query.Fingerprint, pg_query.Normalize, pg_query.Scan, pg_query.Deparse)
}
