// Runs oliphant, which is PostgreSQL's parser in pure Go: oliphant FILE
package main

import (
	pg_query "github.com/sqlc-dev/oliphant"

	"peers/peer"
)

func main() {
	peer.ServeAPI(pg_query.Parse, pg_query.Fingerprint, pg_query.Normalize, pg_query.Scan, pg_query.Deparse)
}
