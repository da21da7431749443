// Runs go-pgquery, which is libpg_query compiled to WebAssembly: go-pgquery FILE
package main

import (
	pg_query "github.com/wasilibs/go-pgquery"

	"peers/peer"
)

func main() {
	peer.ServeAPI(pg_query.Parse, pg_query.Fingerprint, pg_query.Normalize, pg_query.Scan, pg_query.Deparse)
}
