// go-pgquery, libpg_query compiled to WebAssembly: go-pgquery FILE
package main

import (
	pganalyze "github.com/pganalyze/pg_query_go/v6"
	pg_query "github.com/wasilibs/go-pgquery"

	"peers/peer"
)

func main() {
	peer.API[*pganalyze.ParseResult, *pganalyze.ScanResult]{
		Parse:       pg_query.Parse,
		Version:     (*pganalyze.ParseResult).GetVersion,
		Statements:  func(tree *pganalyze.ParseResult) int { return len(tree.Stmts) },
		Fingerprint: pg_query.Fingerprint,
		Normalize:   pg_query.Normalize,
		Scan:        pg_query.Scan,
		Count:       func(scan *pganalyze.ScanResult) int { return len(scan.Tokens) },
		Deparse:     pg_query.Deparse,
	}.Serve()
}
