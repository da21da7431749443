// oliphant, PostgreSQL's parser in Go alone: oliphant FILE
package main

import (
	pg_query "github.com/sqlc-dev/oliphant"

	"peers/peer"
)

func main() {
	peer.API[*pg_query.ParseResult, *pg_query.ScanResult]{
		Parse:       pg_query.Parse,
		Version:     (*pg_query.ParseResult).GetVersion,
		Statements:  func(tree *pg_query.ParseResult) int { return len(tree.Stmts) },
		Fingerprint: pg_query.Fingerprint,
		Normalize:   pg_query.Normalize,
		Scan:        pg_query.Scan,
		Count:       func(scan *pg_query.ScanResult) int { return len(scan.Tokens) },
		Deparse:     pg_query.Deparse,
	}.Serve()
}
